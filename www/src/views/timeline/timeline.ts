// The timeline: lanes on a canvas that stays in place while the rows of the tree scroll next to it.
import { say } from '../../base/messages';
import { el } from '../../base/dom';
import { tensorLabel } from '../../base/names';
import type { Rect } from '../../base/geom';
import { transformBetween, TimeScale } from '../../base/time_scale';
import type { Marks, OpRef } from '../../engine/protocol';
import { drawArrows, type Stub } from '../../draw/arrows';
import { batchOf, type Batch } from '../../draw/batch';
import { drawAxis, drawGrid } from '../../draw/axis';
import type { Arrow } from '../../draw/bundles';
import { drawLabels, drawMarks, type Placement } from '../../draw/marks';
import {
  drawHovered,
  drawPointerLine,
  drawRange,
  drawRangeOnAxis,
  drawSelected,
  drawSnap,
  pointerPlate,
  rangePlate,
} from '../../draw/overlay';
import { drawLitTransfers, drawPath, drawVeil } from '../../draw/path';
import { drawFlags, drawNoteLines, drawStretches, flagsOf } from '../../draw/notes';
import { drawPlate } from '../../draw/shapes';
import { Strips, type StripPlace } from '../../draw/strips';
import { TextRuler } from '../../draw/text';
import type { Theme } from '../../draw/theme';
import { TEXTURE_PX } from '../../draw/texture';
import { runsOf } from '../../state/layout/boxes';
import { clockOf } from '../../state/shown/clock';
import { shownFlow } from '../../state/shown/flow';
import { drawnWindow } from '../../state/shown/glide';
import { Changed, OVER_TIME, type On } from '../../state/frame';
import { TASK_HEADER, type Band } from '../../state/layout/layout';
import { routesRequester } from '../../state/shown/routes';
import { marksRequester, scaleOf } from '../../state/shown/marks';
import { bandOfLane, bandsInSight, boxInBand, groupsBetween, sectionsInSight, topOf, uncovered } from '../../state/layout/sight';
import type { Context } from '../../state/state';
import { scrollTo, setViewport, timeScale } from '../../state/shown/view';
import { surface, type Surface } from '../shared/canvas';
import type { Drawn } from './drawn';
import { laneMiddle, opRect } from './op_rect';
import { litPath } from './lit_path';
import type { MenuAt } from './clicks';
import { listenToPointer } from './pointer';
import { followHands } from '../devices/row_keys';
import { speakOfTimeline } from './spoken';
import { countersRequester, COUNTERS_CHANGED } from '../../state/shown/counters';
import { memoryRequester } from '../../state/shown/memory_lanes';
import { paletteOf } from '../../state/ui/theme';
import { paintCounters, paintInstants } from './counter_lanes';
import { paintMemory } from './memory_lanes';
import { pathStrip } from './path_strip';
import { trafficBand } from './traffic_band';
import { paintReadings } from './value_cursor';
import type { Tree } from '../devices/tree';
import { MEMORY_LANES_CHANGED } from '../../state/shown/memory';

const AXIS_HEIGHT = 19;

export interface Timeline {
  axis: HTMLElement;
  /** Between the axis and the lanes. */
  traffic: HTMLElement;
  /** The critical path, above the lanes, too. */
  strip: HTMLElement;
  scroller: HTMLElement;
}

const DRAWN_ON: On = [
  ...OVER_TIME,
  Changed.selection,
  Changed.search,
  Changed.marks,
  MEMORY_LANES_CHANGED,
  COUNTERS_CHANGED,
  Changed.notes,
  Changed.path,
  'counters',
  'criticalPath',
  'memory',
];

