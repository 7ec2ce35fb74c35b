// What the wheel, a drag, two fingers, a click and keys do in the mirrored timelines: what they do in the timeline.
import { markAt } from '../../../draw/mirror';
import { clamp } from '../../../base/geom';
import { NONE, type OpId } from '../../../engine/protocol';
import {
  chooseInMirror,
  chosenPair,
  fitMirror,
  holdInMirror,
  hoverInMirror,
  mirrorBounds,
  mirrorScale,
  mirrorWindow,
  panMirror,
  showPair,
  SLACK_PX,
  zoomMirror,
} from '../../../state/shown/mirror';
import type { Context, State } from '../../../state/state';
import { wheelTurns } from '../../keys/bindings';
import { zoomFactor } from '../../timeline/wheel';
import { AXIS, halvesOf } from './mirror_paint';

/** A hand that shakes drags nothing. */
const LEAST_DRAG = 3;
/** Fingers as close as this count as one. */
const LEAST_SPREAD = 24;
/** Shares of the window, a factor, and CSS pixels. */
const KEY = { pan: 0.1, zoom: 0.8, scroll: 40 };

function hit(state: State, x: number, y: number, width: number, height: number): { of_b: boolean; op: OpId; count: number } | null {
  if (y < AXIS) return null;
  for (const { half, place, of_b, is_ghost } of halvesOf(state, width, height)) {
    const mark = markAt(half, place, x, y, SLACK_PX);
    if (mark < 0) continue;
    const [op, partner] = [half.marks.op[mark] ?? 0, half.partner[mark] ?? NONE];
    const count = half.marks.count[mark] ?? 1;
    if (!is_ghost) return { of_b, op, count };
    // In the place of its partner: that is what it stands for.
    return partner === NONE ? { of_b: !of_b, op, count } : { of_b, op: partner, count };
  }
  return null;
}

export function listen(context: Context, canvas: HTMLCanvasElement, scroller: HTMLElement, widthOf: () => number): void {
  const { state } = context;
  const point = (event: MouseEvent) => {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const at = (x: number) => mirrorScale(state, widthOf()).toNs(clamp(x, 0, widthOf()));
  canvas.addEventListener(
    'wheel',
    (event) => {
      const held = event.ctrlKey || event.metaKey ? 'ctrl' : event.shiftKey ? 'shift' : 'nothing';
      const turns = wheelTurns(held, state.gestures);
      const sideways = Math.abs(event.deltaX) > Math.abs(event.deltaY) / 2;
      if (turns === 'scroll' && !sideways) return;
      event.preventDefault();
      if (turns === 'zoom') zoomMirror(context, at(point(event).x), zoomFactor(event.deltaY));
      else panMirror(context, mirrorScale(state, widthOf()).lengthOf(event.deltaX || event.deltaY));
    },
    { passive: false },
  );
  let drag: { x: number; y: number; at: number; top: number; moved: boolean } | null = null;
  const fingers = new Map<number, { x: number; y: number }>();
  let pinch: { at: number; spread: number; length: number } | null = null;
  canvas.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    const { x, y } = point(event);
    canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, { x, y });
    drag = { x, y, at: at(x), top: scroller.scrollTop, moved: false };
    if (fingers.size === 2) pinch = pinchOf(state, [...fingers.values()], at);
  });
  canvas.addEventListener('pointermove', (event) => {
    const { x, y } = point(event);
    if (fingers.has(event.pointerId)) fingers.set(event.pointerId, { x, y });
    if (pinch && fingers.size === 2) {
      const [first, second] = [...fingers.values()];
      if (!first || !second) return;
      holdInMirror(
        context,
        pinch.at,
        clamp((first.x + second.x) / 2 / widthOf(), 0, 1),
        pinch.length * (pinch.spread / Math.max(Math.abs(first.x - second.x), LEAST_SPREAD)),
      );
      return;
    }
    if (!drag) {
      const found = hit(state, x, y, widthOf(), canvas.clientHeight);
      const before = state.mirror.hover;
      if (!found && !before) return;
      hoverInMirror(context, found && { ...found, x, y });
      canvas.style.cursor = found ? 'pointer' : 'default';
      return;
    }
    drag.moved ||= Math.hypot(x - drag.x, y - drag.y) >= LEAST_DRAG;
    if (!drag.moved) return;
    canvas.style.cursor = 'grabbing';
    hoverInMirror(context, null);
    scroller.scrollTop = drag.top - (y - drag.y);
    holdInMirror(context, drag.at, x / Math.max(widthOf(), 1));
  });
  const end = (event: PointerEvent) => {
    fingers.delete(event.pointerId);
    const was = drag;
    const was_pinch = pinch !== null;
    if (fingers.size < 2) pinch = null;
    if (fingers.size === 0) drag = null;
    canvas.style.cursor = 'default';
    if (event.type !== 'pointerup' || !was || was.moved || was_pinch) return;
    const { x, y } = point(event);
    const found = hit(state, x, y, widthOf(), canvas.clientHeight);
    if (found) chooseInMirror(context, found.of_b, found.op);
  };
  canvas.addEventListener('pointerup', end);
  canvas.addEventListener('pointercancel', end);
  canvas.addEventListener('pointerleave', () => hoverInMirror(context, null));
  canvas.addEventListener('dblclick', () => {
    const pair = chosenPair(state);
    if (pair) showPair(context, pair);
  });
  canvas.addEventListener('keydown', (event) => key(context, event, scroller, at, widthOf));
}

function pinchOf(state: State, [first, second]: { x: number; y: number }[], at: (x: number) => number) {
  if (!first || !second) return null;
  const window = mirrorWindow(state);
  return {
    at: at((first.x + second.x) / 2),
    spread: Math.max(Math.abs(first.x - second.x), LEAST_SPREAD),
    length: window.end - window.start,
  };
}

/** The keys of the timeline, for this one, as long as it has the focus. */
function key(context: Context, event: KeyboardEvent, scroller: HTMLElement, at: (x: number) => number, widthOf: () => number): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const { state } = context;
  const window = mirrorWindow(state);
  const length = window.end - window.start;
  const middle = at(state.mirror.hover?.x ?? widthOf() / 2);
  const bounds = mirrorBounds(state);
  const runs: Readonly<Record<string, () => void>> = {
    KeyW: () => zoomMirror(context, middle, KEY.zoom),
    KeyS: () => zoomMirror(context, middle, 1 / KEY.zoom),
    KeyA: () => panMirror(context, -length * KEY.pan),
    KeyD: () => panMirror(context, length * KEY.pan),
    ArrowLeft: () => panMirror(context, -length * KEY.pan),
    ArrowRight: () => panMirror(context, length * KEY.pan),
    ArrowUp: () => scroller.scrollBy(0, -KEY.scroll),
    ArrowDown: () => scroller.scrollBy(0, KEY.scroll),
    Home: () => holdInMirror(context, bounds.start, 0),
    End: () => holdInMirror(context, bounds.end, 1),
    Digit0: () => fitMirror(context),
    Enter: () => {
      const pair = chosenPair(state);
      if (pair) showPair(context, pair);
    },
  };
  const run = runs[event.code];
  if (!run) return;
  event.preventDefault();
  event.stopPropagation();
  run();
}
