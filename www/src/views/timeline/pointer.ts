// Mouse, pen and fingers on the timeline: which press becomes which gesture. `clicks.ts` has what a click does.
import { showSnap } from '../../state/shown/select';
import { dragging } from '../../state/shown/drag';
import { dragStarts, type Held } from '../keys/bindings';
import { heldKeys } from '../keys/held_keys';
import { LONG_PRESS_MS } from '../shared/long_press';
import { click, frameAt, frameOnAxis, menuUnder, NO_TAP, type MenuAt, type Tap } from './clicks';
import { edgeGesture, panGesture, pinchGesture, rangeGesture, shiftGesture, type Gesture, type Point, type Snapper } from './gestures';
import { hoverer, type Hoverer } from './pick';
import { snapper } from './snap';
import { canvasOf, cursorAt, fixedEnd, kindOf, onPlate, pointOf, type Kind, type Pointed, type Surface } from './surface';
import { listenToWheel } from './wheel';

/** What moves less than this was a click; a finger is less steady than a mouse. */
const CLICK_PX = { mouse: 4, touch: 9 };

interface Press extends Pointed {
  kind: Kind;
  held: Held;
}

/** The pointer on a surface: what it is over, and what it has begun. */
interface Pointer {
  surface: Surface;
  hover: Hoverer;
  snap: Snapper;
  menuAtOp: MenuAt;
  keys: { readonly space: boolean; readonly shift: boolean };
  /** Where the buttons and fingers are that went down here, by the pointer's id. */
  points: Map<number, Point>;
  /** A press that may still become a click. */
  press: Press | null;
  gesture: Gesture | null;
  resting: ReturnType<typeof setTimeout> | undefined;
  last_tap: Tap;
  last_kind: Kind;
  pointed: Pointed | null;
}

export function listenToPointer(surface: Surface, scroller: HTMLElement, menuAtOp: MenuAt): void {
  const { context, drawn } = surface;
  const { lanes, axis, traffic, strip } = surface.canvases;
  const pointer: Pointer = {
    surface,
    hover: hoverer(context, drawn),
    snap: snapper(context, () => drawn.batch),
    menuAtOp,
    keys: heldKeys(() => showCursor(pointer)),
    points: new Map(),
    press: null,
    gesture: null,
    resting: undefined,
    last_tap: NO_TAP,
    last_kind: 'mouse',
    pointed: null,
  };
  for (const target of [lanes, axis, traffic, strip]) listenOn(target, pointer);
  lanes.addEventListener('dblclick', (event) => {
    if (pointer.last_kind === 'mouse') frameAt(surface, pointOf(surface, event));
  });
  axis.addEventListener('dblclick', (event) => frameOnAxis(surface, pointOf(surface, event)));
  listenToWheel(context, [scroller, axis, traffic, strip], (event) => pointOf(surface, event));
}

function listenOn(target: HTMLCanvasElement, pointer: Pointer): void {
  target.addEventListener('pointerdown', (event) => down(pointer, event));
  target.addEventListener('pointermove', (event) => move(pointer, event));
  target.addEventListener('pointerup', (event) => up(pointer, event));
  target.addEventListener('pointercancel', (event) => cancelled(pointer, event));
  target.addEventListener('pointerleave', () => {
    pointer.pointed = null;
    pointer.hover.leave();
    pointer.hover.x(null);
  });
  // A long press draws a range; it must not open a menu, too.
  target.addEventListener('contextmenu', (event) => {
    if (pointer.last_kind === 'touch') event.preventDefault();
  });
}

function heldOf({ keys }: Pointer, event: PointerEvent): Held | null {
  if (event.button === 1) return 'middle';
  if (event.button !== 0) return null;
  if (keys.space) return 'space';
  return event.shiftKey ? 'shift' : 'nothing';
}

function down(pointer: Pointer, event: PointerEvent): void {
  const { surface, hover, points } = pointer;
  const on = canvasOf(event);
  const held = heldOf(pointer, event);
  const kind = kindOf(event);
  if (held === null || (kind === 'mouse' && points.size > 0)) return;
  // Else the middle button would start the browser's own scrolling.
  if (held === 'middle') event.preventDefault();
  on.setPointerCapture(event.pointerId);
  pointer.last_kind = kind;
  const point = pointOf(surface, event);
  points.set(event.pointerId, point);
  const [a, b] = points.values();
  if (a && b) {
    begin(pointer, points.size === 2 ? pinchGesture(surface.context, a, b, on === surface.canvases.lanes) : pointer.gesture);
    return;
  }
  pointer.press = { on, kind, held, point };
  if (kind !== 'touch') return;
  hover.x(point.x);
  pointer.resting = setTimeout(() => {
    if (pointer.press) begin(pointer, gestureOf(pointer, { ...pointer.press, held: 'long-press' }));
  }, LONG_PRESS_MS);
}

