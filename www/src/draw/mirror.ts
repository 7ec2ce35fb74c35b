// One half of the mirrored timelines: marks in the colours of how their ops changed.
import type { Rect } from '../base/geom';
import { shortened } from '../base/names';
import { NONE, type MirrorHalf } from '../engine/protocol';
import type { TextRuler } from './text';

/** What the kinds of change look like. Each differs from the others by lightness, too. */
export interface ChangeInks {
  same: string;
  slower: string;
  faster: string;
  only_a: string;
  only_b: string;
  label: string;
}

/** Where the rows of a half are, by row of its marks: lanes as they were asked for, then stacks. In CSS pixels; height 0 hides a row. */
export interface HalfPlace {
  top: Float32Array;
  height: Float32Array;
  /** From the marks' own pixels. */
  factor: number;
  offset: number;
  width: number;
  bottom: number;
}

/** What is drawn of the marks. */
export interface HalfLook {
  /** Whether this is the half below the middle. */
  of_b: boolean;
  /** Whether ops are drawn in the place of their partners: those without one leave a gap, drawn as an outline. */
  is_ghost: boolean;
}

/** Sparse columns stay visible. */
const LEAST_INK = 0.35;
const LEAST_PX = 0.75;
/** A mark is named where it has this much room, in CSS pixels. */
const NAMED = { width: 34, height: 10.5, padding: 3 };
const MOST_NAMES = 400;

const inkOf = (inks: ChangeInks, change: number, of_b: boolean): string =>
  [inks.same, inks.slower, inks.faster, of_b ? inks.only_b : inks.only_a][change] ?? inks.same;

/** Where mark `at` is; null where that is out of sight. */
export function markBox({ marks }: MirrorHalf, place: HalfPlace, at: number): Rect | null {
  const row = marks.row[at] ?? 0;
  const [y, height] = [place.top[row] ?? 0, place.height[row] ?? 0];
  if (height === 0 || y >= place.bottom || y + height <= 0) return null;
  const left = (marks.x0[at] ?? 0) * place.factor + place.offset;
  const right = (marks.x1[at] ?? 0) * place.factor + place.offset;
  if (right < 0 || left > place.width) return null;
  const from = Math.max(left, -2);
  return { x: from, y, width: Math.max(Math.min(right, place.width + 2) - from, LEAST_PX), height };
}

export function drawHalf(
  context: CanvasRenderingContext2D,
  half: MirrorHalf,
  place: HalfPlace,
  { of_b, is_ghost }: HalfLook,
  inks: ChangeInks,
  ruler: TextRuler,
): void {
  const { marks, partner, change } = half;
  const named: number[] = [];
  for (let at = 0; at < marks.row.length; at++) {
    const box = markBox(half, place, at);
    if (!box) continue;
    const ink = inkOf(inks, change[at] ?? 0, of_b !== is_ghost);
    const gap = box.width > 3 ? 1 : 0;
    const height = Math.max(box.height - (box.height > 4 ? 1 : 0), 1);
    if (is_ghost && partner[at] === NONE) {
      context.globalAlpha = 1;
      context.strokeStyle = ink;
      context.setLineDash([2, 2]);
      if (box.width > 3) context.strokeRect(box.x + 0.5, box.y + 0.5, box.width - 1.5, Math.max(height - 1, 0.5));
      continue;
    }
    context.globalAlpha = LEAST_INK + (1 - LEAST_INK) * ((marks.density[at] ?? 255) / 255);
    context.fillStyle = ink;
    context.fillRect(box.x, box.y, box.width - gap, height);
    if (box.width >= NAMED.width && box.height >= NAMED.height && marks.text[at] !== NONE) named.push(at);
  }
  context.globalAlpha = 1;
  context.setLineDash([]);
  context.fillStyle = inks.label;
  context.textBaseline = 'middle';
  context.textAlign = 'left';
  for (const at of named.slice(0, MOST_NAMES)) {
    const box = markBox(half, place, at);
    if (!box) continue;
    const left = Math.max(box.x, 0);
    const room = Math.min(box.x + box.width, place.width) - left - 2 * NAMED.padding;
    const text = shortened(marks.names[marks.text[at] ?? 0] ?? '', (candidate) => ruler.width(candidate) <= room);
    if (text !== null) context.fillText(text, left + NAMED.padding, box.y + box.height / 2 - 0.5);
  }
}

/** The mark at a point, the narrowest first, so that what is small can be hit; at most `slack` away from it. -1 for none. */
export function markAt(half: MirrorHalf, place: HalfPlace, x: number, y: number, slack: number): number {
  let found = -1;
  let best = Infinity;
  for (let at = 0; at < half.marks.row.length; at++) {
    const box = markBox(half, place, at);
    if (!box || y < box.y || y >= box.y + box.height) continue;
    const away = Math.max(box.x - x, x - box.x - box.width, 0);
    if (away > slack) continue;
    const size = away * 1e6 + box.width;
    if (size < best) [best, found] = [size, at];
  }
  return found;
}