export function timeline(context: Context, tree: Tree, menuAt: MenuAt): Timeline {
  const { state, frame } = context;
  const lanes = surface({
    class: 'lanes',
    tabindex: 0,
    role: 'application',
    'aria-roledescription': say('timeline-role'),
    'aria-describedby': 'live',
  });
  const axis = surface({ class: 'axis', 'aria-hidden': 'true' });
  const traffic = trafficBand(context);
  const strip = pathStrip(context);
  const scroller = el('div', { class: 'scroller', tabindex: -1 }, lanes.element, tree.pinned, tree.scrolled);
  const drawn: Drawn = { batch: null, stubs: [], range_plate: null, flags: [] };
  const ruler = new TextRuler(lanes.context, () => paletteOf(state).font);
  let strips = new Strips();
  const requestMarks = marksRequester(context);
  const requestLanes = memoryRequester(context);
  const requestCounters = countersRequester(context);
  const requestRoutes = routesRequester(context);
  /** The trace that a frame has shown. */
  let ready_of: unknown = null;

  speakOfTimeline(context, lanes.element);
  fitToPage(context, scroller, lanes, axis);
  const canvases = { lanes: lanes.element, axis: axis.element, traffic: traffic.canvas, strip: strip.canvas };
  listenToPointer({ context, canvases, drawn }, scroller, menuAt);
  followHands(scroller);
  keepScrolled(context, scroller);
  // Asked for before the other views ask for their figures: the picture comes first.
  frame.onDom([Changed.trace], requestMarks);
  frame.onRequest(DRAWN_ON, () => {
    requestMarks();
    requestLanes();
    requestCounters();
    requestRoutes();
  });
  frame.onCanvas(DRAWN_ON, (changed) => {
    if (!state.trace) return;
    if (changed.has(Changed.trace)) strips = new Strips();
    if (changed.hasAny(Changed.marks, Changed.search) || !state.marks)
      drawn.batch = state.marks && batchOf(state.marks, searching(context));
    drawn.stubs = paintLanes(context, lanes, drawn.batch, strips, ruler);
    Object.assign(drawn, paintAxis(context, axis));
    if (state.marks && ready_of !== state.trace) {
      ready_of = state.trace;
      performance.mark('steplens:ready');
    }
  });
  return { axis: axis.element, traffic: traffic.row, strip: strip.row, scroller };
}

/**
 * The element scrolls with the view, and the view with the element: by its bar, or when the keyboard reaches a row.
 * The news of our own doing comes a frame late, when the hand may have moved the view on; and the position is not read
 * in a frame, where the browser would have to lay out for it.
 */
function keepScrolled(context: Context, scroller: HTMLElement): void {
  const { state, frame } = context;
  let known = 0;
  scroller.addEventListener('scroll', () => {
    const top = scroller.scrollTop;
    if (Math.abs(top - known) < 1) return;
    known = top;
    scrollTo(context, top);
  });
  frame.onDom([Changed.view, Changed.layout, Changed.trace], () => {
    if (Math.abs(known - state.scroll_y) < 1) return;
    known = state.scroll_y;
    scroller.scrollTop = known;
  });
}

const searching = ({ state }: Context): boolean => state.search.query !== '' && state.search.result !== null;

function fitToPage(context: Context, scroller: HTMLElement, lanes: Surface, axis: Surface): void {
  const fit = () => {
    const width = axis.element.parentElement?.clientWidth ?? 0;
    const height = scroller.clientHeight;
    if (width === 0 || height === 0) return;
    const tree_width = axis.element.offsetLeft;
    const inside = Math.max(scroller.clientWidth - tree_width, 50);
    const resized = lanes.fit(inside, height);
    axis.fit(inside, AXIS_HEIGHT);
    lanes.element.style.marginBottom = `${-height}px`;
    setViewport(context, inside, height);
    if (resized) context.frame.invalidate(Changed.layout, Changed.view);
  };
  new ResizeObserver(fit).observe(scroller);
  context.frame.onDom([Changed.layout, Changed.trace, Changed.drawer], fit);
  // Moving to a screen of another resolution changes no size in CSS pixels.
  const watchRatio = () =>
    matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener(
      'change',
      () => {
        fit();
        context.frame.invalidate(Changed.view);
        watchRatio();
      },
      { once: true },
    );
  watchRatio();
}

