// Where something stands next to a rectangle without covering it.
import { clamp, type Rect } from './geom';

interface Size {
  width: number;
  height: number;
}

/** Between the two, and from the edges of the area, in CSS pixels. */
const GAP = 10;
const EDGE = 8;

interface Place {
  x: number;
  y: number;
}

/** The upper left corner of a box of `size` next to `around`, within `area`: right of it, left of it, below, above, whichever first has room. */
export function beside(around: Rect, size: Size, area: Rect): Place | null {
  const low = { x: area.x + EDGE, y: area.y + EDGE };
  const high = {
    x: Math.max(low.x, area.x + area.width - EDGE - size.width),
    y: Math.max(low.y, area.y + area.height - EDGE - size.height),
  };
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
  return places.find((at) => at.x >= low.x && at.x <= high.x && at.y >= low.y && at.y <= high.y) ?? null;
}

/** How high a box may be to have room above or below `around`. */
export const roomBeside = (around: Rect, area: Rect): number =>
  Math.max(around.y - area.y, area.y + area.height - around.y - around.height) - GAP - EDGE;

/** Where there is no room next to `around`: the corner of the area in which a box covers least of it. */
export function farCorner(around: Rect, size: Size, area: Rect): Place {
  const [right, bottom] = [area.x + area.width - EDGE - size.width, area.y + area.height - EDGE - size.height];
  const [left, top] = [area.x + EDGE, area.y + EDGE];
  const corners = [
    { x: right, y: bottom },
    { x: left, y: bottom },
    { x: right, y: top },
    { x: left, y: top },
  ];
  const covered = (at: Place) => overlap({ ...at, ...size }, around);
  return corners.reduce((best, at) => (covered(at) < covered(best) ? at : best));
}

/** What two rectangles share. */
export function overlap(one: Rect, other: Rect): number {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return width > 0 && height > 0 ? width * height : 0;
}
