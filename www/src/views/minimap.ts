// The minimap: the whole step in one strip; drag the window on it, or its edges, or draw a new one.
import { el, setText } from '../base/dom';
import { clamp } from '../base/geom';
import { formatDuration, formatPoint, ns } from '../base/time';
import { moved, TimeScale, type Window } from '../base/time_scale';
import { drawMinimap, drawMinimapRange, drawMinimapWindow, HANDLE } from '../draw/minimap';
import { Changed } from '../state/frame';
import { bounds, wholeStep, type Context } from '../state/state';
import { setWindow, zoomAt } from '../state/view';
import { surface } from './canvas';
import { currentTheme } from './theme';

const HEIGHT = 40;

export function minimap(context: Context): HTMLElement {
  const { state, frame } = context;
  const map = surface({ class: 'minimap', 'aria-hidden': 'true' });
  // The picture of the step is kept; a frame that only moves the window copies it.
  const picture = surface({});
  let stale = true;
  const seen = el('span', { class: 'scope-name' }, 'View');
  const length = el('span', { class: 'scope-length' });
  const scale = () => new TimeScale(wholeStep(state), map.width);

  frame.onDom(Changed.layout | Changed.trace | Changed.drawer, () => {
    const { width } = state.viewport;
    if (width > 0 && map.fit(width, HEIGHT)) {
      picture.fit(width, HEIGHT);
      stale = true;
      frame.invalidate(Changed.marks);
    }
  });
  frame.onDom(Changed.view | Changed.trace, () => {
    setText(length, formatDuration(state.window.end - state.window.start));
    const resolution = (state.window.end - state.window.start) / 1000;
    length.title = `${formatPoint(state.window.start, resolution)} to ${formatPoint(state.window.end, resolution)} after the step’s first start`;
  });
  frame.onCanvas(
    Changed.view | Changed.trace | Changed.layout | Changed.marks | Changed.theme | Changed.scope,
    (changed) => {
      if (!state.trace || map.width === 0) return;
      const theme = currentTheme();
      if (changed & (Changed.trace | Changed.marks | Changed.theme) || stale) {
        picture.clear();
        if (state.minimap)
          drawMinimap(picture.context, state.minimap, scale(), state.trace.summary.span_ns, HEIGHT - 2, theme);
        stale = false;
      }
      map.clear();
      map.context.drawImage(picture.element, 0, 1, map.width, HEIGHT);
      if (state.range) drawMinimapRange(map.context, state.range, scale(), HEIGHT, theme);
      drawMinimapWindow(map.context, state.window, scale(), HEIGHT, theme);
    },
  );
  listen(context, map.element, scale);
  return el(
    'div',
    { class: 'minimap-row' },
    el('div', { class: 'side' }, seen, length),
    el('div', { class: 'minimap-box' }, map.element),
  );
}

type Grip =
  | { kind: 'move'; last: number }
  | { kind: 'edge'; fixed_ns: number }
  | { kind: 'draw'; from: number; fixed_ns: number; moved: boolean };

function listen(context: Context, element: HTMLCanvasElement, scale: () => TimeScale): void {
  const { state } = context;
  let grip: Grip | null = null;
  const xOf = (event: MouseEvent) => event.clientX - element.getBoundingClientRect().left;

  const gripAt = (x: number): Grip => {
    const { start, end } = state.window;
    const at = scale();
    const left = at.toPx(start);
    const right = at.toPx(end);
    const whole = wholeStep(state);
    if (Math.abs(x - left) <= HANDLE) return { kind: 'edge', fixed_ns: end };
    if (Math.abs(x - right) <= HANDLE) return { kind: 'edge', fixed_ns: start };
    const everything = start <= whole.start && end >= whole.end;
    if (x > left && x < right && !everything) return { kind: 'move', last: x };
    return { kind: 'draw', from: x, fixed_ns: at.toNs(x), moved: false };
  };

  element.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    element.setPointerCapture(event.pointerId);
    grip = gripAt(xOf(event));
  });
  element.addEventListener('pointermove', (event) => {
    const x = xOf(event);
    if (!grip) {
      const { kind } = gripAt(x);
      element.style.cursor = kind === 'edge' ? 'ew-resize' : kind === 'move' ? 'grab' : 'crosshair';
      return;
    }
    const at = scale();
    if (grip.kind === 'move') {
      setWindow(context, moved(state.window, at.lengthOf(x - grip.last), bounds(state)));
      grip.last = x;
      return;
    }
    if (grip.kind === 'draw' && !grip.moved && Math.abs(x - grip.from) < 3) return;
    if (grip.kind === 'draw') grip.moved = true;
    setWindow(context, between(grip.fixed_ns, at.toNs(clamp(x, 0, at.width))));
  });
  element.addEventListener('pointerup', (event) => {
    // A click beside the window brings it there.
    if (grip?.kind === 'draw' && !grip.moved) {
      const middle = (state.window.start + state.window.end) / 2;
      setWindow(context, moved(state.window, scale().toNs(xOf(event)) - middle, bounds(state)));
    }
    grip = null;
  });
  element.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      zoomAt(context, scale().toNs(xOf(event)), Math.exp(clamp(event.deltaY, -120, 120) * 0.0028));
    },
    { passive: false },
  );
}

const between = (a: number, b: number): Window => ({
  start: ns(Math.min(a, b)),
  end: ns(Math.max(a, b, Math.min(a, b) + 100)),
});
