// Draws marks: filled rectangles on device pixels, then the labels that fit.
import type { Rect } from '../base/geom';
import { kernelLabel, shortened } from '../base/names';
import type { Batch } from './batch';
import { FADED_FILLS, FILLS, isSoft, standsOut } from './batch';
import type { TextRuler } from './text';
import { DENSITY_LEVELS, type Theme } from './theme';
import { CATEGORIES, type OpId } from '../engine/protocol';

/** Where rows are and how the marks' own pixels become the canvas's, all in device pixels. */
export interface Placement {
  /** Top and height by row; a height of 0 hides the row. */
  top: Float32Array;
  height: Float32Array;
  factor: number;
  offset: number;
  /** Where textures begin, so that they move with the marks. */
  texture_x: number;
  texture_y: number;
  canvas_width: number;
  canvas_height: number;
  pixel_ratio: number;
}

/** Ops wider than this are drawn with sharp edges: an error of one pixel is small for them. */
const EXACT_PX = 16;
/** While zooming out, until other marks have arrived, an op may be narrower than a pixel. */
const LEAST_PX = 0.5;

/** Between an op and the next one: nothing at the width of a column, where ops begin to be drawn one by one, and up to a pixel as they grow. */
const gapOf = (width: number, column_px: number): number => Math.min(Math.max((width - Math.max(column_px, 2)) / 3, 0), 1);

const RANGE = CATEGORIES.indexOf('range');
/** Of a mark that has the colour of no category. */
const IS_RANGE = 1 << 5;
/** In lower lanes an outline would have no inside. */
const LEAST_OUTLINE_PX = 5;

/** Ranges around ops say when something was, and are no work: they are drawn as outlines. `style` is that of a mark; its fraction is of no account. */
const isRange = ({ marks }: Batch, style: number): boolean =>
  marks.color_by === 'category' ? (Math.floor(style) & 7) === RANGE : (style & IS_RANGE) !== 0;

/** Of the colour of ranges: they say when something was, and are not to be what one sees first. */
const RANGE_SHARE = 0.5;

/** In the fill that is set, `line` pixels wide. */
function outline(context: CanvasRenderingContext2D, { x, y, width, height }: Rect, line: number): void {
  const inner = Math.max(height - 2 * line, 0);
  context.fillRect(x, y, width, line);
  context.fillRect(x, y + height - line, width, line);
  context.fillRect(x, y + line, Math.min(line, width), inner);
  if (width > line) context.fillRect(x + width - line, y + line, line, inner);
}

export function drawMarks(context: CanvasRenderingContext2D, batch: Batch, place: Placement, theme: Theme): void {
  const { order, starts } = batch;
  const { row, x0, x1, count, density } = batch.marks;
  const { top, height, factor, offset, canvas_width, canvas_height } = place;
  const column_px = batch.marks.column_px * factor;
  const look = theme.lookOf(batch.marks.color_by);
  const back = isSoft(batch) ? look.dimmed : look.faded;
  const origin = new DOMMatrix([1, 0, 0, 1, place.texture_x, place.texture_y]);
  for (let group = 0; group < starts.length - 1; group++) {
    const from = starts[group]!;
    const to = starts[group + 1]!;
    if (from === to) continue;
    const fill = group % FILLS;
    const style = (fill < FADED_FILLS ? back[fill] : look.fills[fill - FADED_FILLS]) ?? theme.text;
    if (typeof style !== 'string') style.setTransform(origin);
    context.fillStyle = style;
    const is_range = isRange(batch, (fill % FADED_FILLS) / DENSITY_LEVELS);
    context.globalAlpha = is_range ? RANGE_SHARE : 1;
    for (let at = from; at < to; at++) {
      const i = order[at]!;
      const at_row = row[i]!;
      const y = top[at_row]!;
      const h = height[at_row]!;
      if (h === 0 || y >= canvas_height || y + h <= 0) continue;
      const right = x1[i]! * factor + offset;
      const left = x0[i]! * factor + offset;
      if (right < 0 || left >= canvas_width) continue;
      const is_op = count[i] === 1 && density[i] === 255;
      if (is_op && right - left < EXACT_PX) {
        // Pixels that it covers in part are as dark as that: no op is a pixel wider than its equal in another step.
        context.fillRect(left, y, Math.max(right - left - gapOf(right - left, column_px), LEAST_PX), h);
        continue;
      }
      // Off-screen ends are cut: some browsers lose rectangles that are millions of pixels wide.
      const begin = Math.max(Math.round(left), -2);
      const end = Math.min(Math.round(right), canvas_width + 2);
      // One pixel between ops, none between columns.
      const width = Math.max(end - begin - (is_op ? 1 : 0), 1);
      if (!is_range || !is_op || h < LEAST_OUTLINE_PX) context.fillRect(begin, y, width, h);
      else outline(context, { x: begin, y, width, height: h }, Math.max(1, Math.round(place.pixel_ratio)));
    }
  }
  context.globalAlpha = 1;
}

