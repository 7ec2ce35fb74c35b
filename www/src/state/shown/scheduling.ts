// Scheduling: asked for when its tab is opened, and again for each step or view, and for another number of threads.
import { say } from '../../base/messages';
import { askAgain, ofShown, type Question } from '../figures';
import type { Context } from '../state';

export const SCHEDULING: Question<'scheduling'> = {
  verb: 'scheduling',
  of: ofShown,
  parameters: ({ threads }) => [threads, null],
  outcome: say('scheduling-not-found'),
};

/** How many threads run ops, as the user knows; null where nobody does. RunMetadata does not record it. */
export function setThreads(context: Context, threads: number | null): void {
  const { state } = context;
  if (state.threads === threads) return;
  state.threads = threads;
  askAgain(context, 'scheduling');
}
