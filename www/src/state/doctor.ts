// What the doctor found wrong with what is open, and which of it is repaired.
import { REPAIRS, type Finding, type Repair } from '../engine/protocol';
import { Changed } from './frame';
import { lookAt } from './look';
import type { Context, OpenTrace, State } from './state';

export interface Findings {
  list: readonly Finding[];
  /** What was looked at then: ops are told by the ids that they have there. */
  of: OpenTrace;
}

export function requestFindings({ state, engine, frame }: Context): void {
  const { trace } = state;
  if (!trace || state.findings?.of === trace) return;
  void engine
    .doctor()
    .then(({ findings }) => {
      if (state.trace !== trace) return;
      state.findings = { list: findings, of: trace };
      frame.invalidate(Changed.steps);
    })
    // A question about a trace that was replaced meanwhile has no answer, and needs none.
    .catch(() => undefined);
}

/** What is wrong, without what is only to be known. */
export const faultCount = ({ findings }: State): number => findings?.list.filter(({ is_note }) => !is_note).length ?? 0;

/** The repair of a finding; null where there is none. */
export const repairOf = ({ code, repair }: Finding): Repair | null =>
  repair === null ? null : (REPAIRS.find((known) => known === code) ?? null);

export const isRepaired = ({ looking, trace }: State, repair: Repair): boolean =>
  (looking ?? trace?.view)?.repairs.includes(repair) ?? false;

/** Repairs, or takes a repair back. */
export function toggleRepair(context: Context, repair: Repair): void {
  const { looking, trace } = context.state;
  const { repairs = [] } = looking ?? trace?.view ?? {};
  lookAt(context, { repairs: REPAIRS.filter((known) => (known === repair) !== repairs.includes(known)) });
}

/** What is repaired, for those who see a figure that it touched; '' where nothing is. */
export function repairWords({ trace, findings }: State): string {
  const repairs = trace?.view.repairs ?? [];
  if (repairs.length === 0) return '';
  const titles = repairs.map((repair) => findings?.list.find(({ code }) => code === repair)?.title ?? repair);
  return `Repaired, and so other than it was recorded: ${titles.join('; ').toLowerCase()}. The tab Problems takes it back`;
}
