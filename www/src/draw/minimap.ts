// The whole step in one strip: stacked shares over time, in the canvas's pixels; over it the window, in CSS pixels.
import { WORK, type Minimap } from '../engine/protocol';
import type { TimeScale, Window } from '../base/time_scale';
import type { Theme } from './theme';

const PARTS = WORK.length;

/** Where the step is on a minimap, in the pixels of its canvas. */
export interface StepColumns {
  first: number;
  count: number;
}

/** Draws the step into `columns` of pixels, `height` pixels tall. */
export function drawMinimap(context: CanvasRenderingContext2D, minimap: Minimap, columns: StepColumns, height: number, theme: Theme): void {
  const shares = columnShares(minimap, columns.count);
  // What is not nothing is seen.
  const least = 0.75 * devicePixelRatio;
  context.save();
  context.setTransform(1, 0, 0, 1, 0, 0);
  for (let category = 0; category < PARTS; category++) {
    context.fillStyle = theme.categories[category] ?? theme.text;
    for (let column = 0; column < columns.count; column++) {
      const tall = shares[column * PARTS + category]! * height;
      if (tall <= 0) continue;
      let below = 0;
      for (let other = 0; other < category; other++) below += shares[column * PARTS + other]!;
      context.fillRect(columns.first + column, height - below * height - Math.max(tall, least), 1, Math.max(tall, least));
    }
  }
  context.restore();
}

/**
 * The shares of `count` columns: of each the mean over the time that it covers, so that no part of a slice is counted twice or
 * not at all. The slices are those of the columns already, except just after the width has changed.
 */
export function columnShares({ bins, shares }: Minimap, count: number): Float32Array {
  if (count === bins) return shares;
  const means = new Float32Array(count * PARTS);
  for (let column = 0; column < count; column++) {
    const [from, to] = [(column * bins) / count, ((column + 1) * bins) / count];
    for (let bin = Math.floor(from); bin < Math.min(Math.ceil(to), bins); bin++) {
      const part = (Math.min(to, bin + 1) - Math.max(from, bin)) / (to - from);
      for (let category = 0; category < PARTS; category++)
        means[column * PARTS + category]! += part * (shares[bin * PARTS + category] ?? 0);
    }
  }
  return means;
}

export const HANDLE = 5;

export function drawMinimapWindow(context: CanvasRenderingContext2D, window: Window, scale: TimeScale, height: number, theme: Theme): void {
  const left = Math.max(scale.toPx(window.start), 0);
  const right = Math.min(scale.toPx(window.end), scale.width);
  const shown = { x: left, width: Math.max(right - left, 2) };
  // What is outside fades into the page, in either theme; there is no text on it to be kept legible.
  context.fillStyle = theme.background;
  context.globalAlpha = 0.55;
  context.fillRect(0, 0, shown.x, height);
  context.fillRect(shown.x + shown.width, 0, scale.width - shown.x - shown.width, height);
  context.globalAlpha = 1;
  context.strokeStyle = theme.accent;
  context.lineWidth = 1;
  context.strokeRect(Math.round(shown.x) + 0.5, 0.5, Math.max(Math.round(shown.width) - 1, 1), height - 1);
  context.fillStyle = theme.accent;
  for (const x of [shown.x, shown.x + shown.width - 3]) {
    context.beginPath();
    context.roundRect(x, height / 2 - 8, 3, 16, 1.5);
    context.fill();
  }
}

export function drawMinimapRange(context: CanvasRenderingContext2D, range: Window, scale: TimeScale, height: number, theme: Theme): void {
  context.fillStyle = theme.accent;
  context.fillRect(scale.toPx(range.start), height - 3, Math.max((range.end - range.start) * scale.density, 2), 3);
}

/** Pennants where notes begin, and for stretches a line as long as they are. */
export function drawMinimapNotes(
  context: CanvasRenderingContext2D,
  notes: readonly { start_ns: number; end_ns: number }[],
  scale: TimeScale,
  height: number,
  theme: Theme,
): void {
  context.fillStyle = theme.note;
  for (const { start_ns, end_ns } of notes) {
    const x = Math.round(scale.toPx(start_ns));
    context.globalAlpha = 0.8;
    context.fillRect(x, 0, 1, height);
    context.globalAlpha = 1;
    if (end_ns > start_ns) context.fillRect(x, 0, Math.max((end_ns - start_ns) * scale.density, 1), 2);
    context.beginPath();
    context.moveTo(x, 0);
    context.lineTo(x + 7, 3.5);
    context.lineTo(x, 7);
    context.fill();
  }
}
