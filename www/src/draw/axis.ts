// The time axis and its grid: round steps, one unit for all labels, as many as fit.
import { axisUnit, formatPoint } from '../base/time';
import type { Rect } from '../base/geom';
import type { TimeScale } from '../base/time_scale';
import type { Theme } from './theme';

/** Labels closer than this would touch. */
const LABEL_SPACING = 110;

/** The smallest of 1, 2, 5 times a power of ten that is at least `length`. */
export function roundStep(length: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(length, 1)));
  const lead = length / power;
  return power * (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10);
}

export interface Tick {
  at: number;
  x: number;
  label: string;
}

export function ticks(scale: TimeScale): { step: number; ticks: Tick[] } {
  const step = roundStep(scale.lengthOf(LABEL_SPACING));
  const unit = axisUnit(scale.start, scale.end);
  const first = Math.ceil(scale.start / step);
  const last = Math.floor(scale.end / step);
  const found: Tick[] = [];
  for (let index = first; index <= last; index++) {
    const at = index * step;
    found.push({ at, x: scale.toPx(at), label: formatPoint(at, step, unit) });
  }
  return { step, ticks: found };
}

/** Draws in CSS pixels. Labels that would peek out from under what covers them are left out. */
export function drawAxis(
  context: CanvasRenderingContext2D,
  scale: TimeScale,
  height: number,
  theme: Theme,
  covered: readonly Rect[],
): void {
  const { step, ticks: labels } = ticks(scale);
  context.font = theme.font;
  context.textBaseline = 'middle';
  context.textAlign = 'left';
  context.fillStyle = theme.grid;
  const minor = step / 5;
  for (let index = Math.ceil(scale.start / minor); index * minor <= scale.end; index++) {
    context.fillRect(Math.round(scale.toPx(index * minor)), height - 4, 1, 4);
  }
  for (const { x, label } of labels) {
    context.fillStyle = theme.muted;
    context.fillRect(Math.round(x), height - 8, 1, 8);
    const width = context.measureText(label).width + 8;
    if (covered.every((rect) => rect.x > x + width || rect.x + rect.width < x))
      context.fillText(label, Math.round(x) + 4, height / 2 - 1);
  }
}

/** Vertical lines behind the lanes, in device pixels. */
export function drawGrid(
  context: CanvasRenderingContext2D,
  scale: TimeScale,
  height: number,
  pixel_ratio: number,
  theme: Theme,
): void {
  context.fillStyle = theme.grid;
  for (const { x } of ticks(scale).ticks)
    context.fillRect(Math.round(x * pixel_ratio), 0, Math.max(1, Math.round(pixel_ratio) - 1), height);
}
