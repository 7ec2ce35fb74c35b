// Moving through the trace: the window of time, and the scroll position.
import { clamp } from '../../base/geom';
import { ns } from '../../base/time';
import { contains, lengthOf, moved, TimeScale, windowHolding, zoomed, type Window } from '../../base/time_scale';
import type { LaneId } from '../../engine/protocol';
import { Changed } from '../frame';
import { drawnWindow, glideFrom } from './glide';
import { leavePlace, noteView } from './history';
import { layOut, lowestScroll } from './lay_out';
import { TASK_HEADER } from '../layout/layout';
import { filterOf, revealed } from '../layout/rows';
import { leaderOf, membersOf } from '../layout/units';
import { deviceOfLane, laneBox } from '../layout/sight';
import type { Context, State } from '../state';
import { bounds, wholeStep } from '../scope';

/** Of what is drawn. */
export const timeScale = (state: State): TimeScale => new TimeScale(drawnWindow(state), state.viewport.width);

export function setWindow(context: Context, window: Window): void {
  const { state, frame } = context;
  if (window.start === state.window.start && window.end === state.window.end) return;
  state.window = window;
  state.gliding = null;
  state.hover = null;
  frame.invalidate(Changed.view, Changed.hover);
  noteView(context);
}

/** The same, in a short motion. */
function glideTo(context: Context, window: Window): void {
  const from = drawnWindow(context.state);
  setWindow(context, window);
  glideFrom(context, from);
}

export function zoomAt(context: Context, at: number, factor: number): void {
  setWindow(context, zoomed(context.state.window, at, factor, bounds(context.state)));
}

export function panBy(context: Context, length: number): void {
  setWindow(context, moved(context.state.window, length, bounds(context.state)));
}

export function panByPx(context: Context, px: number): void {
  panBy(context, timeScale(context.state).lengthOf(px));
}

/** Puts the time `at` to `x` on the screen: what a hand has grabbed stays under it. */
export function holdAt(context: Context, at: number, x: number, length: number = lengthOf(context.state.window)): void {
  const { state } = context;
  setWindow(context, windowHolding(at, x / Math.max(state.viewport.width, 1), length, bounds(state)));
}

export function fitAll(context: Context): void {
  leavePlace(context);
  glideTo(context, wholeStep(context.state));
}

/** Shows [start, end) with a margin; if it is shown so already, goes back to the whole step. */
export function frameWindow(context: Context, target: Window): void {
  const { state } = context;
  const air = Math.max((target.end - target.start) * 0.1, 10);
  const wanted = { start: ns(target.start - air), end: ns(target.end + air) };
  const close = (a: number, b: number) => Math.abs(a - b) < (wanted.end - wanted.start) * 1e-6;
  leavePlace(context);
  const shown = close(state.window.start, wanted.start) && close(state.window.end, wanted.end);
  glideTo(context, shown ? wholeStep(state) : wanted);
}

/** An op narrower than this is a speck. */
const SPECK_PX = 3;

/** Moves as little as needed so that [start, end) can be seen, and zooms in where it would have fewer than `least_px`; what is in view stays at a third of that. */
export function showWindow(context: Context, target: Window, least_px = SPECK_PX): void {
  const { state } = context;
  const length = target.end - target.start;
  const scale = new TimeScale(state.window, state.viewport.width);
  if (length > state.window.end - state.window.start || length * scale.density < least_px) {
    const room = Math.max(length * 12, 100);
    const middle = (target.start + target.end) / 2;
    const start = length > 0 || !contains(state.window, target) ? middle - room / 2 : state.window.start;
    if (contains(state.window, target) && length * scale.density >= least_px / 3) return;
    glideTo(context, moved({ start: ns(start), end: ns(start + room) }, 0, bounds(state)));
    return;
  }
  if (contains(state.window, target)) return;
  const middle = (target.start + target.end) / 2;
  const by = middle - (state.window.start + state.window.end) / 2;
  glideTo(context, moved(state.window, by, bounds(state)));
}

export function scrollTo(context: Context, y: number): void {
  const { state, frame } = context;
  const top = clamp(y, 0, lowestScroll(state));
  if (top === state.scroll_y) return;
  state.scroll_y = top;
  state.hover = null;
  frame.invalidate(Changed.view, Changed.hover);
  noteView(context);
}

/** Scrolls, unfolds, and brings back a device that is hidden or filtered away, so that `lane` is visible. */
export function showLane(context: Context, lane: LaneId): void {
  const { state } = context;
  const { summary } = state.trace ?? {};
  const device = deviceOfLane(state.layout, lane);
  const devices = summary?.devices ?? [];
  const leader = leaderOf(devices, device);
  const names = membersOf(devices, leader).map((member) => devices[member]?.name ?? '');
  const rows = revealed(state.rows, leader, names.find(filterOf(state.rows.filter)) ?? names[0] ?? '');
  if (rows !== state.rows) {
    state.rows = rows;
    layOut(context);
    noteView(context);
  }
  const box = laneBox(state, lane);
  if (!box || state.layout.by_device[device]?.pinned) return;
  const top = state.layout.pinned_height + TASK_HEADER;
  const bottom = state.viewport.height - TASK_HEADER;
  if (box.y < top || box.y + box.height > bottom) scrollTo(context, state.scroll_y + box.y - (top + bottom) / 2);
}

export function setViewport(context: Context, width: number, height: number): void {
  const { viewport } = context.state;
  if (viewport.width === width && viewport.height === height) return;
  context.state.viewport = { width, height };
  layOut(context);
}
