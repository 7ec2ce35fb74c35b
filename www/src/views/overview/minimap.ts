// The minimap: the whole step in one strip, with what is in transit as a line; drag the window on it, or its edges, or draw a new one; or use the
// keyboard. Next to it all steps, where there are several.
import { say } from '../../base/messages';
import { el, setText } from '../../base/dom';
import { clamp } from '../../base/geom';
import { formatDuration, formatEnds, ns } from '../../base/time';
import { MIN_WINDOW_NS, moved, TimeScale, type Window } from '../../base/time_scale';
import { drawMinimap, drawMinimapNotes, drawMinimapRange, drawMinimapWindow, HANDLE } from '../../draw/minimap';
import { drawInFlight } from '../../draw/traffic';
import { drawnWindow } from '../../state/shown/glide';
import { Changed } from '../../state/frame';
import type { Context } from '../../state/state';
import { bounds, inView, wholeStep } from '../../state/scope';
import { leavePlace } from '../../state/shown/history';
import type { Minimap, Traffic } from '../../engine/protocol';
import { columnsOfStep, minimapRequester } from '../../state/shown/minimap';
import { wholeTrafficRequester } from '../../state/shown/traffic';
import { fitAll, setWindow, zoomAt } from '../../state/shown/view';
import { surface } from '../shared/canvas';
import { filmstrip } from './filmstrip';
import type { Gesture, Point } from '../timeline/gestures';
import { dragging } from '../../state/shown/drag';
import { paletteOf } from '../../state/ui/theme';
import { zoomFactor } from '../timeline/wheel';

const HEIGHT = 23;
const CLICK_PX = 3;
/** How near to an edge a finger takes it. */
const TOUCH_HANDLE = 16;
/** Of the window, for one press of an arrow key; and how much closer one is. */
const NUDGE = 0.1;
const ZOOM = 1.25;

export function minimap(context: Context): HTMLElement {
  const { state, frame } = context;
  const map = surface({
    class: 'minimap',
    tabindex: 0,
    role: 'slider',
    'aria-label': say('minimap-label'),
    title: say('minimap-title'),
  });
  // The picture of the step is kept; a frame that only moves the window, or has new marks, copies it.
  const picture = surface({});
  let stale = true;
  /** The shares, and what is in transit, that the picture shows. */
  let pictured: [Minimap | null, Traffic | null] = [null, null];
  const seen = el('span', { class: 'scope-name' }, say('view-title'));
  const length = el('span', { class: 'scope-length' });
  const request = minimapRequester(context);
  const requestTraffic = wholeTrafficRequester(context);
  const scale = () => new TimeScale(wholeStep(state), map.width);

  frame.onDom([Changed.layout, Changed.trace, Changed.drawer], () => {
    const { width } = state.viewport;
    if (width > 0 && map.fit(width, HEIGHT)) {
      picture.fit(width, HEIGHT);
      stale = true;
      frame.invalidate(Changed.marks);
    }
  });
  frame.onDom([Changed.view, Changed.trace], () => {
    // The margin around the step is no part of it.
    setText(length, formatDuration(shownOfStep(state.window, state.trace?.summary.span_ns)));
    const seen_of_step = inView(state);
    const words = say('from-to-short', formatEnds(seen_of_step.start, seen_of_step.end));
    length.title = say('since-start-of-step', { window: words });
    const span = state.trace?.summary.span_ns ?? 1;
    const middle = (state.window.start + state.window.end) / 2;
    map.element.setAttribute('aria-valuemin', '0');
    map.element.setAttribute('aria-valuemax', '100');
    map.element.setAttribute('aria-valuenow', String(Math.round(clamp(middle / span, 0, 1) * 100)));
    map.element.setAttribute('aria-valuetext', say('window-of', { window: words, length: formatDuration(span) }));
  });
  const drawn_on = [Changed.view, Changed.glide, Changed.trace, Changed.layout, Changed.marks, Changed.theme, Changed.scope, Changed.notes];
  frame.onRequest(drawn_on, () => {
    if (!state.trace || map.width === 0) return;
    request();
    requestTraffic();
  });
  frame.onCanvas(drawn_on, (changed) => {
    if (!state.trace || map.width === 0) return;
    const theme = paletteOf(state);
    if (changed.hasAny(Changed.trace, Changed.theme) || pictured[0] !== state.minimap || pictured[1] !== state.whole_traffic || stale) {
      picture.clear();
      if (state.minimap)
        drawMinimap(
          picture.context,
          state.minimap,
          columnsOfStep(state.trace.summary.span_ns, picture.width, picture.ratio),
          (picture.height - 2) * picture.ratio,
          theme,
        );
      if (state.whole_traffic) drawInFlight(picture.context, state.whole_traffic, (picture.height - 2) * picture.ratio, theme);
      stale = false;
      pictured = [state.minimap, state.whole_traffic];
    }
    map.clear();
    map.context.drawImage(picture.element, 0, 1, map.width, map.height);
    drawMinimapWindow(map.context, drawnWindow(state), scale(), map.height, theme);
    if (state.range) drawMinimapRange(map.context, state.range, scale(), map.height, theme);
    drawMinimapNotes(map.context, state.notes, scale(), map.height, theme);
  });
  listen(context, map.element, scale);
  return el(
    'div',
    { class: 'minimap-row' },
    el('div', { class: 'side' }, filmstrip(context), seen, length),
    el('div', { class: 'minimap-box' }, map.element),
  );
}

