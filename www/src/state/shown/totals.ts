// The totals of transfers: they come after the first frame, because the data flow has to be followed for them.
import { attempt, reportFailure } from '../failures';
import { Changed } from '../frame';
import { refreshMarks } from './marks';
import type { Context } from '../state';
import type { OpenTrace } from '../types';

const NOT_COUNTED = 'Transfers not counted';

/** Brings the totals of what is shown into its summary. */
export function requestTotals(context: Context): void {
  const { trace } = context.state;
  if (trace) attempt(context, NOT_COUNTED, totalsOf(context, trace));
}

/** Resolves once the summary of `trace` has its totals, or something else is shown. */
export async function totalsOf(context: Context, trace: OpenTrace): Promise<void> {
  const { engine, frame } = context;
  try {
    const { devices, retitled, ...all } = await engine.totals();
    Object.assign(trace.summary, all);
    devices.forEach((totals, id) => Object.assign(trace.summary.devices[id] ?? {}, totals));
    frame.invalidate(Changed.totals | Changed.traffic);
    if (retitled) refreshMarks(context);
  } catch (thrown) {
    reportFailure(context, NOT_COUNTED, thrown);
  }
}
