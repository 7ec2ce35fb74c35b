// The totals of transfers: they come after the first frame, because the data flow has to be followed for them.
import { errorBody } from '../engine/errors';
import { Changed } from './frame';
import { refreshMarks } from './marks';
import { showError } from './open';
import type { Context, OpenTrace } from './state';

/** Brings the totals of what is shown into its summary. */
export function requestTotals(context: Context): void {
  const { trace } = context.state;
  if (trace) void totalsOf(context, trace);
}

/** Resolves once the summary of `trace` has its totals, or something else is shown. */
export async function totalsOf(context: Context, trace: OpenTrace): Promise<void> {
  const { state, engine, frame } = context;
  try {
    const { devices, retitled, ...all } = await engine.totals();
    if (state.trace !== trace) return;
    Object.assign(trace.summary, all);
    devices.forEach((totals, id) => Object.assign(trace.summary.devices[id] ?? {}, totals));
    frame.invalidate(Changed.totals | Changed.traffic);
    if (retitled) refreshMarks(context);
  } catch (thrown) {
    // What is shown now asks for its own.
    if (errorBody(thrown).code !== 'superseded' && state.trace === trace) showError(context, 'Transfers not counted', thrown);
  }
}
