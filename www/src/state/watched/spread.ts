// How much of the watched folder is shown.
import { Changed } from '../frame';
import type { Context } from '../state';
import type { Watching } from '../watching';
import { WATCHED_CHANGED } from './below';

/** Whether more than a line of it is shown: while nothing is open, unless the user said otherwise. */
export const isSpread = (watching: Watching, has_trace: boolean): boolean => watching.is_open ?? !has_trace;

export function toggleSpread({ state, frame }: Context): void {
  if (state.watching) state.watching.is_open = !isSpread(state.watching, state.trace !== null);
  frame.invalidate(WATCHED_CHANGED, Changed.layout);
}
