// Which of what the doctor found is repaired.
import { listed } from '../../base/joined';
import { say } from '../../base/messages';
import { REPAIRS, type Finding, type Repair } from '../../engine/protocol';
import { showView } from './show_view';
import type { Context, State } from '../state';

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
