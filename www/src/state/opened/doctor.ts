// What the doctor found wrong with what is open, and which of it is repaired.
import { listed } from '../../base/joined';
import { say } from '../../base/messages';
import { REPAIRS, type Finding, type Repair } from '../../engine/protocol';
import { turnDrawer } from '../shown/tab';
import { figuresOf } from '../figures';
import { Changed } from '../frame';
import { showView } from './show_view';
import type { Context, State } from '../state';

/** Findings that put ops far from all others. */
const STRETCHING = ['time-bases', 'far-ops'];

/** Whether the doctor failed on what is shown. */
export function requestFindings(context: Context): boolean {
  const { state, engine } = context;
  const { trace } = state;
  if (!trace) return false;
  state.doctor = figuresOf(context, state.doctor, trace, {
    question: () => engine.doctor(),
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

/** The repair of a finding; null where there is none. */
export const repairOf = ({ code, repair }: Finding): Repair | null =>
  repair === null ? null : (REPAIRS.find((known) => known === code) ?? null);

export const isRepaired = ({ pending_view, trace }: State, repair: Repair): boolean =>
  (pending_view ?? trace?.view)?.repairs.includes(repair) ?? false;

/** Repairs, or takes a repair back. */
export function toggleRepair(context: Context, repair: Repair): void {
  const { pending_view, trace } = context.state;
  const { repairs = [] } = pending_view ?? trace?.view ?? {};
  showView(context, { repairs: REPAIRS.filter((known) => (known === repair) !== repairs.includes(known)) });
}

/** What is repaired, for those who see a figure that it touched; '' where nothing is. */
export function repairWords({ trace, findings }: State): string {
  const repairs = trace?.view.repairs ?? [];
  if (repairs.length === 0) return '';
  const titles = repairs.map((repair) => findings?.list.find(({ code }) => code === repair)?.title ?? repair);
  return say('repaired-what', { what: listed(titles) });
}
