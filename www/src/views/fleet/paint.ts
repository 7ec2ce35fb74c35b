// Draws a fleet: the picture with names and steps, what is chosen in it, and the series below.
import type { Rect } from '../../base/geom';
import { shortened } from '../../base/names';
import { HeatImages, inksOf } from '../../draw/heat';
import { parseHex } from '../../draw/color';
import type { Theme } from '../../draw/theme';
import { rowAt } from '../../state/fleet/open';
import { sightOf } from '../../state/fleet/sight';
import type { At, Fleet, Sight } from '../../state/fleet_open';
import type { Surface } from '../shared/canvas';
import { boxesOf, boxOf, type Boxes } from './boxes';
import { rowWords, written } from './words';

/** Names and steps closer than this would touch, in CSS pixels. */
const LEAST = { name: 13, step: 64 };

/** The images of the picture that is shown; made anew for another picture or other colours. */
export class Pictures {
  #of: unknown = null;
  #palette: Theme | null = null;
  #images: HeatImages | null = null;

  imagesOf({ heat, run }: Fleet, palette: Theme): HeatImages | null {
    if (!heat || !run) return null;
    if (this.#of !== heat.is || this.#palette !== palette || !this.#images) {
      const whole = { columns: run.first_steps.length, rows: run.rows.length, levels: heat.is.levels };
      this.#images = new HeatImages(whole, inksOf(palette.ramp, parseHex(palette.idle)));
      [this.#of, this.#palette] = [heat.is, palette];
    }
    return this.#images;
  }
}

export function paintFleet(fleet: Fleet, canvas: Surface, palette: Theme, pictures: Pictures, has_focus: boolean): void {
  canvas.clear();
  const { context, width, height, ratio } = canvas;
  const images = pictures.imagesOf(fleet, palette);
  if (!images || width === 0) return;
  const boxes = boxesOf(fleet, width, height);
  const sight = sightOf(fleet);
  images.draw(context, sight, boxes.picture, ratio);
  context.font = palette.font;
  context.textBaseline = 'middle';
  paintNames(fleet, context, boxes, sight, palette);
  paintSteps(fleet, context, boxes, sight, palette);
  paintSeries(fleet, context, boxes, sight, palette);
  for (const [at, strong] of [[fleet.hover, false] as const, [fleet.chosen, true] as const])
    if (at) paintFrame(fleet, context, boxes, at, palette, strong && has_focus);
}

function inside(context: CanvasRenderingContext2D, { x, y, width, height }: Rect, paint: () => void): void {
  context.save();
  context.beginPath();
  context.rect(x, y, width, height);
  context.clip();
  paint();
  context.restore();
}

/** How many rows or columns lie from one label to the next, so that they are `least` pixels apart. */
const every = (size: number, least: number): number => {
  const wanted = least / Math.max(size, 1e-9);
  const power = 10 ** Math.floor(Math.log10(Math.max(wanted, 1)));
  return [1, 2, 5, 10].map((part) => part * power).find((step) => step >= wanted) ?? 10 * power;
};

function paintNames(fleet: Fleet, context: CanvasRenderingContext2D, { names }: Boxes, { y0, y1 }: Sight, palette: Theme): void {
  const { run } = fleet;
  if (!run) return;
  const size = names.height / (y1 - y0);
  const step = every(size, LEAST.name);
  context.textAlign = 'left';
  inside(context, names, () => {
    for (let row = Math.floor(y0 / step) * step; row < y1; row += step) {
      const own = run.rows[rowAt(fleet, { row })];
      if (!own || row < 0) continue;
      context.fillStyle = row === (fleet.hover ?? fleet.chosen)?.row ? palette.text : palette.muted;
      const text = shortened(rowWords(own), (part) => context.measureText(part).width <= names.width - 10);
      // The first one of many rows is whole, too.
      context.fillText(text ?? '', 2, Math.max(names.y + (row + 0.5 - y0) * size, names.y + 7));
    }
  });
}

function paintSteps(fleet: Fleet, context: CanvasRenderingContext2D, { axis, picture }: Boxes, { x0, x1 }: Sight, palette: Theme): void {
  const { run } = fleet;
  if (!run) return;
  const size = axis.width / (x1 - x0);
  const step = every(size, LEAST.step);
  context.textAlign = 'left';
  inside(context, axis, () => {
    for (let column = Math.ceil(x0 / step) * step; column < x1; column += step) {
      const x = axis.x + (column - x0) * size;
      context.fillStyle = palette.line;
      context.fillRect(x, axis.height - 6, 1, 6);
      context.fillStyle = palette.muted;
      context.fillText(String(run.first_steps[column] ?? ''), x + 4, axis.height / 2);
    }
  });
  context.strokeStyle = palette.line;
  context.strokeRect(picture.x - 0.5, picture.y - 0.5, picture.width + 1, picture.height + 1);
}

/** Of the columns that share a pixel, the highest of `values`, or the lowest; NaN where none has a value. */
function extreme(values: Float32Array, from: number, to: number, highest: boolean): number {
  let found = NaN;
  for (let at = from; at < to; at++) {
    const value = values[at]!;
    if (Number.isNaN(value)) continue;
    if (Number.isNaN(found) || (highest ? value > found : value < found)) found = value;
  }
  return found;
}

function paintSeries(fleet: Fleet, context: CanvasRenderingContext2D, { series: box }: Boxes, { x0, x1 }: Sight, palette: Theme): void {
  const { series, heat, run } = fleet;
  if (!series || !heat || !run) return;
  const { p10, median, p90, most } = series.is;
  const columns = run.first_steps.length;
  const size = box.width / (x1 - x0);
  const [first, end] = [Math.max(Math.floor(x0), 0), Math.min(Math.ceil(x1), columns)];
  /** How many columns a point stands for. */
  const group = Math.max(1, Math.floor(1 / size));
  const high = extreme(most, first, end, true);
  if (Number.isNaN(high)) return;
  const x = (column: number) => box.x + (column - x0) * size;
  const y = (value: number) => box.y + box.height - 2 - (value / (high || 1)) * (box.height - 10);
  /** A step for each point: from the left edge of its columns to the right one. */
  const trace = (values: Float32Array, highest: boolean, offset = 0) => {
    let is_down = false;
    for (let at = Math.floor(first / group) * group; at < end; at += group) {
      const to = Math.min(at + group, columns);
      const value = extreme(values, offset + at, offset + to, highest);
      if (Number.isNaN(value)) {
        is_down = false;
        continue;
      }
      if (is_down) context.lineTo(x(at), y(value));
      else context.moveTo(x(at), y(value));
      context.lineTo(x(to), y(value));
      is_down = true;
    }
  };
  inside(context, box, () => {
    // What is typical of workers and parameter servers together is so of neither.
    const is_one_job = run.rows.every(({ job }) => job === run.rows[0]?.job);
    context.fillStyle = palette.idle;
    for (let at = Math.floor(first / group) * group; is_one_job && at < end; at += group) {
      const to = Math.min(at + group, columns);
      const [low, top] = [extreme(p10, at, to, false), extreme(p90, at, to, true)];
      if (!Number.isNaN(low)) context.fillRect(x(at), y(top), x(to) - x(at), Math.max(y(low) - y(top), 1));
    }
    const line = (values: Float32Array, color: string, width: number, dash: number[], offset = 0) => {
      context.beginPath();
      context.strokeStyle = color;
      context.lineWidth = width;
      context.setLineDash(dash);
      trace(values, true, offset);
      context.stroke();
      context.setLineDash([]);
    };
    line(most, palette.muted, 1, [2, 2]);
    if (is_one_job) line(median, palette.text, 1.25, []);
    const row = (fleet.hover ?? fleet.chosen)?.row;
    if (row !== undefined && row < run.rows.length) line(heat.is.values, palette.accent, 1.5, [], row * columns);
    const hover = fleet.hover ?? fleet.chosen;
    if (hover) {
      context.fillStyle = palette.range;
      context.fillRect(x(hover.column), box.y, Math.max(size, 1), box.height);
    }
  });
  context.fillStyle = palette.line;
  context.fillRect(box.x, box.y + box.height - 1, box.width, 1);
  context.textAlign = 'right';
  context.fillStyle = palette.muted;
  context.fillText(written(high, heat.is.scale.is_share), box.x - 6, y(high) + 4);
  context.fillText('0', box.x - 6, box.y + box.height - 6);
}

function paintFrame(fleet: Fleet, context: CanvasRenderingContext2D, boxes: Boxes, at: At, palette: Theme, is_strong: boolean): void {
  const { x, y, width, height } = boxOf(fleet, boxes, at);
  const { picture } = boxes;
  inside(context, { x: picture.x - 2, y: picture.y - 2, width: picture.width + 4, height: picture.height + 4 }, () => {
    const [wide, tall] = [Math.max(width, 3), Math.max(height, 3)];
    context.lineWidth = is_strong ? 5 : 3;
    context.strokeStyle = palette.halo;
    context.strokeRect(x - 0.5, y - 0.5, wide + 1, tall + 1);
    context.lineWidth = is_strong ? 2.5 : 1.5;
    context.strokeStyle = palette.text;
    context.strokeRect(x - 0.5, y - 0.5, wide + 1, tall + 1);
    context.lineWidth = 1;
  });
}
