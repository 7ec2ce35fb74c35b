// The strip below the lanes: what the step waited for at each moment, at the zoom of the lanes. Its segments are links to their ops.
import { say } from '../../base/messages';
import { el, icon } from '../../base/dom';
import { formatDuration, formatPoint } from '../../base/time';
import { drawPointerLine, drawRange, drawSelected } from '../../draw/overlay';
import { drawStrip, stripRuns } from '../../draw/path_strip';
import { TextRuler } from '../../draw/text';
import type { PathPage } from '../../engine/protocol';
import { attempt } from '../../state/failures';
import { request } from '../../state/figures';
import { Changed, OVER_TIME } from '../../state/frame';
import {
  arePathsQuick,
  PATH,
  pathOf,
  segmentAt,
  segmentOf,
  showsStrip,
  STRIP_HEIGHT as HEIGHT,
  togglePath,
  toggleStrip,
} from '../../state/shown/path';
import { OP_NOT_SHOWN, selectOp } from '../../state/shown/select';
import { showWindow, timeScale } from '../../state/shown/view';
import type { Context } from '../../state/state';
import { paletteOf } from '../../state/ui/theme';
import { titled } from '../keys/bindings';
import { surface } from '../shared/canvas';
import { ICONS } from '../shared/icons';
import { kindWords } from '../shared/path_words';

/** Above and below the segments. */
const AIR = 3;

export interface PathStrip {
  row: HTMLElement;
  canvas: HTMLCanvasElement;
}

export function pathStrip(context: Context): PathStrip {
  const { state, frame } = context;
  const strip = surface({
    class: 'path-strip',
    role: 'slider',
    tabindex: 0,
    'aria-label': say('strip-spoken'),
    'aria-valuemin': 1,
    'aria-valuemax': 1,
    'aria-valuenow': 1,
    'aria-valuetext': say('path-not-yet'),
  });
  const hide_title = titled(say('strip-hide'), 'strip');
  const light = el(
    'button',
    { class: 'chip', type: 'button', title: titled(say('path-light-about'), 'path'), onclick: () => togglePath(context) },
    say('path-light'),
  );
  const row = el(
    'div',
    { class: 'strip-row', hidden: true },
    el(
      'div',
      { class: 'side' },
      el('span', { class: 'path-strip-name', title: say('strip-title') }, say('strip-name')),
      light,
      el(
        'button',
        { class: 'button square small', type: 'button', title: hide_title, 'aria-label': hide_title, onclick: () => toggleStrip(context) },
        icon(ICONS.up),
      ),
    ),
    strip.element,
  );
  const ruler = new TextRuler(strip.context, () => paletteOf(state).small_font);
  /** The segment that the keyboard is at. */
  let cursor = 0;
  const speak = () => {
    const path = pathOf(state);
    if (path) sayValue(strip.element, path, cursor);
  };
  const go = (to: number) => {
    const path = pathOf(state);
    if (!path || path.ops.length === 0) return;
    cursor = Math.min(Math.max(to, 0), path.ops.length - 1);
    const { start_ns, end_ns } = segmentOf(path, cursor);
    showWindow(context, { start: start_ns, end: end_ns });
    speak();
    frame.invalidate(Changed.hover);
  };
  strip.element.addEventListener('keydown', (event) => {
    const path = pathOf(state);
    const to = path && placeAfter(event.key, cursor, path.ops.length);
    if (!path || event.ctrlKey || event.altKey || event.metaKey) return;
    if (to !== null) go(to);
    else if (isPress(event.key)) attempt(context, OP_NOT_SHOWN, selectOp(context, segmentOf(path, cursor).op, 'show'));
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  strip.element.addEventListener('focus', () => {
    const path = pathOf(state);
    // It begins with what was pressed, else with what is in sight.
    if (path) cursor = state.hover?.on_path?.place ?? segmentAt(path, Math.max(state.window.start, 0)) ?? 0;
    speak();
    frame.invalidate(Changed.hover);
  });
  strip.element.addEventListener('pointerdown', () => {
    cursor = state.hover?.on_path?.place ?? cursor;
    speak();
  });
  strip.element.addEventListener('blur', () => frame.invalidate(Changed.hover));
  // The lanes get what room this leaves them, so that it comes before they are fitted.
  frame.onDom([Changed.layout, Changed.trace, Changed.totals, Changed.drawer, Changed.path, 'criticalPath'], () => {
    // With the totals the data flow has been followed, and the first frame is long there.
    const summary = state.trace?.summary;
    if (summary && (summary.transfers ?? null) !== null && arePathsQuick(state)) request(context, PATH);
    row.hidden = !showsStrip(state);
    light.setAttribute('aria-pressed', String(state.path_lit));
    if (state.viewport.width > 0) strip.fit(state.viewport.width, HEIGHT);
    speak();
  });
  frame.onCanvas([...OVER_TIME, Changed.selection, Changed.path, 'criticalPath'], () => {
    if (!state.trace || row.hidden || strip.width === 0) return;
    const theme = paletteOf(state);
    const scale = timeScale(state);
    const { context: canvas, width } = strip;
    strip.clear();
    canvas.fillStyle = theme.band;
    canvas.fillRect(0, 0, width, HEIGHT);
    const path = pathOf(state);
    if (path) {
      const words = path.kinds.map(kindWords);
      const shown = { looks: words.map(({ look }) => look), labels: words.map(({ label }) => label) };
      const place = { y: AIR, height: HEIGHT - 2 * AIR, width };
      drawStrip(canvas, stripRuns(path, scale), shown, place, (text) => ruler.width(text), theme);
      const focused = document.activeElement === strip.element ? cursor : (state.hover?.on_path?.place ?? null);
      if (focused !== null) {
        const { start_ns, end_ns } = segmentOf(path, focused);
        const left = Math.max(scale.toPx(start_ns), -10);
        const right = Math.min(scale.toPx(end_ns), width + 10);
        drawSelected(canvas, { x: left, y: AIR, width: right - left, height: HEIGHT - 2 * AIR }, theme);
      }
    }
    if (state.range) drawRange(canvas, state.range, null, scale, HEIGHT, theme);
    if (state.hover_x !== null) drawPointerLine(canvas, state.hover_x, HEIGHT, theme);
  });
  return { row, canvas: strip.element };
}

function sayValue(element: HTMLElement, path: PathPage, place: number): void {
  const segment = segmentOf(path, place);
  element.setAttribute('aria-valuemax', String(path.ops.length));
  element.setAttribute('aria-valuenow', String(place + 1));
  element.setAttribute(
    'aria-valuetext',
    say('strip-segment', {
      label: kindWords(segment.kind).label,
      length: formatDuration(segment.end_ns - segment.start_ns),
      from: formatPoint(segment.start_ns, 1000),
      name: segment.name,
    }),
  );
}

const isPress = (key: string): boolean => key === 'Enter' || key === ' ';

/** Where a key leads; null for the others. */
function placeAfter(key: string, from: number, count: number): number | null {
  switch (key) {
    case 'ArrowRight':
      return from + 1;
    case 'ArrowLeft':
      return from - 1;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return null;
  }
}
