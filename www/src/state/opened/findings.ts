// What the doctor found wrong with what is open.
import { say } from '../../base/messages';
import { turnDrawer } from '../shown/tab';
import { ofShown, type Question } from '../figures';
import type { State } from '../state';

/** Findings that put ops far from all others. */
const STRETCHING = ['time-bases', 'far-ops'];

export const DOCTOR: Question<'doctor'> = {
  verb: 'doctor',
  of: ofShown,
  parameters: () => [],
  outcome: say('not-checked'),
  then: (context, { findings }) => {
    const { state } = context;
    if (!state.trace) return;
    state.findings = { list: findings, of: state.trace };
    // Where times cannot be, the axis is stretched and the picture empty: this is what to read first.
    const is_stretched = findings.some(({ code, repaired }) => STRETCHING.includes(code) && !repaired);
    if (is_stretched && state.tab === 'range') turnDrawer(context, 'problems');
  },
};

/** What is wrong, without what is only to be known. */
const faultCount = ({ findings }: State): number => findings?.list.filter(({ is_note }) => !is_note).length ?? 0;

/** What is wrong, and what the files lost. */
export const problemCount = (state: State): number =>
  (state.trace?.summary.files.reduce((sum, file) => sum + file.problems.length, 0) ?? 0) + faultCount(state);
