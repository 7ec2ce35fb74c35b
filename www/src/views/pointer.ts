// Mouse, pen, touch and wheel on the timeline.
//
// Drag selects a range, Shift+drag and middle drag move the view, one finger moves and two zoom; a click selects.
import { clamp, holds } from '../base/geom';
import { ns } from '../base/time';
import type { OpDetails } from '../engine/protocol';
import { NONE } from '../engine/protocol';
import { markAt } from '../draw/hit';
import { Changed } from '../state/frame';
import { latest } from '../state/latest';
import { foldedAt, laneAt } from '../state/sight';
import { scaleOf } from '../state/marks';
import { clearSelection, selectOp, setRange } from '../state/select';
import type { Context } from '../state/state';
import { stepLaneSize, toggleFold } from '../state/devices';
import { panByPx, scrollTo, timeScale, zoomAt } from '../state/view';
import type { Drawn } from './timeline';

/** What moves less than this was a click. */
const CLICK_SLACK = 4;
/** How far beside a mark the pointer still means it. */
const HIT_SLACK = 4;
/** How near to the edge of the range a drag moves the edge. */
const EDGE_SLACK = 5;

interface Point {
  x: number;
  y: number;
}

type Drag =
  | { kind: 'range'; anchor_ns: number; from: Point; moved: boolean; edge: boolean }
  | { kind: 'pan'; last: Point; moved: boolean }
  | { kind: 'pinch'; points: Map<number, Point> };

export function listenToPointer(
  context: Context,
  lanes: HTMLCanvasElement,
  axis: HTMLCanvasElement,
  scroller: HTMLElement,
  drawn: Drawn,
): void {
  const { state } = context;
  let drag: Drag | null = null;
  const touches = new Map<number, Point>();
  const hover = hoverer(context, drawn);

  const pointOf = (event: MouseEvent): Point => {
    const box = lanes.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };

  const edgeAt = (x: number): 'start' | 'end' | null => {
    if (!state.range) return null;
    const scale = timeScale(state);
    if (Math.abs(scale.toPx(state.range.start) - x) <= EDGE_SLACK) return 'start';
    if (Math.abs(scale.toPx(state.range.end) - x) <= EDGE_SLACK) return 'end';
    return null;
  };

  const begin = (event: PointerEvent): Drag | null => {
    const point = pointOf(event);
    if (event.pointerType === 'touch') return { kind: 'pan', last: point, moved: false };
    if (event.button === 1 || (event.button === 0 && event.shiftKey)) return { kind: 'pan', last: point, moved: false };
    if (event.button !== 0) return null;
    const edge = edgeAt(point.x);
    const at = timeScale(state).toNs(point.x);
    const anchor_ns = edge === 'start' ? (state.range?.end ?? at) : edge === 'end' ? (state.range?.start ?? at) : at;
    return { kind: 'range', anchor_ns, from: point, moved: false, edge: edge !== null };
  };

  const down = (event: PointerEvent) => {
    const target = event.currentTarget as HTMLElement;
    target.setPointerCapture(event.pointerId);
    if (event.button === 1) event.preventDefault();
    if (event.pointerType === 'touch') {
      touches.set(event.pointerId, pointOf(event));
      if (touches.size === 2) {
        drag = { kind: 'pinch', points: new Map(touches) };
        return;
      }
    }
    drag = begin(event);
    if (drag?.kind === 'pan') target.classList.add('grabbing');
  };

  const move = (event: PointerEvent) => {
    const point = pointOf(event);
    if (drag?.kind === 'pinch') {
      pinch(drag, event.pointerId, point);
      return;
    }
    if (touches.has(event.pointerId)) touches.set(event.pointerId, point);
    if (drag?.kind === 'pan') {
      const dx = point.x - drag.last.x;
      const dy = point.y - drag.last.y;
      if (!drag.moved && Math.hypot(dx, dy) < CLICK_SLACK) return;
      drag.moved = true;
      panByPx(context, -dx);
      if (event.currentTarget === lanes) scrollTo(context, state.scroll_y - dy);
      drag.last = point;
      return;
    }
    if (drag?.kind === 'range') {
      if (!drag.moved && Math.abs(point.x - drag.from.x) < CLICK_SLACK) return;
      if (!drag.moved && !drag.edge) clearSelection(context);
      drag.moved = true;
      const at = timeScale(state).toNs(clamp(point.x, 0, state.viewport.width));
      setRange(context, { start: ns(Math.min(drag.anchor_ns, at)), end: ns(Math.max(drag.anchor_ns, at)) });
      hover.x(point.x);
      return;
    }
    const on_edge = edgeAt(point.x) !== null;
    const on_stub = event.currentTarget === lanes && drawn.stubs.some(({ rect }) => holds(rect, point.x, point.y));
    const found = event.currentTarget === lanes && !on_edge ? hover.at(point) : (hover.leave(), false);
    hover.x(point.x);
    lanes.style.cursor = on_stub || found ? 'pointer' : on_edge ? 'ew-resize' : 'default';
    axis.style.cursor = on_edge ? 'ew-resize' : 'default';
  };

  const pinch = (now: { points: Map<number, Point> }, id: number, point: Point) => {
    const before = [...now.points.values()];
    now.points.set(id, point);
    const after = [...now.points.values()];
    const [a, b] = before;
    const [c, d] = after;
    if (!a || !b || !c || !d) return;
    const middle = (a.x + b.x) / 2;
    const moved_to = (c.x + d.x) / 2;
    // Fingers one above the other zoom nothing: their distance in time is too small to tell.
    const factor = Math.max(Math.abs(a.x - b.x), 20) / Math.max(Math.abs(c.x - d.x), 20);
    zoomAt(context, timeScale(state).toNs(middle), factor);
    panByPx(context, middle - moved_to);
  };

  const up = (event: PointerEvent) => {
    touches.delete(event.pointerId);
    const ended = drag;
    drag = null;
    (event.currentTarget as HTMLElement).classList.remove('grabbing');
    if (ended?.kind === 'pinch' || !ended || ended.moved || event.type === 'pointercancel') return;
    if (ended.kind === 'pan' && event.button === 1) return;
    if (event.currentTarget === lanes) click(pointOf(event));
    else setRange(context, null);
  };

  const click = (point: Point) => {
    const stub = drawn.stubs.find(({ rect }) => holds(rect, point.x, point.y));
    if (stub) {
      void selectOp(context, stub.leads_to, 'show');
      return;
    }
    const folded = foldedAt(state, point.y);
    if (folded !== null) {
      toggleFold(context, folded);
      return;
    }
    void opAt(context, drawn, point).then((op) => {
      if (op !== null) void selectOp(context, op, 'stay');
      else {
        clearSelection(context);
        setRange(context, null);
      }
    });
  };

  const wheel = (event: WheelEvent) => {
    event.preventDefault();
    const unit =
      event.deltaMode === WheelEvent.DOM_DELTA_LINE
        ? 18
        : event.deltaMode === WheelEvent.DOM_DELTA_PAGE
          ? state.viewport.height
          : 1;
    const dx = event.deltaX * unit;
    const dy = event.deltaY * unit;
    if (event.ctrlKey || event.metaKey) {
      // A pinch on a trackpad arrives as Ctrl+wheel with small steps, a wheel with steps of about 100.
      zoomAt(
        context,
        timeScale(state).toNs(clamp(pointOf(event).x, 0, state.viewport.width)),
        Math.exp(clamp(dy, -120, 120) * (Math.abs(dy) < 20 ? 0.012 : 0.0028)),
      );
    } else if (event.altKey) stepLaneSize(context, dy < 0 ? 1 : -1);
    else if (event.shiftKey) panByPx(context, dx || dy);
    else if (Math.abs(dx) > Math.abs(dy)) panByPx(context, dx);
    else scrollTo(context, state.scroll_y + dy);
  };

  for (const target of [lanes, axis]) {
    target.addEventListener('pointerdown', down);
    target.addEventListener('pointermove', move);
    target.addEventListener('pointerup', up);
    target.addEventListener('pointercancel', up);
    target.addEventListener('pointerleave', () => {
      hover.leave();
      hover.x(null);
    });
  }
  // The wheel means the same over the rows' heads as over the lanes.
  for (const target of [scroller, axis]) target.addEventListener('wheel', wheel, { passive: false });
  lanes.addEventListener('dblclick', (event) => {
    void opAt(context, drawn, pointOf(event)).then((op) => (op === null ? undefined : selectOp(context, op, 'frame')));
  });
  // Middle click would start the browser's own scrolling.
  lanes.addEventListener('mousedown', (event) => {
    if (event.button === 1) event.preventDefault();
  });
}

