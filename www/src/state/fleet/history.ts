// The fleet in the browser's history: an entry of its own, so that Back leads from a trace to the fleet.
import { EVERYTHING } from '../frame';
import type { Context } from '../state';
import { encodeFleet } from './address';

/** After a change of what is shown: browsers refuse to note more than some changes a second. */
const PAUSE_MS = 400;

const isOfFleet = (entry: unknown): boolean => typeof entry === 'object' && entry !== null && 'fleet' in entry;

/** The fleet has been opened: what was shown before is one step back. */
export function enterFleet({ state }: Context): void {
  if (state.trace) history.pushState({ fleet: true }, '');
  else history.replaceState({ fleet: true }, '');
}

/** The fleet was closed: the address says nothing of it any more. */
export function leaveFleet(): void {
  if (isOfFleet(history.state)) history.replaceState(null, '', location.pathname + location.search);
}

/** A trace was opened from the fleet. Where the page keeps traces, they have made their entry themselves. */
export function enterTrace(): void {
  if (isOfFleet(history.state)) history.pushState({ trace: null, of_fleet: true }, '', location.pathname + location.search);
}

/** Notes in the address how the fleet is shown, once that has come to rest. */
export function noteFleet({ state }: Context): void {
  const { fleet } = state;
  if (!fleet) return;
  clearTimeout(fleet.note_timer);
  fleet.note_timer = setTimeout(() => {
    if (fleet.is_shown && isOfFleet(history.state)) history.replaceState(history.state, '', `#${encodeFleet(fleet)}`);
  }, PAUSE_MS);
}

/** Shows the fleet in place of the trace. */
export function showFleet(context: Context): void {
  const { state, frame } = context;
  if (!state.fleet || state.fleet.is_shown) return;
  state.fleet.is_shown = true;
  frame.invalidate(...EVERYTHING);
  noteFleet(context);
}

/** Back, as the browser's own button: to the entry of the fleet. */
export function backToFleet(context: Context): void {
  if (isOfFleet(history.state)) showFleet(context);
  else {
    // Another trace may have been opened since: then Back leads to that one, and this is a step forth.
    history.pushState({ fleet: true }, '');
    showFleet(context);
  }
}

/** Follows Back and Forward. Call once. */
export function followHistory(context: Context): void {
  const { state, frame } = context;
  addEventListener('popstate', () => {
    const { fleet } = state;
    if (!fleet) return;
    if (isOfFleet(history.state)) showFleet(context);
    else if (fleet.is_shown && state.trace) {
      fleet.is_shown = false;
      frame.invalidate(...EVERYTHING);
    }
  });
}
