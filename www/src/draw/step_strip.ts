// The lengths of steps as bars side by side, each divided as its step is, with a tick over those that stand out. CSS pixels.
import { clamp } from '../base/geom';
import { PART_FIGURES, WORK, type Step } from '../engine/protocol';
import type { Theme } from './theme';

/** Room above the bars for ticks. */
const HEADROOM = 7;
/** Wider bars would look like a picture of something else. */
const WIDEST = 26;

export interface StripShape {
  width: number;
  height: number;
  /** What a bar of full height is long. */
  longest_ns: number;
  /** How far it is from bar to bar. Where there are more steps than pixels, it is less than one. */
  pitch: number;
}

export function stripShape(steps: readonly Step[], width: number, height: number): StripShape {
  const longest_ns = steps.reduce((longest, { window_ns }) => Math.max(longest, window_ns), 1);
  return { width, height, longest_ns, pitch: Math.min(WIDEST, width / Math.max(steps.length, 1)) };
}

/** The step at `x`; null right of the last. */
export function stepAt({ pitch }: StripShape, count: number, x: number): number | null {
  const step = Math.floor(x / pitch);
  return step >= 0 && step < count ? step : null;
}

interface Marked {
  chosen: number | null;
  picked?: readonly [number, number] | null;
  usual?: number | null;
  usual_ns: number | null;
}

export function drawStepStrip(
  context: CanvasRenderingContext2D,
  steps: readonly Step[],
  shape: StripShape,
  /** Which one is shown, which ones are the range, which one is typical, and what they usually are long. */
  { chosen, picked = null, usual = null, usual_ns }: Marked,
  theme: Theme,
): void {
  const { width, height, longest_ns, pitch } = shape;
  const gap = pitch >= 4 ? 1 : 0;
  const tall = (length_ns: number) => (length_ns / longest_ns) * (height - HEADROOM);
  // Of several steps in one column the longest is seen: outliers must not be lost.
  const columns = Math.min(steps.length, Math.max(1, Math.floor(steps.length * Math.min(pitch, 1))));
  for (let column = 0; column < columns; column++) {
    const from = Math.floor((column * steps.length) / columns);
    const to = Math.max(from + 1, Math.floor(((column + 1) * steps.length) / columns));
    const here = steps.slice(from, to);
    const step = here.reduce((longest, other) => (other.window_ns > longest.window_ns ? other : longest));
    const x = from * pitch;
    const wide = Math.max(pitch - gap, 1);
    let y = height;
    WORK.forEach((_, category) => {
      const part = step[PART_FIGURES[category] ?? 'idle_ns'];
      context.fillStyle = theme.categories[category] ?? theme.text;
      context.fillRect(x, y - tall(part), wide, tall(part));
      y -= tall(part);
    });
    context.fillStyle = theme.line;
    context.fillRect(x, height - tall(step.window_ns), wide, Math.max(0, y - height + tall(step.window_ns)));
    if (here.some(({ stands_out }) => stands_out)) tick(context, x + wide / 2, height - tall(step.window_ns) - 2, theme);
  }
  const typical = usual === null ? undefined : steps[usual];
  if (usual !== null && typical) dot(context, usual * pitch + Math.max(pitch - gap, 1) / 2, height - tall(typical.window_ns) - 3, theme);
  if (usual_ns !== null) {
    context.strokeStyle = theme.text;
    context.globalAlpha = 0.55;
    context.setLineDash([3, 3]);
    context.lineWidth = 1;
    const y = Math.round(height - tall(usual_ns)) + 0.5;
    context.beginPath();
    context.moveTo(0, y);
    context.lineTo(Math.min(width, steps.length * pitch), y);
    context.stroke();
    context.setLineDash([]);
    context.globalAlpha = 1;
  }
  if (picked) {
    const [from, to] = picked.map((step) => clamp(step * pitch, 0, width - 2)) as [number, number];
    context.strokeStyle = theme.accent;
    context.lineWidth = 2;
    context.strokeRect(from, 1, Math.max(to + pitch - gap - from, 2), height - 2);
  }
  const shown = chosen === null ? undefined : steps[chosen];
  if (chosen === null || !shown) return;
  const x = clamp(chosen * pitch, 0, width - 2);
  const top = height - tall(shown.window_ns);
  context.strokeStyle = theme.accent;
  context.lineWidth = 2;
  context.strokeRect(x, Math.max(top, 1), Math.max(pitch - gap, 2), Math.max(height - top - 1, 2));
}

/** A small dot over a bar. */
function dot(context: CanvasRenderingContext2D, x: number, y: number, theme: Theme): void {
  context.fillStyle = theme.accent;
  context.beginPath();
  context.arc(x, y, 2.5, 0, 2 * Math.PI);
  context.fill();
}

/** A small triangle that points at a bar. */
function tick(context: CanvasRenderingContext2D, x: number, y: number, theme: Theme): void {
  context.fillStyle = theme.text;
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x - 3, y - 5);
  context.lineTo(x + 3, y - 5);
  context.fill();
}
