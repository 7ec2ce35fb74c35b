// Mouse, pen and fingers on the timeline: which press becomes which gesture, and what a click does.
import { holds } from '../../base/geom';
import type { OpId } from '../../engine/protocol';
import { toggleFold } from '../../state/shown/devices';
import { attempt } from '../../state/failures';
import { OP_NOT_SHOWN, clearNearest, selectOp, setRange, showSnap } from '../../state/shown/select';
import { chooseNote, noteWithId } from '../../state/opened/notes';
import type { Note } from '../../state/types';
import { pathOf, segmentAt, segmentOf } from '../../state/shown/path';
import { goToNote } from '../../state/opened/go_to_note';
import { foldedAt } from '../../state/layout/sight';
import type { Context } from '../../state/state';
import { frameWindow, timeScale } from '../../state/shown/view';
import { dragStarts, type Held } from '../keys/bindings';
import { edgeGesture, panGesture, pinchGesture, rangeGesture, shiftGesture, type Gesture, type Point } from './gestures';
import { LONG_PRESS_MS } from '../shared/long_press';
import { dragging } from '../../state/shown/drag';
import { heldKeys } from '../keys/held_keys';
import { snapper } from './snap';
import { hoverer, opAt, TOUCH_SLACK, transferAt } from './pick';
import type { Drawn } from './drawn';
import { listenToWheel } from './wheel';

/** What moves less than this was a click; a finger is less steady than a mouse. */
const CLICK_PX = { mouse: 4, touch: 9 };
/** How near to an edge of the range a drag moves the edge. */
const EDGE_PX = { mouse: 5, touch: 14 };
/** Two taps this close in time and place are a double tap. */
const DOUBLE_TAP = { ms: 350, px: 30 };

/** Shows what can be done with an op, at a point of the window. */
export type MenuAt = (op: OpId, at: { x: number; y: number }) => void;

type Kind = keyof typeof CLICK_PX;
const kindOf = (event: PointerEvent): Kind => (event.pointerType === 'touch' ? 'touch' : 'mouse');

interface Press {
  on: HTMLCanvasElement;
  kind: Kind;
  held: Held;
  from: Point;
}