/** How much of the step is in view; of a window that has left it, the window. */
function shownOfStep({ start, end }: Window, span_ns = Infinity): number {
  const shown = Math.min(end, span_ns) - Math.max(start, 0);
  return shown > 0 ? shown : end - start;
}

/** Keys on the minimap move and size the window in it. */
function keyed(context: Context, event: KeyboardEvent): boolean {
  const { state } = context;
  const length = state.window.end - state.window.start;
  const whole = wholeStep(state);
  const moves: Readonly<Record<string, number>> = {
    ArrowLeft: -length * NUDGE,
    ArrowRight: length * NUDGE,
    PageUp: -length,
    PageDown: length,
    Home: whole.start - state.window.start,
    End: whole.end - state.window.end,
  };
  const zooms: Readonly<Record<string, number>> = { ArrowUp: 1 / ZOOM, ArrowDown: ZOOM };
  if (event.altKey || event.ctrlKey || event.metaKey) return false;
  const move = moves[event.key];
  const zoom = zooms[event.key];
  if (move !== undefined) setWindow(context, moved(state.window, move, bounds(state)));
  else if (zoom !== undefined) zoomAt(context, (state.window.start + state.window.end) / 2, zoom);
  return move !== undefined || zoom !== undefined;
}

function listen(context: Context, element: HTMLCanvasElement, scale: () => TimeScale): void {
  const { state } = context;
  let grip: Gesture | null = null;
  /** A press outside of the window, which is a click until it has moved. */
  let press: { x: number } | null = null;
  const pointOf = (event: MouseEvent): Point => ({ x: event.clientX - element.getBoundingClientRect().left, y: 0 });

  const gripAt = ({ x }: Point, reach: number): Gesture | null => {
    const { start, end } = state.window;
    const [left, right] = [scale().toPx(start), scale().toPx(end)];
    const whole = wholeStep(state);
    const everything = start <= whole.start && end >= whole.end;
    // Of a window too narrow to hold, the middle moves it and the outer sides of its edges size it.
    const inner = Math.min(reach, (right - left) / 4);
    if (x >= left - reach && x <= left + inner) return sizeGesture(context, scale, end);
    if (x >= right - inner && x <= right + reach) return sizeGesture(context, scale, start);
    return x > left && x < right && !everything ? slideGesture(context, scale, x) : null;
  };

  const begin = (gesture: Gesture) => {
    grip = gesture;
    press = null;
    dragging(context, () => {
      gesture.cancel();
      grip = null;
    });
  };
  const end = () => {
    grip = null;
    press = null;
    dragging(context, null);
  };

  element.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 || grip || press) return;
    element.setPointerCapture(event.pointerId);
    const point = pointOf(event);
    const found = gripAt(point, event.pointerType === 'touch' ? TOUCH_HANDLE : HANDLE);
    if (found) begin(found);
    else press = point;
  });
  element.addEventListener('pointermove', (event) => {
    const point = pointOf(event);
    if (press && Math.abs(point.x - press.x) >= CLICK_PX) begin(sizeGesture(context, scale, scale().toNs(press.x)));
    if (grip) grip.move(point);
    if (event.buttons === 0) element.style.cursor = gripAt(point, HANDLE)?.cursor ?? 'crosshair';
  });
  element.addEventListener('pointerup', () => {
    // A click outside of the window brings it there.
    if (press) {
      leavePlace(context);
      const middle = (state.window.start + state.window.end) / 2;
      setWindow(context, moved(state.window, scale().toNs(press.x) - middle, bounds(state)));
    }
    end();
  });
  element.addEventListener('pointercancel', () => {
    grip?.cancel();
    end();
  });
  element.addEventListener('dblclick', () => fitAll(context));
  element.addEventListener('keydown', (event) => {
    if (!keyed(context, event)) return;
    event.preventDefault();
    event.stopPropagation();
  });
  element.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      const sideways = event.shiftKey ? event.deltaX || event.deltaY : event.deltaX;
      if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))
        setWindow(context, moved(state.window, scale().lengthOf(sideways), bounds(state)));
      else zoomAt(context, scale().toNs(pointOf(event).x), zoomFactor(event.deltaY));
    },
    { passive: false },
  );
}

function backTo(context: Context): () => void {
  const { window } = context.state;
  return () => setWindow(context, window);
}

/** Moves the window as it is. */
function slideGesture(context: Context, scale: () => TimeScale, from: number): Gesture {
  const { window } = context.state;
  const cancel = backTo(context);
  return {
    cursor: 'grab',
    move: ({ x }) => setWindow(context, moved(window, scale().lengthOf(x - from), bounds(context.state))),
    cancel,
  };
}

/** Draws the window from the moment `fixed` to where the hand is. */
function sizeGesture(context: Context, scale: () => TimeScale, fixed: number): Gesture {
  const cancel = backTo(context);
  return {
    cursor: 'ew-resize',
    move({ x }) {
      const at = scale().toNs(clamp(x, 0, scale().width));
      const length = Math.max(Math.abs(at - fixed), MIN_WINDOW_NS);
      const start = at < fixed ? fixed - length : fixed;
      setWindow(context, { start: ns(start), end: ns(start + length) });
    },
    cancel,
  };
}