/** Draws the lanes as `context.state` has them. */
export function paintLanes(context: Context, lanes: Surface, batch: Batch | null, strips: Strips, ruler: TextRuler): Stub[] {
  const { state } = context;
  const theme = paletteOf(state);
  const scale = timeScale(state);
  const { context: canvas, ratio, width, height } = lanes;
  lanes.clear();
  paintBands(context, lanes);
  canvas.setTransform(1, 0, 0, 1, 0, 0);
  drawGrid(canvas, scale, clockOf(state), lanes.element.height, ratio, theme);
  const place = batch && placementOf(context, batch.marks, lanes);
  if (batch && place) {
    paintStrips(context, batch.marks, lanes, strips, place);
    drawMarks(canvas, batch, place, theme);
  }
  canvas.setTransform(ratio, 0, 0, ratio, 0, 0);
  paintMemory(context, lanes);
  paintCounters(context, lanes);
  const lit = litPath(state, scale, (lane) => laneMiddle(context, lane).y);
  if (lit) {
    drawVeil(canvas, lit.boxes, width, height, theme);
    drawLitTransfers(canvas, lit.transfers, theme);
  }
  if (state.range) drawRange(canvas, state.range, state.range_lanes && runsOf(state, state.range_lanes), scale, height, theme);
  const { snapped } = state;
  if (snapped) drawSnap(canvas, scale.toPx(snapped.at), laneMiddle(context, snapped.lane), theme);
  drawNoteLines(canvas, state.notes, scale, height, theme);
  // Over the range's veil, so that it takes nothing from their contrast.
  canvas.setTransform(1, 0, 0, 1, 0, 0);
  if (batch && place) drawLabels(canvas, batch, place, ruler, theme, (op) => state.routes.get(op) ?? '');
  canvas.setTransform(ratio, 0, 0, ratio, 0, 0);
  paintInstants(context, lanes);
  const task_heads = headers(context, width);
  paintHeaders(canvas, task_heads, theme);
  if (lit) drawPath(canvas, lit.arrows, theme);
  if (state.hover_x !== null) drawPointerLine(canvas, state.hover_x, height, theme);
  paintReadings(context, lanes);
  const hovered = state.hover?.details;
  if (hovered) drawHovered(canvas, opRect(context, hovered, scale), theme);
  const details = state.selection?.details;
  if (!details) return [];
  const selected = opRect(context, details, scale);
  drawSelected(canvas, selected, theme);
  const area = { x: 0, y: 0, width, height };
  return drawArrows(
    canvas,
    arrowsOf(context, scale),
    shownFlow(context)?.truncated === true,
    area,
    [...task_heads, selected],
    ruler,
    theme,
  );
}

function paintBands(context: Context, lanes: Surface): void {
  const { state } = context;
  const { context: canvas, width } = lanes;
  const theme = paletteOf(state);
  for (const band of bandsInSight(state)) {
    const { y, height } = uncovered(state, band, topOf(state, band), band.height);
    canvas.fillStyle = theme.band;
    canvas.fillRect(0, y, width, height);
    canvas.fillStyle = theme.line;
    if (height > 0) canvas.fillRect(0, y + height - 1, width, 1);
    if (band.named) paintGroups(context, band, lanes);
  }
}

/** A line above each group that has a name. */
function paintGroups({ state }: Context, band: Band, { context: canvas, width, height }: Surface): void {
  canvas.fillStyle = paletteOf(state).grid;
  const top = topOf(state, band);
  for (const group of groupsBetween(band, -top, height - top)) {
    const line = uncovered(state, band, top + group.y - 1, 1);
    if (line.height > 0) canvas.fillRect(0, Math.round(line.y), width, 1);
  }
}

/** While a search or a light is on, strips stand back: they do not show what matches. */
const STRIP_WHILE_SEARCHING = 0.4;

function paintStrips(context: Context, marks: Marks, lanes: Surface, strips: Strips, place: Placement): void {
  const { state } = context;
  const { context: canvas, ratio } = lanes;
  const places = bandsInSight(state).flatMap((band): StripPlace[] =>
    band.strips.map((strip) => {
      const top = topOf(state, band) + strip.y;
      const hidden = strip.height - uncovered(state, band, top, strip.height).height;
      const height = Math.round(strip.height * ratio);
      return { ...strip, device: band.device, y: Math.round(top * ratio), height, covered: Math.round(hidden * ratio) };
    }),
  );
  canvas.globalAlpha = searching(context) || marks.light !== 'off' ? STRIP_WHILE_SEARCHING : 1;
  strips.draw(canvas, marks, places, place, paletteOf(state));
  canvas.globalAlpha = 1;
}