const lastPart = (name: string): string => name.slice(name.lastIndexOf('/') + 1);

/** As much of a name as has room; the direction of a transfer only next to the last part of its tensor. */
function nameWithin(name: string, route: string, width: number, ruler: TextRuler): string | null {
  const has_route = route !== '' && ruler.width(lastPart(name) + route) <= width;
  const room = has_route ? width - ruler.width(route) : width;
  const shown = shortened(name, (candidate) => ruler.width(candidate) <= room);
  return shown !== null && has_route ? shown + route : shown;
}

/** Where the next mark of the same row begins, in the marks' own pixels. */
function freeAfter({ marks, row_starts }: Batch, index: number): number {
  const next = index + 1;
  return next < (row_starts[marks.row[index]! + 1] ?? 0) ? marks.x0[next]! : Infinity;
}

const LABEL_PADDING = 4;
/** Narrower marks have no room for three letters. */
const LEAST_LABEL_WIDTH = 22;
/** More labels than this in one frame are more than anyone reads, and text is what costs. */
const MOST_LABELS = 1500;

/** Where a transfer goes or comes from, after its tensor; empty for other ops, and while it is not known. */
export type RouteOf = (op: OpId) => string;

export function drawLabels(
  context: CanvasRenderingContext2D,
  batch: Batch,
  place: Placement,
  ruler: TextRuler,
  theme: Theme,
  routeOf: RouteOf,
): void {
  const { marks, labelled } = batch;
  const { row, x0, x1, text, names } = marks;
  const { top, height, factor, offset, canvas_width, canvas_height, pixel_ratio } = place;
  context.font = theme.font;
  context.textBaseline = 'middle';
  context.textAlign = 'left';
  context.fillStyle = theme.label;
  const soft = isSoft(batch);
  const least_height = 12 * pixel_ratio;
  let drawn = 0;
  context.save();
  context.scale(pixel_ratio, pixel_ratio);
  for (const i of labelled) {
    const lane = row[i]!;
    const h = height[lane]!;
    const y = top[lane]!;
    if (h < least_height || y >= canvas_height || y + h <= 0) continue;
    const left = Math.max(x0[i]! * factor + offset, 0);
    const right = Math.min(x1[i]! * factor + offset, canvas_width);
    const width = (right - left) / pixel_ratio - 2 * LABEL_PADDING;
    if (width < LEAST_LABEL_WIDTH - 2 * LABEL_PADDING) continue;
    const name = names[text[i]!] ?? '';
    const route = routeOf(marks.op[i]!);
    const inside = nameWithin(name, route, width, ruler);
    const middle = (y + h / 2) / pixel_ratio + 0.5;
    const is_lit = batch.wanted === 0 || soft || standsOut(batch, i);
    if (inside !== kernelLabel(name) + route) {
      // Next to the mark, where nothing else is, a name may have more room than in it.
      const end = Math.min(freeAfter(batch, i) * factor + offset, canvas_width);
      const outside = nameWithin(name, route, (end - right) / pixel_ratio - 2 * LABEL_PADDING, ruler);
      if (outside !== null && outside.length > (inside?.length ?? 0)) {
        context.fillStyle = is_lit ? theme.text : theme.muted;
        context.fillText(outside, right / pixel_ratio + LABEL_PADDING, middle);
        if (++drawn >= MOST_LABELS) break;
        continue;
      }
    }
    if (inside === null) continue;
    const ink = isRange(batch, marks.style[i]!) && h >= LEAST_OUTLINE_PX ? theme.muted : theme.label;
    context.fillStyle = is_lit ? ink : theme.label_faded;
    context.fillText(inside, left / pixel_ratio + LABEL_PADDING, middle);
    if (++drawn >= MOST_LABELS) break;
  }
  context.restore();
}
