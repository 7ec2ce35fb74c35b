// Arrows that begin and end near each other, as one thicker arrow with a count: a picture of many is no picture.
import { clamp, type Rect } from '../base/geom';
import type { OpId } from '../engine/protocol';

export interface Point {
  x: number;
  y: number;
}

/** One arrow in CSS pixels of the canvas. */
export interface Arrow {
  from: Point;
  to: Point;
  /** The op at its end that is further from the selected one. */
  leads_to: OpId;
  name: string;
  /** Towards the selected op if negative, else away from it; how many arrows away. */
  hop: number;
  /** Where it ends. */
  lane_height: number;
}

/** What is drawn as one; the first arrow says where. */
export type Bundle = readonly [Arrow, ...Arrow[]];

/** Ends that lie within one such box look the same to everyone. */
const BOX_WIDTH = 36;
const BOX_HEIGHT = 14;
/** Shorter ones are a dot. */
const SHORTEST = 5;
/** How far outside an end is drawn that is further away: a line to the far end would hardly show where it leads. */
const BEYOND = 60;

/** Where a point is drawn: itself, or its place beyond the edge of the area. */
export const nearby = ({ x, y }: Point, area: Rect): Point => ({
  x: clamp(x, area.x - BEYOND, area.x + area.width + BEYOND),
  y: clamp(y, area.y - BEYOND, area.y + area.height + BEYOND),
});

/** At most `most` bundles, the nearest and the largest first, and how many arrows are in none. */
export function bundled(arrows: readonly Arrow[], area: Rect, most: number): { bundles: Bundle[]; left_out: number } {
  const boxes = new Map<string, [Arrow, ...Arrow[]]>();
  let left_out = 0;
  for (const arrow of arrows) {
    const [from, to] = [nearby(arrow.from, area), nearby(arrow.to, area)];
    if (!crosses(from, to, area) || (Math.abs(arrow.hop) > 1 && isDot(from, to))) {
      left_out++;
      continue;
    }
    const key = `${arrow.hop} ${box(from)} ${box(to)}`;
    const bundle = boxes.get(key);
    if (bundle) bundle.push(arrow);
    else boxes.set(key, [arrow]);
  }
  const bundles = [...boxes.values()].sort((a, b) => Math.abs(a[0].hop) - Math.abs(b[0].hop) || b.length - a.length);
  for (const bundle of bundles.splice(most)) left_out += bundle.length;
  return { bundles, left_out };
}

const box = ({ x, y }: Point): string => `${Math.floor(x / BOX_WIDTH)} ${Math.floor(y / BOX_HEIGHT)}`;

const isDot = (from: Point, to: Point): boolean => Math.hypot(from.x - to.x, from.y - to.y) < SHORTEST;

/** Whether anything between the two may be visible: not if both are beyond the same edge. */
function crosses(a: Point, b: Point, { x, y, width, height }: Rect): boolean {
  return Math.max(a.x, b.x) >= x && Math.min(a.x, b.x) <= x + width && Math.max(a.y, b.y) >= y && Math.min(a.y, b.y) <= y + height;
}