/** The index of the mark under a point, looked up in what is drawn. */
function markUnder({ state }: Context, drawn: Drawn, point: Point): number | null {
  const lane = laneAt(state, point.y);
  if (lane === null || !drawn.batch) return null;
  const scale = scaleOf(drawn.batch.marks.query);
  const x = scale.toPx(timeScale(state).toNs(point.x));
  // The slack is meant in pixels of the screen, whatever the scale of the marks at hand.
  return markAt(drawn.batch, lane, x, (HIT_SLACK / timeScale(state).density) * scale.density);
}

async function opAt(context: Context, drawn: Drawn, point: Point): Promise<number | null> {
  const index = markUnder(context, drawn, point);
  if (index === null || !drawn.batch) return null;
  const { op, count } = drawn.batch.marks;
  const longest = op[index] ?? NONE;
  if (count[index] === 1) return longest;
  // A mark of many: the one at the pointer, if the pointer is that exact, else the longest of them.
  const lane = laneAt(context.state, point.y) ?? 0;
  const scale = timeScale(context.state);
  return (await context.engine.opAt(lane, ns(Math.round(scale.toNs(point.x))), scale.lengthOf(0.5))) ?? longest;
}

/** Keeps the op under the pointer in the state; its details come when they come. */
function hoverer(context: Context, drawn: Drawn) {
  const { state, frame, engine } = context;
  const request = latest(
    (op: number) => engine.op(op),
    (details: OpDetails) => {
      if (state.hover?.op !== details.op) return;
      state.hover.details = details;
      frame.invalidate(Changed.hover);
    },
  );
  const leave = () => {
    if (!state.hover) return;
    state.hover = null;
    frame.invalidate(Changed.hover);
  };
  return {
    at(point: Point): boolean {
      const index = markUnder(context, drawn, point);
      const marks = drawn.batch?.marks;
      const op = index === null ? undefined : marks?.op[index];
      if (op === undefined || index === null) {
        leave();
        return false;
      }
      const details = state.hover?.op === op ? state.hover.details : null;
      if (state.hover?.op !== op) request(op);
      state.hover = { op, count: marks?.count[index] ?? 1, x: point.x, y: point.y, details };
      frame.invalidate(Changed.hover);
      return true;
    },
    leave,
    x(x: number | null) {
      if (state.hover_x === x) return;
      state.hover_x = x;
      frame.invalidate(Changed.hover);
    },
  };
}
