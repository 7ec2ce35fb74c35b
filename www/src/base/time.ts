// Time as the page knows it: nanoseconds from the trace's origin, and how they are written for people.

declare const unit: unique symbol;
/** A point or a length on the trace's time line, in nanoseconds. Made by `ns`, so that no pixel count slips in. */
export type Ns = number & { readonly [unit]: 'ns' };

export const ns = (value: number): Ns => value as Ns;

const UNITS = [
  { name: 's', ns: 1e9 },
  { name: 'ms', ns: 1e6 },
  { name: 'µs', ns: 1e3 },
  { name: 'ns', ns: 1 },
] as const;

type Unit = (typeof UNITS)[number];

export const NO_BREAK_SPACE = '\u00a0';

export function unitFor(size_ns: number): Unit {
  const size = Math.abs(size_ns);
  return UNITS.find((candidate) => size >= candidate.ns) ?? UNITS[3];
}

/** With a comma between thousands. */
export function grouped(fixed: string): string {
  const [whole = '', fraction] = fixed.split('.');
  const thousands = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? thousands : `${thousands}.${fraction}`;
}

/** A length with four significant digits at most: `1.234 ms`, `12.34 µs`, `250 ns`, `0 ns`. */
export function formatDuration(length: number): string {
  if (!Number.isFinite(length)) return '–';
  let unit_of = unitFor(length);
  let value = length / unit_of.ns;
  if (Math.abs(value) >= 999.95 && unit_of.ns < 1e9) {
    unit_of = UNITS[UNITS.indexOf(unit_of) - 1] ?? unit_of;
    value = length / unit_of.ns;
  }
  const size = Math.abs(value);
  const decimals = unit_of.ns === 1 ? 0 : size >= 1000 ? 1 : size >= 100 ? 1 : size >= 10 ? 2 : 3;
  return grouped(value.toFixed(decimals)) + NO_BREAK_SPACE + unit_of.name;
}

/** A point, to the nanosecond where that matters: decimals follow `resolution`, the unit follows the point's size. */
export function formatPoint(at: number, resolution: number, unit_ns?: number): string {
  const unit_of = UNITS.find((candidate) => candidate.ns === unit_ns) ?? unitFor(Math.max(Math.abs(at), resolution));
  const decimals = Math.max(0, Math.ceil(Math.log10(unit_of.ns / Math.max(resolution, 1)) - 1e-9));
  return grouped((at / unit_of.ns).toFixed(decimals)) + NO_BREAK_SPACE + unit_of.name;
}

/** Both ends of a stretch, in one unit and with as many decimals: those that tell a thousandth of it, or what `resolution` needs. */
export function formatEnds(start: number, end: number, resolution = (end - start) / 1000): { from: string; to: string } {
  const unit_ns = unitFor(Math.max(Math.abs(start), Math.abs(end), resolution)).ns;
  const [from, to] = [start, end].map((at) => formatPoint(at, resolution, unit_ns)) as [string, string];
  return { from, to };
}
