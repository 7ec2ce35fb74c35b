// Differences and ratios of figures that are no lengths.
import { formatBytes } from '../../../base/format';

/** `−1.2 MiB`, `+3 B`, `0 B`. */
export const signedBytes = (difference: number): string =>
  difference === 0 ? formatBytes(0) : `${difference < 0 ? '−' : '+'}${formatBytes(Math.abs(difference))}`;

/** How many times as much: `1.70`; `–` where there was nothing. */
export const ratioText = (ratio: number | null): string => (ratio === null ? '–' : ratio.toFixed(ratio >= 100 ? 0 : 2));
