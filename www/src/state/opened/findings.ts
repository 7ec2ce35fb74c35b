// What the doctor found wrong with what is open.
import { say } from '../../base/messages';
import { turnDrawer } from '../shown/tab';
import { figuresOf } from '../figures';
import { Changed } from '../frame';
import type { Context, State } from '../state';

/** Findings that put ops far from all others. */
const STRETCHING = ['time-bases', 'far-ops'];

/** Whether the doctor failed on what is shown. */
export function requestFindings(context: Context): boolean {
  const { state, engine } = context;
  const { trace } = state;
  if (!trace) return false;
  state.doctor = figuresOf(context, state.doctor, trace, {
    question: () => engine.ask('doctor'),
    outcome: say('not-checked'),
    changed: Changed.steps,
    then: ({ findings }) => {
      state.findings = { list: findings, of: trace };
      // Where times cannot be, the axis is stretched and the picture empty: this is what to read first.
      const is_stretched = findings.some(({ code, repaired }) => STRETCHING.includes(code) && !repaired);
      if (is_stretched && state.tab === 'range') turnDrawer(context, 'problems');
    },
  });
  return state.doctor.has_failed;
}

/** Checks again after that has failed. */
export function retryFindings({ state, frame }: Context): void {
  state.doctor = null;
  frame.invalidate(Changed.steps);
}

/** What is wrong, without what is only to be known. */
export const faultCount = ({ findings }: State): number => findings?.list.filter(({ is_note }) => !is_note).length ?? 0;
