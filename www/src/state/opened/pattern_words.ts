// Patterns of what also counts as communication, as texts: bounds, and the pattern that means one op type.
import { BETWEEN_PATTERNS } from '../../engine/contract/view_fields';

/** Bounds for what an address may ask to be tried on every name. */
export const MOST_PATTERNS = 50;
export const LONGEST_PATTERN = 500;

/** They are separated by line ends, which no field for a pattern takes. Where the text has none, an address says that there is none. */
export const patternsText = (patterns: readonly string[]): string =>
  patterns.length === 0 ? BETWEEN_PATTERNS : patterns.join(BETWEEN_PATTERNS);

export const patternsOf = (text: string): string[] =>
  text
    .split(BETWEEN_PATTERNS, MOST_PATTERNS)
    .map((pattern) => pattern.slice(0, LONGEST_PATTERN))
    .filter((pattern) => pattern !== '');

export const samePatterns = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((pattern, index) => pattern === b[index]);

/** The pattern that matches this op type alone, and ops of this name. */
export const patternOfType = (op_type: string): string => `^${escaped(op_type)}$`;

/** A text as an expression that matches it alone. */
export const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
