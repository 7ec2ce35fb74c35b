// Scheduling: asked for when its tab is opened, and again for each step or view, and for another number of threads.
import { say } from '../../base/messages';
import type { SchedulingPage } from '../../engine/protocol';
import { figuresOf } from '../figures';
import { Changed } from '../frame';
import type { Context, State } from '../state';
import type { Figures } from '../types';

export function requestScheduling(context: Context): Figures<SchedulingPage> | null {
  const { state, engine } = context;
  if (!state.trace) return null;
  state.scheduling = figuresOf(context, state.scheduling, state.trace, {
    question: () => engine.ask('scheduling', state.threads, null),
    outcome: say('scheduling-not-found'),
    changed: Changed.path,
  });
  return state.scheduling;
}

/** Asks again after that has failed. */
export function retryScheduling({ state, frame }: Context): void {
  state.scheduling = null;
  frame.invalidate(Changed.path);
}

/** The figures of what is shown; null while they are not there. */
export const schedulingOf = ({ scheduling, trace }: State): SchedulingPage | null =>
  scheduling && scheduling.of === trace ? scheduling.answer : null;

/** How many threads run ops, as the user knows; null where nobody does. RunMetadata does not record it. */
export function setThreads(context: Context, threads: number | null): void {
  const { state } = context;
  if (state.threads === threads) return;
  state.threads = threads;
  retryScheduling(context);
}
