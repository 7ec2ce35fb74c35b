// Where the user has been: views to go back to. What moves without a pause counts as one step.
import { Changed } from './frame';
import { layOut, lowestScroll } from './lay_out';
import type { Rows } from './rows';
import type { Context, State } from './state';
import type { Window } from '../base/time_scale';

interface Place {
  window: Window;
  scroll_y: number;
  rows: Rows;
}

const PAUSE_MS = 400;
const MOST = 200;

let places: Place[] = [];
let at = -1;
let timer: ReturnType<typeof setTimeout> | undefined;
const settled: (() => void)[] = [];

const placeOf = (state: State): Place => ({ window: state.window, scroll_y: state.scroll_y, rows: state.rows });

const same = (a: Place | undefined, b: Place): boolean =>
  a !== undefined &&
  a.window.start === b.window.start &&
  a.window.end === b.window.end &&
  a.scroll_y === b.scroll_y &&
  a.rows === b.rows;

/** Calls `then` whenever the view has come to rest. */
export function onSettled(then: () => void): void {
  settled.push(then);
}

/** The view, or what goes with it into the URL, has changed. */
export function noteView({ state }: Context): void {
  clearTimeout(timer);
  timer = setTimeout(() => {
    remember(state);
    for (const then of settled) then();
  }, PAUSE_MS);
}

/** Forgets every place but the present one: another trace was opened. */
export function startHistory({ state }: Context): void {
  clearTimeout(timer);
  places = [placeOf(state)];
  at = 0;
}

function remember(state: State): void {
  const place = placeOf(state);
  if (same(places[at], place)) return;
  places = [...places.slice(Math.max(0, at + 1 - MOST), at + 1), place];
  at = places.length - 1;
}

/** Back (-1) or forth (+1) through the views. */
export function travel(context: Context, step: 1 | -1): void {
  const { state, frame } = context;
  // A view that has not come to rest yet is a place too.
  remember(state);
  const place = places[at + step];
  if (!place) return;
  at += step;
  state.window = place.window;
  if (state.rows !== place.rows) {
    state.rows = place.rows;
    layOut(context);
  }
  state.scroll_y = Math.min(place.scroll_y, lowestScroll(state));
  state.hover = null;
  frame.invalidate(Changed.view | Changed.hover);
  clearTimeout(timer);
  for (const then of settled) then();
}
