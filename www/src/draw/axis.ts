// The time axis and its grid: round steps, one unit for all labels, as many as fit.
import { dateAt, DAY, HOUR, isMidnight, MINUTE, pointWriter, SECOND, type Clock } from '../base/clock';
import type { Rect } from '../base/geom';
import type { TimeScale } from '../base/time_scale';
import type { Theme } from './theme';

/** From one tick to the next, and how the space between is divided by small ones. */
export interface Step {
  length: number;
  parts: number;
}

const decades = (unit: number, powers: readonly number[]): Step[] =>
  powers.flatMap((power) => [
    { length: unit * power, parts: 5 },
    { length: 2 * unit * power, parts: 4 },
    { length: 5 * unit * power, parts: 5 },
  ]);

/** From a nanosecond to centuries: as people divide seconds, minutes, hours and days. */
const STEPS: readonly Step[] = [
  ...decades(1, [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8]),
  ...[SECOND, MINUTE].flatMap((unit) => [
    { length: unit, parts: unit === SECOND ? 5 : 4 },
    { length: 2 * unit, parts: 4 },
    { length: 5 * unit, parts: 5 },
    { length: 10 * unit, parts: 5 },
    { length: 15 * unit, parts: 3 },
    { length: 30 * unit, parts: 3 },
  ]),
  { length: HOUR, parts: 4 },
  { length: 2 * HOUR, parts: 4 },
  { length: 3 * HOUR, parts: 3 },
  { length: 6 * HOUR, parts: 3 },
  { length: 12 * HOUR, parts: 4 },
  ...decades(DAY, [1, 1e1, 1e2, 1e3, 1e4]),
];

/** Ticks closer than this look crowded, however short their labels are. */
const LEAST_SPACING = 90;
/** Between one label and the next. */
const LABEL_GAP = 22;

export interface Tick {
  at: number;
  x: number;
  label: string;
  /** Where a day begins, its date is the label. */
  date: boolean;
}

export interface Ticks {
  step: Step;
  ticks: Tick[];
}

/** How wide a text is. */
export type Measure = (text: string) => number;

export function ticks(scale: TimeScale, clock: Clock, measure: Measure): Ticks {
  const write = pointWriter(clock, scale.start, scale.end);
  const labelOf = (at: number, step: Step) => {
    const date = isMidnight(clock, at) || (clock.day !== null && step.length >= DAY) ? dateAt(clock, at) : null;
    return { label: date ?? write(at, step.length), date: date !== null };
  };
  const fits = (step: Step) => {
    const room = step.length * scale.density;
    const widest = () => Math.max(...[scale.start, scale.end].map((at) => measure(write(at, step.length))));
    return room >= LEAST_SPACING && room >= widest() + LABEL_GAP;
  };
  const step = STEPS.find(fits) ?? (STEPS[STEPS.length - 1] as Step);
  return {
    step,
    ticks: pointsOf(scale, clock, step.length).map((at) => ({ at, x: scale.toPx(at), ...labelOf(at, step) })),
  };
}

/** More than any screen has room for: a window of millennia, which an address may ask for, has no ticks. */
const MOST_POINTS = 20_000;

/** Every multiple of `length` on the clock that lies within the scale. */
function pointsOf(scale: TimeScale, { origin_ns }: Clock, length: number): number[] {
  const first = Math.ceil((origin_ns + scale.start) / length);
  const last = Math.floor((origin_ns + scale.end) / length);
  const count = last - first + 1;
  return Array.from({ length: count > 0 && count <= MOST_POINTS ? count : 0 }, (_, index) => (first + index) * length - origin_ns);
}

/** Draws in CSS pixels. Labels that would peek out from under what covers them, or be cut, are left out. */
export function drawAxis(
  context: CanvasRenderingContext2D,
  scale: TimeScale,
  clock: Clock,
  height: number,
  theme: Theme,
  covered: readonly Rect[],
): void {
  context.font = theme.font;
  context.textBaseline = 'middle';
  context.textAlign = 'left';
  const measure: Measure = (text) => context.measureText(text).width;
  const { step, ticks: labels } = ticks(scale, clock, measure);
  context.fillStyle = theme.grid;
  const small = step.length / step.parts;
  // Nothing in a trace lies between two nanoseconds.
  if (small >= 1) for (const at of pointsOf(scale, clock, small)) context.fillRect(Math.round(scale.toPx(at)), height - 4, 1, 4);
  const taken = [...covered];
  const free = (x: number, width: number) =>
    x + width <= scale.width && taken.every((rect) => rect.x > x + width || rect.x + rect.width < x);
  const write = (text: string, x: number, ink: string) => {
    const width = measure(text) + 8;
    if (!free(x, width)) return;
    context.fillStyle = ink;
    context.fillText(text, x + 4, height / 2 - 1);
    taken.push({ x, y: 0, width, height });
  };
  for (const { x } of labels) {
    context.fillStyle = theme.muted;
    context.fillRect(Math.round(x), height - 8, 1, 8);
  }
  // Dates first: they say what the times next to them mean. The day at the left edge is named unless the next one is near.
  for (const { x, label, date } of labels) if (date) write(label, Math.round(x), theme.text);
  const day = dateAt(clock, scale.start);
  if (day !== null) write(day, 0, theme.text);
  for (const { x, label, date } of labels) if (!date) write(label, Math.round(x), theme.muted);
}

/** Vertical lines behind the lanes, in device pixels. */
export function drawGrid(
  context: CanvasRenderingContext2D,
  scale: TimeScale,
  clock: Clock,
  height: number,
  pixel_ratio: number,
  theme: Theme,
): void {
  context.font = theme.font;
  const { ticks: lines } = ticks(scale, clock, (text) => context.measureText(text).width);
  context.fillStyle = theme.grid;
  for (const { x } of lines) context.fillRect(Math.round(x * pixel_ratio), 0, Math.max(1, Math.round(pixel_ratio) - 1), height);
}
