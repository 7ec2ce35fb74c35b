// Numbers and rectangles on the screen.

/** In CSS pixels unless a name says otherwise. */
export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

export const clamp = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high);

export const holds = (rect: Rect, x: number, y: number): boolean =>
  x >= rect.x && x < rect.x + rect.width && y >= rect.y && y < rect.y + rect.height;

/** The first index in [from, to) where `at(index) >= value`; `at` must not fall. */
export function lowerBound(from: number, to: number, value: number, at: (index: number) => number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (at(middle) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
