// What an op calculates and moves, how fast, and how that is known.
import { el } from '../../../base/dom';
import { formatBytes, formatFlopRate, formatFlops, formatRate } from '../../../base/format';
import { say } from '../../../base/messages';
import type { OpDetails } from '../../../engine/protocol';
import { factLine } from '../../shared/parts';

export function workFacts(details: OpDetails): HTMLElement | null {
  const { flops, flops_per_second, moved_bytes, moved_bytes_per_second, work_recorded } = details;
  if (work_recorded === null) return null;
  const speed = (amount: string, rate: string | null) => (rate === null ? amount : say('work-at', { amount, rate }));
  const about = work_recorded ? say('work-recorded-about') : say('work-by-shapes-about');
  return el(
    'dl',
    { class: 'facts-list' },
    flops !== null &&
      factLine(
        say('fact-calculates'),
        speed(formatFlops(flops), flops_per_second === null ? null : formatFlopRate(flops_per_second)),
        about,
      ),
    moved_bytes !== null &&
      factLine(
        say('fact-moves'),
        speed(formatBytes(moved_bytes), moved_bytes_per_second === null ? null : formatRate(moved_bytes_per_second)),
        flops === null ? about : say('fact-moves-about'),
      ),
  );
}