export function listenToPointer(
  context: Context,
  { lanes, axis, traffic, strip }: Record<'lanes' | 'axis' | 'traffic' | 'strip', HTMLCanvasElement>,
  scroller: HTMLElement,
  drawn: Drawn,
  menuAtOp: MenuAt,
): void {
  const { state } = context;
  const hover = hoverer(context, drawn);
  /** Where the buttons and fingers are that went down here, by the pointer's id. */
  const points = new Map<number, Point>();
  /** A press that may still become a click. */
  let press: Press | null = null;
  let gesture: Gesture | null = null;
  let resting: ReturnType<typeof setTimeout> | undefined;
  let last_tap = { ms: -Infinity, point: { x: 0, y: 0 } };
  let last_kind: Kind = 'mouse';
  let pointed: { on: HTMLCanvasElement; point: Point } | null = null;
  const keys = heldKeys(() => showCursor());

  const pointOf = (event: MouseEvent): Point => {
    const box = lanes.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top, free: event.altKey };
  };
  const snap = snapper(context, () => drawn.batch);
  /** What counts on the axis is x: above the lanes, y is less than 0. */
  const onPlate = (event: { on: HTMLCanvasElement; point: Point }): boolean => {
    const plate = drawn.range_plate;
    return event.on === axis && plate !== null && event.point.x >= plate.x && event.point.x < plate.x + plate.width;
  };

  /** The end of the range that stays when the edge at `x` is dragged; null where there is no edge. */
  const fixedEnd = (x: number, kind: Kind): number | null => {
    if (!state.range) return null;
    const scale = timeScale(state);
    const { start, end } = state.range;
    const [to_start, to_end] = [start, end].map((at) => Math.abs(scale.toPx(at) - x)) as [number, number];
    if (Math.min(to_start, to_end) > EDGE_PX[kind]) return null;
    return to_start < to_end ? end : start;
  };

  const gestureOf = ({ on, kind, held, from }: Press): Gesture | null => {
    const over_lanes = on === lanes;
    if (held === 'nothing' && state.range) {
      // Where the range is narrow its plate covers both edges, and is easier to hit.
      if (onPlate({ on, point: from })) return shiftGesture(context, state.range, from);
      const fixed = fixedEnd(from.x, kind);
      if (fixed !== null) return edgeGesture(context, fixed, snap);
    }
    const starts = dragStarts(over_lanes ? 'lanes' : 'axis', held);
    if (starts === 'range') return rangeGesture(context, from, over_lanes, snap);
    return starts === 'pan' ? panGesture(context, from, over_lanes) : null;
  };

  const begin = (made: Gesture | null) => {
    press = null;
    clearTimeout(resting);
    gesture = made;
    if (!made) return;
    hover.leave();
    dragging(context, () => {
      made.cancel();
      forget();
    });
    showCursor();
  };

  const forget = () => {
    press = null;
    gesture = null;
    showSnap(context, null);
    clearTimeout(resting);
    dragging(context, null);
    showCursor();
  };

  const heldOf = (event: PointerEvent): Held | null => {
    if (event.button === 1) return 'middle';
    if (event.button !== 0) return null;
    if (keys.space) return 'space';
    return event.shiftKey ? 'shift' : 'nothing';
  };

  const down = (event: PointerEvent) => {
    const on = event.currentTarget as HTMLCanvasElement;
    const held = heldOf(event);
    const kind = kindOf(event);
    if (held === null || (kind === 'mouse' && points.size > 0)) return;
    // Else the middle button would start the browser's own scrolling.
    if (held === 'middle') event.preventDefault();
    on.setPointerCapture(event.pointerId);
    last_kind = kind;
    const from = pointOf(event);
    points.set(event.pointerId, from);
    const [a, b] = points.values();
    if (a && b) {
      begin(points.size === 2 ? pinchGesture(context, a, b, on === lanes) : gesture);
      return;
    }
    press = { on, kind, held, from };
    if (kind !== 'touch') return;
    hover.x(from.x);
    resting = setTimeout(() => {
      if (press) begin(gestureOf({ ...press, held: 'long-press' }));
    }, LONG_PRESS_MS);
  };

  const move = (event: PointerEvent) => {
    const point = pointOf(event);
    const on = event.currentTarget as HTMLCanvasElement;
    pointed = { on, point };
    if (points.has(event.pointerId)) points.set(event.pointerId, point);
    if (press && Math.hypot(point.x - press.from.x, point.y - press.from.y) >= CLICK_PX[press.kind]) begin(gestureOf(press));
    const [first, second] = points.values();
    if (gesture && first) gesture.move(first, second);
    if (points.size < 2) hover.x(point.x);
    if (points.size === 0) {
      const free = fixedEnd(point.x, 'mouse') === null;
      if (on === lanes && free) hover.at(point);
      else if (on === traffic && free) hover.onWire(point);
      else if (on === strip && free) hover.onPath(point);
      else hover.leave();
      showCursor();
    }
  };

  const up = (event: PointerEvent) => {
    const on = event.currentTarget as HTMLCanvasElement;
    if (!points.delete(event.pointerId)) return;
    const clicked = press;
    // A finger that has rested, and not drawn a range.
    const rested = gesture?.hasMoved?.() === false && kindOf(event) === 'touch';
    const [left] = points.values();
    // Of two fingers one stays: it goes on moving the view.
    if (left && gesture) begin(panGesture(context, left, on === lanes));
    else if (!left) forget();
    if (clicked && clicked.held !== 'middle' && clicked.held !== 'space') click(event, clicked);
    if (rested && on === lanes) menuAt(pointOf(event), { x: event.clientX, y: event.clientY });
  };

  const cancelled = (event: PointerEvent) => {
    if (!points.delete(event.pointerId)) return;
    gesture?.cancel();
    forget();
  };

  const flagAt = ({ on, point }: { on: HTMLCanvasElement; point: Point }): Note | undefined => {
    const flag = drawn.flags.find(({ rect }) => on === axis && point.x >= rect.x - 1 && point.x < rect.x + rect.width + 1);
    return noteWithId(state, flag?.id ?? null);
  };

  const click = (event: PointerEvent, { on, kind, from }: Press) => {
    if (on === strip) {
      selectOnPath(from.x);
      return;
    }
    if (on !== lanes) {
      const note = flagAt({ on, point: from });
      if (note) {
        chooseNote(context, note);
        return;
      }
      if (!onPlate({ on, point: from }) && kind === 'mouse') setRange(context, null);
      return;
    }
    const again =
      event.timeStamp - last_tap.ms < DOUBLE_TAP.ms && Math.hypot(from.x - last_tap.point.x, from.y - last_tap.point.y) < DOUBLE_TAP.px;
    last_tap = kind === 'touch' && !again ? { ms: event.timeStamp, point: from } : { ...last_tap, ms: -Infinity };
    const stub = drawn.stubs.find(({ rect }) => holds(rect, from.x, from.y));
    const folded = foldedAt(state, from.y);
    if (stub) attempt(context, OP_NOT_SHOWN, selectOp(context, stub.leads_to, 'show'));
    else if (folded !== null) toggleFold(context, folded);
    else if (kind === 'touch' && again) frameAt(from, TOUCH_SLACK);
    else attempt(context, OP_NOT_SHOWN, selectAt(from, kind === 'touch' ? TOUCH_SLACK : undefined));
  };

  const selectOnPath = (x: number) => {
    const path = pathOf(state);
    const place = path && segmentAt(path, timeScale(state).toNs(x));
    if (path && place !== null) attempt(context, OP_NOT_SHOWN, selectOp(context, segmentOf(path, place).op, 'show'));
  };

  const frameAt = (point: Point, slack?: number) => {
    const found = transferAt(context, point, slack) ?? opAt(context, drawn, point, slack);
    const framed = found.then((op) => (op === null ? undefined : selectOp(context, op, 'frame')));
    attempt(context, OP_NOT_SHOWN, framed);
  };

  const selectAt = async (point: Point, slack?: number) => {
    const op = await (transferAt(context, point, slack) ?? opAt(context, drawn, point, slack));
    if (op !== null) await selectOp(context, op, 'stay');
    else clearNearest(context);
  };

  const menuAt = (point: Point, at: { x: number; y: number }) => {
    const found = transferAt(context, point, TOUCH_SLACK) ?? opAt(context, drawn, point, TOUCH_SLACK);
    const shown = found.then((op) => {
      if (op !== null) menuAtOp(op, at);
    });
    attempt(context, OP_NOT_SHOWN, shown);
  };

  const showCursor = () => {
    const over = pointed;
    if (!over) return;
    over.on.style.cursor = gesture?.cursor ?? cursorAt(over);
  };

  const cursorAt = ({ on, point }: { on: HTMLCanvasElement; point: Point }): string => {
    if (keys.space) return 'grab';
    if (keys.shift) return 'crosshair';
    if (onPlate({ on, point })) return 'grab';
    if (fixedEnd(point.x, 'mouse') !== null) return 'ew-resize';
    if (flagAt({ on, point })) return 'pointer';
    if (on === strip) return 'pointer';
    if (on !== lanes) return 'crosshair';
    const on_stub = drawn.stubs.some(({ rect }) => holds(rect, point.x, point.y));
    return on_stub || state.hover ? 'pointer' : 'default';
  };

  for (const target of [lanes, axis, traffic, strip]) {
    target.addEventListener('pointerdown', down);
    target.addEventListener('pointermove', move);
    target.addEventListener('pointerup', up);
    target.addEventListener('pointercancel', cancelled);
    target.addEventListener('pointerleave', () => {
      pointed = null;
      hover.leave();
      hover.x(null);
    });
    // A long press draws a range; it must not open a menu, too.
    target.addEventListener('contextmenu', (event) => {
      if (last_kind === 'touch') event.preventDefault();
    });
  }
  lanes.addEventListener('dblclick', (event) => {
    if (last_kind === 'mouse') frameAt(pointOf(event));
  });
  axis.addEventListener('dblclick', (event) => {
    const note = flagAt({ on: axis, point: pointOf(event) });
    if (note) goToNote(context, note);
    else if (state.range) frameWindow(context, state.range);
  });
  listenToWheel(context, [scroller, axis, traffic, strip], pointOf);
}
