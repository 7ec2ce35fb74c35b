// Moving through the trace: the window of time, the scroll position, folds and lane heights.
import { clamp } from '../base/geom';
import { ns } from '../base/time';
import { contains, moved, TimeScale, zoomed, type Window } from '../base/time_scale';
import type { DeviceId, LaneId } from '../engine/protocol';
import { Changed } from './frame';
import { noteView } from './history';
import { bandOfLane, laneBox, layoutOf, PITCHES, TASK_HEADER, type LaneSize } from './layout';
import { bounds, wholeStep, type Context, type State } from './state';

export const timeScale = (state: State): TimeScale => new TimeScale(state.window, state.viewport.width);

export function setWindow(context: Context, window: Window): void {
  const { state, frame } = context;
  if (window.start === state.window.start && window.end === state.window.end) return;
  state.window = window;
  state.hover = null;
  frame.invalidate(Changed.view | Changed.hover);
  noteView(context);
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

export function fitAll(context: Context): void {
  setWindow(context, wholeStep(context.state));
}

/** Shows [start, end) with a margin; if it is shown so already, goes back to the whole step. */
export function frameWindow(context: Context, target: Window): void {
  const { state } = context;
  const air = Math.max((target.end - target.start) * 0.1, 10);
  const wanted = { start: ns(target.start - air), end: ns(target.end + air) };
  const close = (a: number, b: number) => Math.abs(a - b) < (wanted.end - wanted.start) * 1e-6;
  const shown = close(state.window.start, wanted.start) && close(state.window.end, wanted.end);
  setWindow(context, shown ? wholeStep(state) : wanted);
}

/** Moves as little as needed so that [start, end) can be seen, and zooms in where it would be a speck. */
export function showWindow(context: Context, target: Window): void {
  const { state } = context;
  const length = target.end - target.start;
  const scale = timeScale(state);
  if (length > state.window.end - state.window.start || length * scale.density < 3) {
    const room = Math.max(length * 12, 100);
    const middle = (target.start + target.end) / 2;
    const start = length > 0 || !contains(state.window, target) ? middle - room / 2 : state.window.start;
    if (contains(state.window, target) && length * scale.density >= 1) return;
    setWindow(context, moved({ start: ns(start), end: ns(start + room) }, 0, bounds(state)));
    return;
  }
  if (contains(state.window, target)) return;
  const middle = (target.start + target.end) / 2;
  panBy(context, middle - (state.window.start + state.window.end) / 2);
}

export function scrollTo(context: Context, y: number): void {
  const { state, frame } = context;
  const top = clamp(y, 0, Math.max(0, state.layout.height - state.viewport.height));
  if (top === state.scroll_y) return;
  state.scroll_y = top;
  state.hover = null;
  frame.invalidate(Changed.view | Changed.hover);
  noteView(context);
}

/** Scrolls, and unfolds, so that `lane` is in sight. */
export function showLane(context: Context, lane: LaneId): void {
  const { state } = context;
  const folded = bandOfLane(state.layout, lane);
  if (!folded) return;
  if (folded.folded) toggleFold(context, folded.device);
  const band = bandOfLane(state.layout, lane);
  if (!band) return;
  const box = laneBox(band, lane);
  const top = state.scroll_y + TASK_HEADER;
  const bottom = state.scroll_y + state.viewport.height - 2 * TASK_HEADER;
  if (box.y < top || box.y + box.height > bottom) scrollTo(context, box.y - (state.viewport.height - TASK_HEADER) / 2);
}

export function layOut(context: Context): void {
  const { state, frame } = context;
  if (!state.trace) return;
  const { folded, tall, lane_size: size } = state;
  const { summary } = state.trace;
  state.layout = layoutOf(summary.devices, { folded, tall, size, viewport_height: state.viewport.height });
  state.scroll_y = clamp(state.scroll_y, 0, Math.max(0, state.layout.height - state.viewport.height));
  frame.invalidate(Changed.layout | Changed.view);
}

export function setViewport(context: Context, width: number, height: number): void {
  const { viewport } = context.state;
  if (viewport.width === width && viewport.height === height) return;
  context.state.viewport = { width, height };
  layOut(context);
}

/** Changes the layout and keeps the device at the top of the screen where it is. */
function layOutInPlace(context: Context, change: () => void): void {
  const { state } = context;
  const anchor = state.layout.bands.find((band) => band.y + band.height > state.scroll_y + TASK_HEADER);
  const offset = anchor ? state.scroll_y - anchor.y : 0;
  change();
  layOut(context);
  const moved_to = anchor ? state.layout.bands[anchor.device] : undefined;
  if (moved_to && state.scroll_y > 0)
    scrollTo(context, Math.min(moved_to.y + offset, moved_to.y + moved_to.height - TASK_HEADER));
  noteView(context);
}

const toggle = <T>(set: Set<T>, member: T): void => {
  if (!set.delete(member)) set.add(member);
};

export function toggleFold(context: Context, device: DeviceId): void {
  layOutInPlace(context, () => toggle(context.state.folded, device));
}

export function toggleTall(context: Context, device: DeviceId): void {
  layOutInPlace(context, () => {
    context.state.folded.delete(device);
    toggle(context.state.tall, device);
  });
}

/** Folds `devices`; if they are folded already, unfolds them. */
export function foldTogether(context: Context, devices: readonly DeviceId[]): void {
  const { folded } = context.state;
  layOutInPlace(context, () => {
    const all = devices.every((device) => folded.has(device));
    for (const device of devices)
      if (all) folded.delete(device);
      else folded.add(device);
  });
}

export function setLaneSize(context: Context, size: LaneSize): void {
  layOutInPlace(context, () => {
    context.state.lane_size = size;
  });
}

/** One size up (+1) or down (-1) from the lanes as they are now. */
export function stepLaneSize(context: Context, step: 1 | -1): void {
  setLaneSize(context, clamp(context.state.layout.size - step, 0, PITCHES.length - 1));
}
