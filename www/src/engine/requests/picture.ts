// What the canvas draws: marks, lanes, strips and the minimap.
import type { Ns } from '../../base/time';
import type { ColorBy } from '../contract/words';

/** Which marks to draw: lanes `lanes[i]` over [start, end) at `width_px` device pixels. */
export interface MarksQuery {
  start_ns: Ns;
  end_ns: Ns;
  width_px: number;
  lanes: Uint32Array;
  /** From the top of each of `lanes` to the top of the next, in the same pixels: thin neighbours may be merged. */
  pitches: Float32Array;
  /** How many marks are wanted at most. It may become twice as many. */
  most: number;
  /** The devices that are shown as density strips. */
  strips: Uint32Array;
}

/** Whether marks that are not lit stand back: not at all, a little while the pointer rests on something, or far. */
export type Lighting = 'off' | 'soft' | 'full';

/** How many colours there are; the last is that of the rest. */
export const COLORS = 9;
/** That of what has no colour of its own. */
export const REST = COLORS - 1;

/** Numbers of a column of a strip: those of work by colour, and then those of communication. */
export const STRIP_PARTS = 2 * COLORS;

/** How wide the columns of density strips are, in the query's pixels. */
export const STRIP_COLUMN_PX = 2;

/**
 * Marks by row, then by time. A mark is one op, or a column of those that are shorter than a column, with the share of it that they cover.
 * Rows are the lanes in the order asked for, and after them the stacks: runs of thin lanes in which short ops are merged.
 * Positions are pixels of the query's own scale (0 at start_ns).
 */
export interface Marks {
  query: MarksQuery;
  /** Index into `query.lanes`; from there on the number of a stack. */
  row: Uint32Array;
  /** For each stack the first of its rows, and the row after its last. */
  stacks: Uint32Array;
  x0: Float32Array;
  x1: Float32Array;
  /** What colours stand for. */
  color_by: ColorBy;
  light: Lighting;
  /** Bits 0-2 the category (index into CATEGORIES) and bits 3-5 shade 0-7 (stable per op type); or bits 0-3 another colour and bit 5: is a range; bit 6: matches the search; bit 7: is lit. */
  style: Uint8Array;
  /** The op, or the longest of the merged ones. */
  op: Uint32Array;
  /** How many ops the mark stands for; 0 where only the end of one lies in its column. */
  count: Uint32Array;
  /** The share of the mark that ops cover, 0-255; 255 for one op. */
  density: Uint8Array;
  /** How wide columns are. */
  column_px: number;
  /** Index into `names`, for marks wide enough for text; else NONE. */
  text: Uint32Array;
  names: string[];
  /**
   * Strip after strip in the order of `query.strips`, each `ceil(width_px / STRIP_COLUMN_PX)` columns from start_ns on;
   * for each column STRIP_PARTS numbers: how many ops of the colour are in flight on the device on average, exactly.
   */
  strips: Float32Array;
  /** For the same columns, of the time in which the device communicates, the share that is exposed: nothing runs that could hide it. */
  exposed: Float32Array;
}

/** The whole step in `bins` equal slices: for each, the shares of every part of a split but idle. */
export interface Minimap {
  bins: number;
  shares: Float32Array;
}
