// The totals of transfers: they come after the first frame, because the data flow has to be followed for them.
import { clauses } from '../../base/joined';
import { say } from '../../base/messages';
import { formatBytes } from '../../base/format';
import type { Summary } from '../../engine/protocol';
import { attempt, reportFailure } from '../failures';
import { Changed } from '../frame';
import { TRAFFIC_CHANGED } from './traffic';
import { refreshMarks } from './marks';
import { announce, type Context } from '../state';
import type { OpenTrace } from '../types';

const NOT_COUNTED = say('transfers-not-counted');

/** Brings the totals of what is shown into its summary, and adds them to `said`, what a screen reader heard of its opening, unless it heard something else since. */
export function requestTotals(context: Context, said: string | null = null): void {
  const { state } = context;
  const { trace } = state;
  if (!trace) return;
  const counted = totalsOf(context, trace).then(() => {
    const { transfers } = trace.summary;
    if (transfers !== undefined && state.trace === trace && state.notice === said)
      announce(context, say('said-and', { said, more: totalsWords(trace.summary) }), Changed.notice);
  });
  attempt(context, NOT_COUNTED, counted);
}

/** `991 transfers, 3.67 MiB`. */
function totalsWords({ transfers = 0, transferred_bytes = 0 }: Summary): string {
  const count = transfers === 0 ? say('no-transfer') : say('transfers', { count: transfers });
  return clauses([count, transferred_bytes > 0 && formatBytes(transferred_bytes)]);
}

/** Resolves once the summary of `trace` has its totals, or something else is shown. */
export async function totalsOf(context: Context, trace: OpenTrace): Promise<void> {
  const { engine, frame } = context;
  try {
    const { devices, retitled, ...all } = await engine.ask('totals');
    Object.assign(trace.summary, all);
    devices.forEach((totals, id) => Object.assign(trace.summary.devices[id] ?? {}, totals));
    // What any device does at every moment comes with them, and is a figure of the step.
    frame.invalidate(Changed.totals, TRAFFIC_CHANGED, Changed.scope);
    if (retitled) refreshMarks(context);
  } catch (thrown) {
    reportFailure(context, NOT_COUNTED, thrown);
  }
}
