// The whole step in one strip: stacked shares over time, with the window marked. CSS pixels.
import { WORK, type Minimap } from '../engine/protocol';
import type { TimeScale, Window } from '../base/time_scale';
import type { Theme } from './theme';

const PARTS = WORK.length;

/** `scale` spans the whole minimap; `step_ns` is what its bins divide. */
export function drawMinimap(
  context: CanvasRenderingContext2D,
  minimap: Minimap,
  scale: TimeScale,
  step_ns: number,
  height: number,
  theme: Theme,
): void {
  const { bins, shares } = minimap;
  const first = scale.toPx(0);
  const width = scale.toPx(step_ns) - first;
  const columns = Math.max(1, Math.round(width));
  // A column shows the mean of its bins, and every column the bins that it covers: nothing falls between two columns.
  for (let category = 0; category < PARTS; category++) {
    context.fillStyle = theme.categories[category] ?? theme.text;
    for (let column = 0; column < columns; column++) {
      const from = Math.floor((column * bins) / columns);
      const to = Math.max(from + 1, Math.floor(((column + 1) * bins) / columns));
      let below = 0;
      let share = 0;
      for (let bin = from; bin < to; bin++) {
        for (let other = 0; other < category; other++) below += shares[bin * PARTS + other] ?? 0;
        share += shares[bin * PARTS + category] ?? 0;
      }
      const tall = (share / (to - from)) * height;
      if (tall <= 0) continue;
      const base = height - (below / (to - from)) * height;
      context.fillRect(
        first + (column * width) / columns,
        base - Math.max(tall, 0.75),
        width / columns + 0.3,
        Math.max(tall, 0.75),
      );
    }
  }
}

export const HANDLE = 5;

export function drawMinimapWindow(
  context: CanvasRenderingContext2D,
  window: Window,
  scale: TimeScale,
  height: number,
  theme: Theme,
): void {
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

export function drawMinimapRange(
  context: CanvasRenderingContext2D,
  range: Window,
  scale: TimeScale,
  height: number,
  theme: Theme,
): void {
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
