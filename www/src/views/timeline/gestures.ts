// What a drag does while it lasts: move the view, zoom it between two fingers, draw a range or move one.
//
// What was grabbed stays under the hand, also when the view has reached its end and comes back; nothing goes on by
// itself once the hand lets go.
import { clamp } from '../../base/geom';
import { ns } from '../../base/time';
import type { Window } from '../../base/time_scale';
import { lanesTouched } from '../../state/layout/boxes';
import { clearSelection, restoreRange, setRange, showSnap } from '../../state/shown/select';
import type { Context } from '../../state/state';
import type { Snap } from '../../state/types';
import { holdAt, scrollTo, setWindow, timeScale } from '../../state/shown/view';

/** In CSS pixels from the upper left corner of what is dragged over. */
export interface Point {
  x: number;
  y: number;
  /** Whether edges of ops are not to catch it. */
  free?: boolean;
}

/** The edge of an op near a point; null where there is none, or the user wants none. */
export type Snapper = (point: Point) => Snap | null;

export interface Gesture {
  /** What the pointer looks like meanwhile, as CSS names it. */
  cursor: string;
  /** `points`: where the pointer, or the fingers, are now. */
  move: (first: Point, second?: Point) => void;
  /** Takes back all that it did. */
  cancel: () => void;
  /** Whether anything was done: a finger that only rested asks for a menu. */
  hasMoved?: () => boolean;
}

/** A range drawn at least as tall as this is about the lanes that it touches. */
const BOX_PX = 24;

function backToView(context: Context): () => void {
  const { window, scroll_y } = context.state;
  return () => {
    setWindow(context, window);
    scrollTo(context, scroll_y);
  };
}

function backToRange(context: Context): () => void {
  const { range, range_lanes, selection } = context.state;
  return () => restoreRange(context, { range, range_lanes, selection });
}

/** Moves the view in time and, with `scrolling`, up and down. */
export function panGesture(context: Context, from: Point, scrolling: boolean): Gesture {
  const { state } = context;
  const grabbed = timeScale(state).toNs(from.x);
  const top = from.y + state.scroll_y;
  return {
    cursor: 'grabbing',
    move({ x, y }) {
      holdAt(context, grabbed, x);
      if (scrolling) scrollTo(context, top - y);
    },
    cancel: backToView(context),
  };
}

/** Fingers as close as this count as one: a hair's breadth must not zoom by a hundred. */
const LEAST_SPREAD = 24;
const spread = (a: Point, b: Point): number => Math.max(Math.hypot(a.x - b.x, a.y - b.y), LEAST_SPREAD);
const middle = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });

/** Two fingers: their distance is the zoom, and the middle between them holds what it has grabbed. */
export function pinchGesture(context: Context, a: Point, b: Point, scrolling: boolean): Gesture {
  const { state } = context;
  const from = middle(a, b);
  const grabbed = timeScale(state).toNs(from.x);
  const top = from.y + state.scroll_y;
  const length = (state.window.end - state.window.start) * spread(a, b);
  return {
    cursor: 'grabbing',
    move(a, b) {
      if (!b) return;
      const now = middle(a, b);
      holdAt(context, grabbed, now.x, length / spread(a, b));
      if (scrolling) scrollTo(context, top - now.y);
    },
    cancel: backToView(context),
  };
}

/** A hand that shakes draws no range. */
const LEAST_RANGE_PX = 3;

/** Draws a new range; a tall one, over lanes, is about these lanes only. */
export function rangeGesture(context: Context, from: Point, boxing: boolean, snap: Snapper): Gesture {
  const { state } = context;
  const cancel = backToRange(context);
  const grabbed = timeScale(state).toNs(from.x);
  let drawn = false;
  return {
    cursor: 'crosshair',
    move(to) {
      const { x, y } = to;
      drawn ||= Math.abs(x - from.x) >= LEAST_RANGE_PX;
      if (!drawn) return;
      clearSelection(context);
      const boxed = boxing && Math.abs(y - from.y) > BOX_PX;
      const lanes = boxed ? lanesTouched(state, Math.min(y, from.y), Math.max(y, from.y)) : null;
      const anchor = snap({ ...from, free: to.free })?.at ?? grabbed;
      setRange(context, between(anchor, snapped(context, snap, to, anchor)), lanes?.length === 0 ? null : lanes);
    },
    cancel,
    hasMoved: () => drawn,
  };
}

/** The time at a point, or of the edge that catches it; `other` is where the other end is. */
function snapped(context: Context, snap: Snapper, point: Point, other: number): number {
  const found = snap(point);
  // Both ends at the same edge would be no range.
  const taken = found?.at === other ? null : found;
  showSnap(context, taken);
  return taken?.at ?? timeAt(context, point.x);
}

/** Moves one edge of the range; the other one, at `fixed`, stays. */
export function edgeGesture(context: Context, fixed: number, snap: Snapper): Gesture {
  const cancel = backToRange(context);
  const { range_lanes } = context.state;
  return {
    cursor: 'ew-resize',
    move: (to) => setRange(context, between(fixed, snapped(context, snap, to, fixed)), range_lanes),
    cancel,
  };
}

/** Moves the whole range, as far as the step goes. */
export function shiftGesture(context: Context, range: Window, from: Point): Gesture {
  const { state } = context;
  const cancel = backToRange(context);
  const grabbed = timeScale(state).toNs(from.x) - range.start;
  const length = range.end - range.start;
  const { range_lanes } = state;
  return {
    cursor: 'grabbing',
    move({ x }) {
      const last = (state.trace?.summary.span_ns ?? 0) - length;
      const start = clamp(timeScale(state).toNs(x) - grabbed, 0, last);
      setRange(context, { start: ns(start), end: ns(start + length) }, range_lanes);
    },
    cancel,
  };
}

const timeAt = ({ state }: Context, x: number): number => timeScale(state).toNs(clamp(x, 0, state.viewport.width));

const between = (a: number, b: number): Window => ({ start: ns(Math.min(a, b)), end: ns(Math.max(a, b)) });