function placementOf({ state }: Context, marks: Marks, lanes: Surface): Placement {
  const { ratio } = lanes;
  const { stacks } = marks;
  const n_lanes = marks.query.lanes.length;
  const top = new Float32Array(n_lanes + stacks.length / 2);
  const height = new Float32Array(n_lanes + stacks.length / 2);
  let band: Band | undefined;
  marks.query.lanes.forEach((lane, row) => {
    if (!band || lane < band.first_lane || lane >= band.first_lane + band.lanes) band = bandOfLane(state.layout, lane);
    const lane_box = band && boxInBand(band, lane);
    if (!band || !lane_box) return;
    const box = uncovered(state, band, topOf(state, band) + lane_box.y, lane_box.height);
    if (box.height === 0) return;
    const y = Math.round(box.y * ratio);
    top[row] = y;
    height[row] = Math.max(1, Math.round((box.y + box.height) * ratio) - y);
  });
  // From the first visible lane to the last: pinned devices may cover a part of a stack.
  for (let stack = 0; 2 * stack < stacks.length; stack++) {
    let first = stacks[2 * stack]!;
    const end = stacks[2 * stack + 1]!;
    while (first < end && height[first] === 0) first++;
    if (first === end) continue;
    top[n_lanes + stack] = top[first]!;
    height[n_lanes + stack] = top[end - 1]! + height[end - 1]! - top[first]!;
  }
  const from = scaleOf(marks.query);
  const to = new TimeScale(drawnWindow(state), lanes.element.width);
  const { factor, offset } = transformBetween(from, to);
  return {
    top,
    height,
    factor,
    offset,
    texture_x: Math.round(to.toPx(0)) % TEXTURE_PX,
    texture_y: -Math.round(state.scroll_y * ratio) % TEXTURE_PX,
    canvas_width: lanes.element.width,
    canvas_height: lanes.element.height,
    pixel_ratio: ratio,
  };
}

function arrowsOf(context: Context, scale: TimeScale): Arrow[] {
  const place = (ref: OpRef, at: number) => ({ x: scale.toPx(at), y: laneMiddle(context, ref.lane).y });
  return (shownFlow(context)?.edges ?? []).map(({ from, to, hop, called_ns }): Arrow => {
    const far = hop < 0 ? from : to;
    return {
      // What is launched may run while the op that launched it goes on.
      from: place(from, called_ns ?? from.end_ns),
      to: place(to, to.start_ns),
      leads_to: far.op,
      name: tensorLabel(far.name),
      hop,
      lane_height: laneMiddle(context, to.lane).height,
    };
  });
}

/** The tasks' headers go on over the canvas, below the arrows. */
function paintHeaders(canvas: CanvasRenderingContext2D, heads: readonly Rect[], theme: Theme): void {
  for (const { y, width, height } of heads) {
    canvas.fillStyle = theme.task;
    canvas.fillRect(0, y, width, height);
    canvas.fillStyle = theme.line;
    canvas.fillRect(0, y + height - 1, width, 1);
  }
}

/** Where the tasks' headers are on the canvas. */
function headers({ state }: Context, width: number): Rect[] {
  const headed = sectionsInSight(state).filter(({ header }) => header > 0);
  return headed.map((section) => {
    const bottom = section.y - state.scroll_y + section.height;
    // The header sticks below the pinned devices until its section ends.
    const y = Math.min(Math.max(section.y - state.scroll_y, state.layout.pinned_height), bottom - TASK_HEADER);
    return { x: 0, y, width, height: TASK_HEADER };
  });
}

/** Returns what of it a hand can take. */
function paintAxis({ state }: Context, axis: Surface): Pick<Drawn, 'range_plate' | 'flags'> {
  const theme = paletteOf(state);
  const scale = timeScale(state);
  const clock = clockOf(state);
  const { context: canvas, height } = axis;
  axis.clear();
  const length = state.range && rangePlate(canvas, state.range, scale, theme);
  canvas.font = theme.font;
  const flags = flagsOf(state.notes, scale, (text) => canvas.measureText(text).width);
  const pointer = state.hover_x === null ? null : pointerPlate(canvas, state.hover_x, scale, clock, theme, length);
  drawAxis(canvas, scale, clock, height, theme, [...[length, pointer, ...flags].flatMap((plate) => (plate ? [plate.rect] : []))]);
  drawStretches(canvas, state.notes, scale, height, theme);
  drawFlags(canvas, flags, state.chosen_note, height, theme);
  if (state.range) drawRangeOnAxis(canvas, state.range, scale, height, theme);
  if (length) drawPlate(canvas, length, theme.accent, theme.background, theme.accent);
  if (pointer) drawPlate(canvas, pointer, theme.text, theme.background, theme.text);
  return { range_plate: length?.rect ?? null, flags };
}
