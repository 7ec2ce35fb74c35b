// Where failures end that nothing else handles: the user reads a sentence and can copy the details, and the console has it, too.
//
// One failure is dropped, and only here: that of a question about something that is not shown any more.
import { say } from '../base/messages';
import { EngineError, errorBody, SUPERSEDED } from '../engine/errors';
import type { EngineErrorBody } from '../engine/protocol';
import { Changed } from './frame';
import type { Context, State } from './state';
import type { Failure } from './types';

/** Codes of errors that are never the file's or the browser's. */
const FAULTS: readonly string[] = ['internal', 'worker-failed'];
/** A painter may fail in each frame. */
const MOST_DETAILS = 20;

/** Shows why what the user asked for failed. */
export function showError(context: Context, outcome: string, thrown: unknown): void {
  const body = errorBody(thrown);
  if (body.code === SUPERSEDED) return;
  if (FAULTS.includes(body.code)) reportFailure(context, outcome, thrown);
  else show(context, { ...body, outcome, details: null });
}

export function dismissError({ state, frame }: Context): void {
  state.error = null;
  frame.invalidate(Changed.phase);
}

/** Waits for `work`; should it fail, the user reads `outcome` and why. */
export function attempt(context: Context, outcome: string, work: Promise<unknown>): void {
  work.catch((thrown: unknown) => {
    reportFailure(context, outcome, thrown);
  });
}

/** Reports what should not have failed. False where it was about something that is not shown any more. */
export function reportFailure(context: Context, outcome: string, thrown: unknown): boolean {
  const { state } = context;
  const body = errorBody(thrown);
  if (isSuperseded(state, body)) return false;
  const details = detailsOf(context, outcome, thrown);
  console.error(details);
  const shown = state.error?.details;
  if (!shown) show(context, { ...body, outcome, details: [details] });
  // The first one stays, as the others may follow from it.
  else if (shown.length < MOST_DETAILS) shown.push(details);
  return true;
}

/** While the next step is made ready the core has it already, and does not know the ops of this one. */
const isSuperseded = ({ pending_view }: State, { code }: EngineErrorBody): boolean =>
  code === SUPERSEDED || (code === 'no-such-op' && pending_view !== null);

function show({ state, frame }: Context, failure: Failure): void {
  state.error = failure;
  frame.invalidate(Changed.phase);
}

function detailsOf({ version }: Context, outcome: string, thrown: unknown): string {
  const { code, message } = errorBody(thrown);
  const stack = thrown instanceof Error ? (thrown.stack ?? '') : '';
  // eslint-disable-next-line words/from-catalogue -- details of a fault are for those who mend it
  const in_worker = thrown instanceof EngineError && thrown.worker_stack !== '' ? `In the worker:\n${thrown.worker_stack}` : '';
  // eslint-disable-next-line words/from-catalogue, words/joined -- details of a fault are for those who mend it
  const lines = [`${outcome}. ${message}`, `Code: ${code}`, `Steplens ${version}`, `Browser: ${navigator.userAgent}`, stack, in_worker];
  return lines.filter((line) => line !== '').join('\n');
}

/** Catches what no code of the page caught. */
export function catchEverything(context: Context): void {
  addEventListener('error', (event) => {
    // Browsers say this of their own accord; the boxes are observed again in the next frame.
    if (/^ResizeObserver loop/.test(event.message)) return;
    // The console has it already.
    event.preventDefault();
    reportFailure(context, UNCAUGHT, event.error ?? new Error(event.message));
  });
  addEventListener('unhandledrejection', (event) => {
    event.preventDefault();
    reportFailure(context, UNCAUGHT, event.reason);
  });
}

const UNCAUGHT = say('failed-page');
