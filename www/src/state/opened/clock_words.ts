// The words that say what clocks are set by, as the core and the address have them.

export const ESTIMATED = 'estimated';

/** What sets the clock of one task by hand. */
export const BY_HAND = /^(.+)=(-?\d{1,18})$/;

/** The words of the core: `estimated`, and `TASK=NS` for what is set by hand; what is none of these is left out. */
export const clockWords = (text: string): string[] => text.match(/estimated(?=,|$)|[^,].*?=-?\d{1,18}(?=,|$)/g) ?? [];
