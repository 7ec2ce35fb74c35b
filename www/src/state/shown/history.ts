// Where the user has been: views to go back to. What moves without a pause counts as one step.
import type { Rows } from '../layout/rows';
import type { Context, State } from '../state';
import type { Window } from '../../base/time_scale';

export interface Place {
  window: Window;
  scroll_y: number;
  rows: Rows;
  range: Window | null;
  range_lanes: Uint32Array | null;
}

const PAUSE_MS = 400;
const MOST = 200;

let places: Place[] = [];
let at = -1;
let timer: ReturnType<typeof setTimeout> | undefined;
const settled: (() => void)[] = [];

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
export function onSettled(then: () => void): void {
  settled.push(then);
}

/** Whether the view is at rest: nothing has changed it for a moment. */
export const isSettled = (): boolean => timer === undefined;

function stopWaiting(): void {
  clearTimeout(timer);
  timer = undefined;
}

/** The view, or what goes with it into the URL, has changed. */
export function noteView({ state }: Context): void {
  clearTimeout(timer);
  timer = setTimeout(() => {
    timer = undefined;
    remember(state);
    for (const then of settled) then();
  }, PAUSE_MS);
}

/** Forgets every place but the present one: another trace was opened. */
export function startHistory({ state }: Context): void {
  stopWaiting();
  places = [placeOf(state)];
  at = 0;
}

function remember(state: State): void {
  const place = placeOf(state);
  if (same(places[at], place)) return;
  places = [...places.slice(Math.max(0, at + 1 - MOST), at + 1), place];
  at = places.length - 1;
}

/** The view is about to jump: where it jumps from is a place of its own, however short it was there. */
export function leavePlace({ state }: Context): void {
  remember(state);
}

/** The place one step back (-1) or forth (+1), which is then the present one; undefined at the end. */
export function nextPlace({ state }: Context, step: 1 | -1): Place | undefined {
  // A view that has not come to rest yet is a place too.
  remember(state);
  const place = places[at + step];
  if (place) at += step;
  return place;
}

/** The view shows the place that it was sent to. */
export function arrived(): void {
  stopWaiting();
  for (const then of settled) then();
}
