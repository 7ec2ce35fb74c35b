// What lies over the marks: the range, the selected op, the op under the pointer, the pointer's time. CSS pixels.
import type { Rect } from '../base/geom';
import { pointWriter, type Clock } from '../base/clock';
import { formatDuration } from '../base/time';
import { lengthOf, type TimeScale, type Window } from '../base/time_scale';
import { outline, plateAt, type Plate } from './shapes';
import type { Theme } from './theme';

export function drawSelected(context: CanvasRenderingContext2D, rect: Rect, theme: Theme): void {
  const seen = { ...rect, width: Math.max(rect.width, 3) };
  outline(context, seen, 2.5, 2, theme.halo);
  outline(context, seen, 1, 2, theme.text);
}

export function drawHovered(context: CanvasRenderingContext2D, rect: Rect, theme: Theme): void {
  outline(context, { ...rect, width: Math.max(rect.width, 2) }, 0.5, 1, theme.text);
}

/** Dims what is outside the range and marks its edges; with `boxes`, what it is about is inside of them only. */
export function drawRange(
  context: CanvasRenderingContext2D,
  range: Window,
  boxes: readonly { y: number; height: number }[] | null,
  scale: TimeScale,
  height: number,
  theme: Theme,
): void {
  const left = scale.toPx(range.start);
  const right = scale.toPx(range.end);
  const inside = { from: Math.max(left, 0), to: Math.min(right, scale.width) };
  context.fillStyle = theme.range;
  if (left > 0) context.fillRect(0, 0, Math.min(left, scale.width), height);
  if (right < scale.width) context.fillRect(Math.max(right, 0), 0, scale.width - Math.max(right, 0), height);
  if (boxes && inside.to > inside.from) {
    let y = 0;
    for (const box of [...boxes, { y: height, height: 0 }]) {
      if (box.y > y) context.fillRect(inside.from, y, inside.to - inside.from, box.y - y);
      y = Math.max(y, box.y + box.height);
    }
  }
  context.fillStyle = theme.accent;
  context.globalAlpha = boxes ? 0.4 : 1;
  for (const x of [left, right]) if (x >= -1 && x <= scale.width + 1) context.fillRect(Math.round(x) - 0.5, 0, 1, height);
  context.globalAlpha = 1;
  for (const box of boxes ?? []) outline(context, { x: left, y: box.y, width: right - left, height: box.height }, 0.5, 1.5, theme.accent);
}

/** The edge of an op that an edge of the range has taken: a bar along it, with a pointer at each end. */
export function drawSnap(context: CanvasRenderingContext2D, x: number, lane: { y: number; height: number }, theme: Theme): void {
  const [top, bottom] = [lane.y - lane.height / 2, lane.y + lane.height / 2];
  for (const [width, fill] of [
    [7, theme.halo],
    [3, theme.accent],
  ] as const) {
    context.fillStyle = fill;
    context.fillRect(Math.round(x) - width / 2, top - 2, width, bottom - top + 4);
  }
  for (const [y, way] of [
    [top - 3, -1],
    [bottom + 3, 1],
  ] as const) {
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x - 4, y + 6 * way);
    context.lineTo(x + 4, y + 6 * way);
    context.fill();
  }
}

/** The moment under the pointer, through all lanes. */
export function drawPointerLine(context: CanvasRenderingContext2D, x: number, height: number, theme: Theme): void {
  context.globalAlpha = 0.3;
  context.fillStyle = theme.text;
  context.fillRect(Math.round(x), 0, 1, height);
  context.globalAlpha = 1;
}

/** The range's length, as a plate for the axis; null where the range is out of sight. */
export function rangePlate(context: CanvasRenderingContext2D, range: Window, scale: TimeScale, theme: Theme): Plate | null {
  const left = Math.max(scale.toPx(range.start), 0);
  const right = Math.min(scale.toPx(range.end), scale.width);
  if (right <= 0 || left >= scale.width) return null;
  context.font = theme.font;
  return plateAt(context, formatDuration(lengthOf(range)), (left + right) / 2, 3, scale.width);
}

/** The range on the axis: a line as long as it. */
export function drawRangeOnAxis(context: CanvasRenderingContext2D, range: Window, scale: TimeScale, height: number, theme: Theme): void {
  const left = Math.max(scale.toPx(range.start), 0);
  const right = Math.min(scale.toPx(range.end), scale.width);
  if (right <= 0 || left >= scale.width) return;
  context.fillStyle = theme.accent;
  context.fillRect(left, height - 3, Math.max(right - left, 1), 3);
}

/** The time under the pointer, as a plate for the axis; next to what is `taken`, which it does not cover. */
export function pointerPlate(
  context: CanvasRenderingContext2D,
  x: number,
  scale: TimeScale,
  clock: Clock,
  theme: Theme,
  taken: Plate | null,
): Plate {
  context.font = theme.font;
  const write = pointWriter(clock, scale.start, scale.end);
  const plate = plateAt(context, write(scale.toNs(x), Math.max(scale.lengthOf(1), 1)), x, 3, scale.width);
  if (taken) plate.rect.x = clearOf(plate.rect, taken.rect, scale.width);
  return plate;
}

/** Of a plate next to the pointer's line, and how tall it is. */
const READING = { gap: 5, height: 14 };

/** A value at the pointer's line: left of it, where the tooltip is not, unless there is no room. */
export function readingPlate(context: CanvasRenderingContext2D, text: string, x: number, y: number, width: number, theme: Theme): Plate {
  context.font = theme.small_font;
  const own = Math.ceil(context.measureText(text).width) + 10;
  const left = x - READING.gap - own;
  return {
    text,
    rect: { x: left >= 2 ? left : Math.min(x + READING.gap, width - own), y: y - READING.height / 2, width: own, height: READING.height },
  };
}

/** Between two plates of the axis. */
const PLATE_GAP = 3;

/** Where `rect` goes so that it does not cover `taken`: to the nearer side that has room. */
export function clearOf(rect: Rect, taken: Rect, width: number): number {
  const before = taken.x - PLATE_GAP - rect.width;
  const after = taken.x + taken.width + PLATE_GAP;
  if (rect.x <= before || rect.x >= after) return rect.x;
  const to_left = before >= 0 && (rect.x - before < after - rect.x || after + rect.width > width);
  return to_left ? before : after;
}
