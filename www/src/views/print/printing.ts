// Printing: not the screen, but a report. Ctrl+P works out first what is not known yet; the browser's own menu prints what is at hand.
import { say } from '../../base/messages';
import { attempt } from '../../state/failures';
import { gatheredOf, keepGathered, whileGathering } from '../../state/shown/gathered';
import type { Context } from '../../state/state';

/** From now on a report is in the document for as long as it is printed. */
export function printReports(context: Context): void {
  const { state, later } = context;
  let report: HTMLElement | null = null;
  const remove = () => {
    report?.remove();
    report = null;
    delete document.body.dataset['printing'];
  };
  window.addEventListener('beforeprint', () => {
    remove();
    if (!state.trace || !later.there) return;
    report = later.there.reportOf(context, gatheredOf(state));
    document.body.append(report);
    document.body.dataset['printing'] = 'report';
  });
  window.addEventListener('afterprint', remove);
}

/** Works out what the report needs, and prints it. */
export function printReport(context: Context): void {
  attempt(context, say('not-printed'), gatherAndPrint(context));
}

async function gatherAndPrint(context: Context): Promise<void> {
  const { state, later } = context;
  const { trace } = state;
  if (!trace) return;
  const { gather } = await later.get();
  const gathered = await whileGathering(context, gather(context, trace));
  if (gathered && keepGathered(context, gathered)) window.print();
}
