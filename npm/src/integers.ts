// Integers of answers: numbers, and beyond what numbers hold exactly either rounded and counted, or bigints.

/** An answer in which integers beyond `Number.MAX_SAFE_INTEGER` are bigints. */
export type Exact<T> = T extends number ? (number extends T ? T | bigint : T) : T extends object ? { [Key in keyof T]: Exact<T[Key]> } : T;

/** `value` with numbers for its bigints, and where no number is exact what `beyond` makes of it. Changes the objects in it. */
export function settled(value: unknown, beyond: (integer: bigint) => unknown): unknown {
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : beyond(value);
  }
  if (typeof value === 'object' && value !== null) {
    const fields = value as Record<string, unknown>;
    for (const key of Object.keys(fields)) fields[key] = settled(fields[key], beyond);
  }
  return value;
}
