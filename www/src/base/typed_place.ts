// Places in time as a user types them: `20ms-30ms`, `1.2 s to 1.4 s`, `20-30ms`, `25 ms`, `40%-60%`, `step 3`.
import { ns, type Ns } from './time';

export type TypedPlace = { kind: 'range'; start: Ns; end: Ns } | { kind: 'moment'; at: Ns } | { kind: 'step'; number: number };

const UNITS: Readonly<Record<string, number>> = { ns: 1, us: 1e3, µs: 1e3, μs: 1e3, ms: 1e6, s: 1e9 };
const TIME = String.raw`(\d+(?:[.,]\d+)?)\s*(ns|us|µs|μs|ms|s|%)`;
const LOOSE_TIME = `${TIME}?`;
const RANGE = new RegExp(`^${LOOSE_TIME}\\s*(?:-|–|—|\\.\\.+|to)\\s*${TIME}$`, 'i');
const MOMENT = new RegExp(`^@?\\s*${TIME}$`, 'i');
const STEP = /^step\s*#?\s*(\d{1,9})$/i;

/**
 * Null for what is no place in time. Times count from the start of the step, which is `whole` long and what percentages are of; a first time
 * without a unit has that of the second.
 */
export function typedPlace(text: string, whole: Ns): TypedPlace | null {
  const timeOf = (number = '', unit = ''): Ns =>
    ns(Number(number.replace(',', '.')) * (unit === '%' ? whole / 100 : (UNITS[unit.toLowerCase()] ?? NaN)));
  const typed = text.trim();
  const step = STEP.exec(typed)?.[1];
  if (step !== undefined) return { kind: 'step', number: Number(step) };
  const moment = MOMENT.exec(typed);
  if (moment) return { kind: 'moment', at: timeOf(moment[1], moment[2]) };
  const range = RANGE.exec(typed);
  if (!range) return null;
  const end = timeOf(range[3], range[4]);
  const start = timeOf(range[1], range[2] ?? range[4]);
  return end > start ? { kind: 'range', start, end } : null;
}
