// Counters as lanes: the last value of each column as an area, and from its lowest to its highest as a line over it.
import { COUNTER_PARTS, STRIP_COLUMN_PX, type CounterLanes } from '../engine/protocol';
import type { Theme } from './theme';

/** Where a lane is, in device pixels, and the values at its bottom and its top. */
export interface CounterPlace {
  counter: number;
  y: number;
  height: number;
  low: number;
  high: number;
}

/** The lowest and the highest value that is drawn of a counter; null where nothing is. */
export type Extent = { min: number; max: number } | null;

/** Zero is always in sight: what is twice as high is twice as much. Of nothing but zeros the scale ends at 1. */
export function scaleOfCounter(min: number, max: number): { low: number; high: number } {
  const low = Math.min(min, 0);
  const high = Math.max(max, 0);
  return { low, high: low === high ? 1 : high };
}

/** The columns of one of the counters at hand; null where they are not. */
export function columnsOfCounter({ query, columns }: CounterLanes, counter: number): Float64Array | null {
  const row = query.counters.indexOf(counter);
  const count = columns.length / Math.max(query.counters.length, 1);
  return row < 0 ? null : columns.subarray(row * count, (row + 1) * count);
}

/** `factor` and `offset` turn the query's pixels into the canvas's. What is drawn of each place, in their order. */
export function drawCounterLanes(
  context: CanvasRenderingContext2D,
  lanes: CounterLanes,
  places: readonly CounterPlace[],
  { factor, offset }: { factor: number; offset: number },
  theme: Theme,
): Extent[] {
  const area = new Path2D();
  const line = new Path2D();
  const pitch = STRIP_COLUMN_PX * factor;
  const thick = Math.max(1, Math.round(devicePixelRatio * 1.5));
  const extents = places.map(({ counter, y, height, low, high }): Extent => {
    const columns = columnsOfCounter(lanes, counter);
    if (!columns) return null;
    const count = columns.length / COUNTER_PARTS;
    const first = Math.max(0, Math.floor(-offset / pitch));
    const end = Math.min(count, Math.ceil((context.canvas.width - offset) / pitch));
    // Halves, because the range of all doubles is larger than a double.
    const yOf = (value: number) => y + height - ((value / 2 - low / 2) / (high / 2 - low / 2)) * height;
    const base = yOf(0);
    let extent: Extent = null;
    for (let column = first; column < end; column++) {
      const [min, max, last] = columns.subarray(column * COUNTER_PARTS, (column + 1) * COUNTER_PARTS);
      if (min === undefined || max === undefined || last === undefined || Number.isNaN(last)) continue;
      const x = column * pitch + offset;
      area.rect(x, yOf(last), pitch, base - yOf(last));
      const top = Math.min(yOf(max), y + height - thick);
      line.rect(x, top, pitch, Math.max(yOf(min) - top, thick));
      extent = extent ? { min: Math.min(extent.min, min), max: Math.max(extent.max, max) } : { min, max };
    }
    return extent;
  });
  context.fillStyle = theme.grid;
  for (const { y } of places) context.fillRect(0, Math.round(y) - 1, context.canvas.width, 1);
  context.fillStyle = theme.accent;
  context.globalAlpha = 0.28;
  context.fill(area);
  context.globalAlpha = 1;
  context.fill(line);
  return extents;
}

/** A flag of instants, in CSS pixels. */
export interface FlagPlace {
  x: number;
  y: number;
  height: number;
  is_chosen: boolean;
}

const PENNANT = { width: 8, height: 8 };

/** A pole with a pennant at its top. */
export function drawInstants(context: CanvasRenderingContext2D, flags: readonly FlagPlace[], theme: Theme): void {
  const poles = new Path2D();
  const pennants = new Path2D();
  const chosen = new Path2D();
  for (const { x, y, height, is_chosen } of flags) {
    poles.rect(x, y, 1, height);
    for (const path of is_chosen ? [pennants, chosen] : [pennants]) {
      path.moveTo(x, y);
      path.lineTo(x + PENNANT.width, y + PENNANT.height / 2);
      path.lineTo(x, y + PENNANT.height);
      path.closePath();
    }
  }
  // They cross the lanes of others, which they must not look like a part of.
  context.fillStyle = theme.text;
  context.globalAlpha = 0.25;
  context.fill(poles);
  context.globalAlpha = 1;
  // A rim tells flags from the ops that they are over.
  context.strokeStyle = theme.halo;
  context.lineWidth = 2;
  context.stroke(pennants);
  context.fillStyle = theme.note;
  context.fill(pennants);
  context.strokeStyle = theme.text;
  context.lineWidth = 1.5;
  context.stroke(chosen);
}
