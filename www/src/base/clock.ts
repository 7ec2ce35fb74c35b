// How points in time are written: counted from the step's start, or as a wall clock (UTC) showed them.
//
// Origins are nanoseconds since 1970, more than a double holds; split into a day and the time since its midnight, both are
// exact.
import { clamp } from './geom';
import { LANGUAGE } from './messages';
import { grouped, NO_BREAK_SPACE, unitFor } from './time';

export const SECOND = 1e9;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const MOST_DAYS = 1e8;

export interface Clock {
  /** What it showed at the trace's origin, since midnight. */
  origin_ns: number;
  /** The origin's day since 1970-01-01; null for the time since the origin itself. */
  day: number | null;
}

export const STEP_CLOCK: Clock = { origin_ns: 0, day: null };

/** UTC, for a trace that began at `origin_unix_ns`. */
export function wallClock(origin_unix_ns: string): Clock {
  const day_ns = BigInt(DAY);
  const origin = BigInt(origin_unix_ns);
  const since_midnight = ((origin % day_ns) + day_ns) % day_ns;
  return { origin_ns: Number(since_midnight), day: Number((origin - since_midnight) / day_ns) };
}

/** A moment of today's or another day, as the user's clock has it: `Nov 22, 2026, 7:24 PM`. */
export const formatMoment = (unix_ms: number): string =>
  new Intl.DateTimeFormat(LANGUAGE, { dateStyle: 'medium', timeStyle: 'short' }).format(unix_ms);

/** `2017-08-21`, for the day on which `at` falls; null where there are no days. */
export function dateAt(clock: Clock, at: number): string | null {
  if (clock.day === null) return null;
  // An address may ask for any window; a date can be this far from 1970.
  const day = clamp(clock.day + Math.floor((clock.origin_ns + at) / DAY), -MOST_DAYS, MOST_DAYS);
  return new Date((day * DAY) / 1e6).toISOString().slice(0, 10);
}

export const isMidnight = (clock: Clock, at: number): boolean =>
  clock.day !== null && Math.abs(Math.round(clock.origin_ns + at)) % DAY === 0;

const decimalsFor = (unit_ns: number, resolution: number): number =>
  Math.max(0, Math.ceil(Math.log10(unit_ns / Math.max(resolution, 1)) - 1e-9));

/** Hours, minutes and seconds of `length`, from the `first` of them on: `1:02:03.5`. */
function sexagesimal(length: number, first: 'h' | 'min', resolution: number): string {
  const decimals = decimalsFor(SECOND, resolution);
  const parts_per_second = 10 ** decimals;
  const parts = Math.round(Math.abs(length) / (SECOND / parts_per_second));
  const seconds = Math.floor(parts / parts_per_second);
  const fraction = decimals > 0 ? `.${String(parts % parts_per_second).padStart(decimals, '0')}` : '';
  const two = (value: number) => String(value).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  const whole = first === 'h' ? `${Math.floor(minutes / 60)}:${two(minutes % 60)}` : String(minutes);
  return `${length < 0 && parts > 0 ? '-' : ''}${whole}:${two(seconds % 60)}${fraction}`;
}

export type PointWriter = (at: number, resolution: number) => string;

/** Writes the points of [start, end] so that they can be compared: all in one unit, and as finely as `resolution`. */
export function pointWriter(clock: Clock, start: number, end: number): PointWriter {
  if (clock.day !== null) return (at, resolution) => timeOfDay(clock, at, resolution);
  const largest = Math.max(Math.abs(start), Math.abs(end));
  if (largest >= 2 * MINUTE) {
    const unit = largest >= 2 * HOUR ? 'h' : 'min';
    return (at, resolution) => `${sexagesimal(at, unit, resolution)}${NO_BREAK_SPACE}${unit}`;
  }
  const unit = unitFor(largest / 2);
  return (at, resolution) => {
    const value = at / unit.ns;
    // Half a nanosecond before the origin is still at it.
    const text = value.toFixed(decimalsFor(unit.ns, resolution)).replace(/^-(0(\.0+)?)$/, '$1');
    return grouped(text) + NO_BREAK_SPACE + unit.name;
  };
}

function timeOfDay(clock: Clock, at: number, resolution: number): string {
  const decimals = decimalsFor(SECOND, resolution);
  const part = SECOND / 10 ** decimals;
  // Rounded first: what rounds up to midnight is of the next day.
  const rounded = Math.round((clock.origin_ns + at) / part) * part;
  const of_day = rounded - Math.floor(rounded / DAY) * DAY;
  return sexagesimal(of_day, 'h', resolution).padStart(decimals > 0 ? decimals + 9 : 8, '0');
}
