// Where something stands next to a rectangle without covering it.
import { clamp, type Rect } from './geom';

interface Size {
  width: number;
  height: number;
}

/** Between the two, and from the edges of the area, in CSS pixels. */
const GAP = 10;
const EDGE = 8;

/**
 * The corner of a box of `size` next to `around`, within `area`: right of it, left of it, below, above, whichever first has room. Where none has, the
 * corner of the area in which it covers least.
 */
export function beside(around: Rect, size: Size, area: Rect): { x: number; y: number } {
  const low = { x: area.x + EDGE, y: area.y + EDGE };
  const high = { x: Math.max(low.x, area.x + area.width - EDGE - size.width), y: Math.max(low.y, area.y + area.height - EDGE - size.height) };
  // Of what is wider than the area, the middle of what is seen.
  const left = Math.max(around.x, area.x);
  const right = Math.min(around.x + around.width, area.x + area.width);
  const x = clamp((left + right - size.width) / 2, low.x, high.x);
  const y = clamp(around.y, low.y, high.y);
  const places = [
    { x: around.x + around.width + GAP, y },
    { x: around.x - GAP - size.width, y },
    { x, y: around.y + around.height + GAP },
    { x, y: around.y - GAP - size.height },
  ];
  const corners = [high, { x: low.x, y: high.y }, { x: high.x, y: low.y }, low];
  const covered = (at: { x: number; y: number }) => overlap({ ...at, ...size }, around);
  return (
    places.find((at) => at.x >= low.x && at.x <= high.x && at.y >= low.y && at.y <= high.y) ??
    corners.reduce((best, at) => (covered(at) < covered(best) ? at : best))
  );
}

/** What two rectangles share. */
export function overlap(one: Rect, other: Rect): number {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return width > 0 && height > 0 ? width * height : 0;
}
