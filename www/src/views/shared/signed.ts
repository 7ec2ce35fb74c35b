// A difference of lengths, with its sign.
import { formatDuration } from '../../base/time';

/** `−1.2 ms`, `+3 ns`, `0 ns`. */
export const signed = (difference: number): string =>
  difference === 0 ? formatDuration(0) : `${difference < 0 ? '−' : '+'}${formatDuration(Math.abs(difference))}`;
