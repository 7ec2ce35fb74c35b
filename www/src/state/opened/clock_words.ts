// The words that say what clocks are set by, as the core and the address have them.

import { BETWEEN_PARTS } from '../../engine/contract/view_fields';

export const ESTIMATED = 'estimated';

/** What sets the clock of one task by hand. */
export const BY_HAND = /^(.+)=(-?\d{1,18})$/;

/**
 * The words of the core: `estimated`, and `TASK=NS` for what is set by hand; what is none of these is left out. A task may have commas in its
 * name. Each letter is read once: one expression for all would begin again at each of them.
 */
export function clockWords(text: string): string[] {
  const words: string[] = [];
  let begun: string[] = [];
  for (const part of text.split(BETWEEN_PARTS)) {
    if (begun.length === 0 && (part === ESTIMATED || part === '')) {
      if (part === ESTIMATED) words.push(part);
      continue;
    }
    begun.push(part);
    if (!/=-?\d{1,18}$/.test(part)) continue;
    const word = begun.join(BETWEEN_PARTS);
    if (BY_HAND.test(word)) words.push(word);
    begun = [];
  }
  return [...words, ...begun.filter((part) => part === ESTIMATED)];
}
