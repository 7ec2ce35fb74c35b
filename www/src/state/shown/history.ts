// Where the user has been: views to go back to. What moves without a pause counts as one step.
import type { Context, State } from '../state';
import type { Place } from '../types';
import type { Window } from '../../base/time_scale';

const PAUSE_MS = 400;
const MOST = 200;

const placeOf = ({ window, scroll_y, rows, range, range_lanes }: State): Place => ({
  window,
  scroll_y,
  rows,
  range,
  range_lanes,
});

export const sameWindow = (a: Window | null, b: Window | null): boolean => a?.start === b?.start && a?.end === b?.end;

const same = (a: Place | undefined, b: Place): boolean =>
  a !== undefined &&
  sameWindow(a.window, b.window) &&
  a.scroll_y === b.scroll_y &&
  a.rows === b.rows &&
  sameWindow(a.range, b.range) &&
  a.range_lanes === b.range_lanes;

/** Calls `then` whenever the view has come to rest. */
export function onSettled({ state }: Context, then: () => void): void {
  state.rest.listeners.push(then);
}

/** Whether something that lasts changes the view: a glide, or a drag, whose end calls `noteView`. */
const isMoving = ({ rest, cancel_drag }: State): boolean => rest.in_motion || cancel_drag !== null;

/** Whether the view is at rest: nothing has changed it for a moment. */
export const isSettled = (state: State): boolean => state.rest.timer === undefined && !isMoving(state);

function stopWaiting({ rest }: State): void {
  clearTimeout(rest.timer);
  rest.timer = undefined;
}

/** The view, or what goes with it into the URL, has changed. */
export function noteView({ state }: Context): void {
  stopWaiting(state);
  if (isMoving(state)) return;
  state.rest.timer = setTimeout(() => {
    state.rest.timer = undefined;
    if (isMoving(state)) return;
    remember(state);
    for (const then of state.rest.listeners) then();
  }, PAUSE_MS);
}

/** A motion over several frames begins: it is one step, however long a frame takes. */
export function beginMotion({ state }: Context): void {
  stopWaiting(state);
  state.rest.in_motion = true;
}

export function endMotion(context: Context): void {
  context.state.rest.in_motion = false;
  noteView(context);
}

/** Forgets every place but the present one: another trace was opened. */
export function startHistory({ state }: Context): void {
  stopWaiting(state);
  state.visited = { places: [placeOf(state)], at: 0 };
}

function remember(state: State): void {
  const { places, at } = state.visited;
  const place = placeOf(state);
  if (same(places[at], place)) return;
  const kept = places.slice(Math.max(0, at + 1 - MOST), at + 1);
  state.visited = { places: [...kept, place], at: kept.length };
}

/** The view is about to jump: where it jumps from is a place of its own, however short it was there. */
export function leavePlace({ state }: Context): void {
  remember(state);
}

/** The present place has got other rows, and so another scroll position: it is no other place. */
export function amendPlace({ state }: Context): void {
  const { places, at } = state.visited;
  state.visited = { places: places.map((place, index) => (index === at ? { ...place, scroll_y: state.scroll_y } : place)), at };
}

/** The place one step back (-1) or forth (+1), which is then the present one; undefined at the end. */
export function nextPlace({ state }: Context, step: 1 | -1): Place | undefined {
  // A view that has not come to rest yet is a place too.
  remember(state);
  const { places, at } = state.visited;
  const place = places[at + step];
  if (place) state.visited = { places, at: at + step };
  return place;
}

/** The view shows the place that it was sent to. */
export function arrived({ state }: Context): void {
  stopWaiting(state);
  for (const then of state.rest.listeners) then();
}