function move(pointer: Pointer, event: PointerEvent): void {
  const { surface, hover, points } = pointer;
  const point = pointOf(surface, event);
  pointer.pointed = { on: canvasOf(event), point };
  if (points.has(event.pointerId)) points.set(event.pointerId, point);
  const { press } = pointer;
  if (press && Math.hypot(point.x - press.point.x, point.y - press.point.y) >= CLICK_PX[press.kind])
    begin(pointer, gestureOf(pointer, press));
  const [first, second] = points.values();
  if (pointer.gesture && first) pointer.gesture.move(first, second);
  if (points.size < 2) hover.x(point.x);
  if (points.size === 0) hoverOver(pointer, pointer.pointed);
}

/** Nothing is pressed: says what is there. */
function hoverOver(pointer: Pointer, { on, point }: Pointed): void {
  const { surface, hover } = pointer;
  const { lanes, traffic, strip } = surface.canvases;
  const free = fixedEnd(surface, point.x, 'mouse') === null;
  if (on === lanes && free) hover.at(point);
  else if (on === traffic && free) hover.onWire(point);
  else if (on === strip && free) hover.onPath(point);
  else hover.leave();
  showCursor(pointer);
}

function up(pointer: Pointer, event: PointerEvent): void {
  const { surface, points, press: clicked, gesture } = pointer;
  const over_lanes = canvasOf(event) === surface.canvases.lanes;
  if (!points.delete(event.pointerId)) return;
  // A finger that has rested, and not drawn a range.
  const rested = gesture?.hasMoved?.() === false && kindOf(event) === 'touch';
  const [left] = points.values();
  // Of two fingers one stays: it goes on moving the view.
  if (left && gesture) begin(pointer, panGesture(surface.context, left, over_lanes));
  else if (!left) forget(pointer);
  if (clicked && clicked.held !== 'middle' && clicked.held !== 'space')
    pointer.last_tap = click(surface, clicked, event.timeStamp, pointer.last_tap);
  if (rested && over_lanes) menuUnder(surface, pointOf(surface, event), { x: event.clientX, y: event.clientY }, pointer.menuAtOp);
}

function cancelled(pointer: Pointer, event: PointerEvent): void {
  if (!pointer.points.delete(event.pointerId)) return;
  pointer.gesture?.cancel();
  forget(pointer);
}

/** What a press becomes when it is dragged. */
function gestureOf({ surface, snap }: Pointer, { on, kind, held, point }: Press): Gesture | null {
  const { context, canvases } = surface;
  const over_lanes = on === canvases.lanes;
  if (held === 'nothing' && context.state.range) {
    // Where the range is narrow its plate covers both edges, and is easier to hit.
    if (onPlate(surface, { on, point })) return shiftGesture(context, context.state.range, point);
    const fixed = fixedEnd(surface, point.x, kind);
    if (fixed !== null) return edgeGesture(context, fixed, snap);
  }
  const starts = dragStarts(over_lanes ? 'lanes' : 'axis', held, kind === 'touch' ? 'steplens' : context.state.gestures);
  if (starts === 'range') return rangeGesture(context, point, over_lanes, snap);
  return starts === 'pan' ? panGesture(context, point, over_lanes) : null;
}

function begin(pointer: Pointer, made: Gesture | null): void {
  pointer.press = null;
  clearTimeout(pointer.resting);
  pointer.gesture = made;
  if (!made) return;
  pointer.hover.leave();
  dragging(pointer.surface.context, () => {
    made.cancel();
    forget(pointer);
  });
  showCursor(pointer);
}

function forget(pointer: Pointer): void {
  const { context } = pointer.surface;
  pointer.press = null;
  pointer.gesture = null;
  showSnap(context, null);
  clearTimeout(pointer.resting);
  dragging(context, null);
  showCursor(pointer);
}

function showCursor({ surface, gesture, keys, pointed }: Pointer): void {
  if (pointed) pointed.on.style.cursor = gesture?.cursor ?? cursorAt(surface, keys, pointed);
}
