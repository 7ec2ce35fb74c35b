// The only place where trace time becomes pixels, and pixels time.
//
// Times stay doubles until they are relative to the window: a 32-bit float at 1 ns resolution ends after 16 ms.
import { clamp } from './geom';
import { ns, type Ns } from './time';

/** A half-open stretch of trace time, [start, end). */
export interface Window {
  readonly start: Ns;
  readonly end: Ns;
}

/** Below this marks of a trace in whole nanoseconds come no further apart. */
export const MIN_WINDOW_NS = 20;

export class TimeScale {
  readonly start: Ns;
  readonly end: Ns;
  readonly width: number;
  /** Pixels per nanosecond. */
  readonly density: number;

  constructor(window: Window, width_px: number) {
    this.start = window.start;
    this.end = window.end;
    this.width = width_px;
    this.density = width_px / Math.max(window.end - window.start, Number.MIN_VALUE);
  }

  toPx(at: number): number {
    return (at - this.start) * this.density;
  }

  toNs(px: number): Ns {
    return ns(this.start + px / this.density);
  }

  /** How long `px` pixels last. */
  lengthOf(px: number): Ns {
    return ns(px / this.density);
  }
}

/** Where positions in `from`'s pixels lie in `to`'s: `x * factor + offset`. */
export function transformBetween(from: TimeScale, to: TimeScale): { factor: number; offset: number } {
  return { factor: to.density / from.density, offset: to.toPx(from.start) };
}

export const lengthOf = (window: Window): Ns => ns(window.end - window.start);

export const contains = (outer: Window, inner: Window): boolean => outer.start <= inner.start && outer.end >= inner.end;

/** `window` grown by `share` of its length on both sides. */
export function grown(window: Window, share: number): Window {
  const margin = (window.end - window.start) * share;
  return { start: ns(window.start - margin), end: ns(window.end + margin) };
}

/** The window of `length` in which `at` lies at `share` of the width, as far as the bounds let it. */
export function windowHolding(at: number, share: number, length: number, bounds: Window): Window {
  const held = clamp(length, MIN_WINDOW_NS, bounds.end - bounds.start);
  return moved({ start: ns(at - held * share), end: ns(at + held * (1 - share)) }, 0, bounds);
}

/** `window` scaled by `factor` (below 1 is closer) around `anchor`, which keeps its place on the screen. */
export function zoomed(window: Window, anchor: number, factor: number, bounds: Window): Window {
  const length = window.end - window.start;
  return windowHolding(anchor, (anchor - window.start) / length, length * factor, bounds);
}

/** `window` shifted by `by`, kept inside `bounds`. */
export function moved(window: Window, by: number, bounds: Window): Window {
  const length = window.end - window.start;
  const start = Math.min(Math.max(window.start + by, bounds.start), Math.max(bounds.start, bounds.end - length));
  return { start: ns(start), end: ns(start + length) };
}

/** The window a `share` of the way from one to another: the zoom changes by equal factors, and one moment stays where it is. */
export function windowBetween(from: Window, to: Window, share: number): Window {
  const lengths = [lengthOf(from), lengthOf(to)] as const;
  const length = lengths[0] * (lengths[1] / lengths[0]) ** share;
  const way = Math.abs(lengths[1] / lengths[0] - 1) < 1e-9 ? share : (length - lengths[0]) / (lengths[1] - lengths[0]);
  return { start: ns(from.start + (to.start - from.start) * way), end: ns(from.end + (to.end - from.end) * way) };
}
