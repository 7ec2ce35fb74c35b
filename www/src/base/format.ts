// Counts, sizes, rates and shares, written for people.

const SPACE = '\u00a0';

/** `4175` as `4,175`: the same on every machine, whatever its locale. */
export function formatCount(count: number): string {
  return Math.round(count)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Numbers in a text stay on the line of their units. */
export const unbroken = (text: string): string => text.replace(/(\d) (?=(?:%|[nµm]?s|[KMGT]?i?B)(?![\p{L}\d]))/gu, `$1${SPACE}`);

const BINARY = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** Sizes in powers of 1024, as allocators count them. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let step = 0;
  while (Math.abs(value) >= 1023.5 && step < BINARY.length - 1) {
    value /= 1024;
    step += 1;
  }
  return (step === 0 ? formatCount(value) : significant(value)) + SPACE + BINARY[step];
}

const DECIMAL = ['B/s', 'kB/s', 'MB/s', 'GB/s', 'TB/s'];

/** Speeds in powers of 1000, as networks count them. */
export function formatRate(bytes_per_second: number): string {
  let value = bytes_per_second;
  let step = 0;
  while (Math.abs(value) >= 999.5 && step < DECIMAL.length - 1) {
    value /= 1000;
    step += 1;
  }
  return (step === 0 ? formatCount(value) : significant(value)) + SPACE + DECIMAL[step];
}

const OPERATIONS = ['FLOP', 'kFLOP', 'MFLOP', 'GFLOP', 'TFLOP', 'PFLOP'];

/** Numbers of floating-point operations. */
export function formatFlops(flops: number): string {
  let value = flops;
  let step = 0;
  while (value >= 999.5 && step < OPERATIONS.length - 1) {
    value /= 1000;
    step += 1;
  }
  return (step === 0 || value >= 1000 ? formatCount(value) : significant(value)) + SPACE + OPERATIONS[step];
}

/** The same of a second. */
export const formatFlopRate = (per_second: number): string => `${formatFlops(per_second)}/s`;

function significant(value: number): string {
  const size = Math.abs(value);
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2);
}

/** An average of things that are counted: `0.25`, `12.4`, `3`; what is there but rounds to nothing is `<0.01`. */
export function formatAverage(average: number): string {
  if (average > 0 && average < 0.005) return '<0.01';
  return Number.isInteger(average) ? formatCount(average) : significant(average);
}

/** A share of 1 as a percentage with one decimal; what is there but rounds to nothing is `<0.1 %`. */
export function formatShare(share: number): string {
  if (!Number.isFinite(share)) return '–';
  if (share > 0 && share < 0.0005) return `<0.1${SPACE}%`;
  return (share * 100).toFixed(1) + SPACE + '%';
}

/** A value of a counter, whatever it counts: whole numbers as they are, others with four digits. */
export function formatValue(value: number): string {
  const is_usual = Math.abs(value) < 1e15;
  if (is_usual && (Number.isInteger(value) || Math.abs(value) >= 1000)) return formatCount(Math.round(value));
  return String(Number(value.toPrecision(4)));
}
