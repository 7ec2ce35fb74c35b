// What a table's columns are: their titles, how a row is shown in them, and its plain value for sorting and CSV.
import { el, type Child } from '../../base/dom';
import { filterOf } from '../../base/filter';
import { formatBytes, formatCount, formatFlopRate, formatFlops, formatRate, formatShare } from '../../base/format';
import { say } from '../../base/messages';
import type { WorkFigures } from '../../engine/protocol';
import { formatDuration, formatPoint } from '../../base/time';
import type { CsvCell } from '../../base/csv';

export interface Column<R, K extends string> {
  /** Also the column's name in CSV: that of the field in the program's JSON. */
  key: K;
  title: string;
  /** What the figures of the column mean. */
  about?: string;
  /** In CSS pixels at least; what is to spare is shared in proportion. */
  width: number;
  numeric?: boolean;
  /** Whether a text column becomes as wide as its texts: for short ones, such as devices. Figures always have the room they need. */
  fits?: boolean;
  /** Whether a bar stands in front of the figure. */
  has_bar?: boolean;
  /** Which way a first click sorts. */
  descending?: boolean;
  sortable?: boolean;
  /** Without it the column is a picture of others: neither sorted by nor copied. */
  value?: (row: R) => CsvCell;
  /** How the value is shown; without it, as it is. */
  cell?: (row: R) => Child | Child[];
  /** What a cell that may be cut off says in whole. */
  whole?: (row: R) => string;
}

export interface Sorting<K extends string> {
  key: K;
  descending: boolean;
}

export interface PageQuery<K extends string> {
  /** Null for the order that the rows have of themselves. */
  sort: K | null;
  descending: boolean;
  filter: string;
  offset: number;
  limit: number;
}

export interface Page<R> {
  total: number;
  rows: R[];
}

type Figure<R> = (row: R) => number | null;

const known = (value: number | null, format: (value: number) => string): string => (value === null ? '–' : format(value));

/** A column of figures. The unit is part of each: a nanosecond and a second must not look alike. */
const figures =
  (format: (value: number) => string, width: number, descending: boolean) =>
  <R, K extends string>(key: K, title: string, value: Figure<R>, about?: string): Column<R, K> => ({
    key,
    title,
    about,
    width,
    numeric: true,
    descending,
    value,
    cell: (row) => known(value(row), format),
  });

export const countColumn = figures(formatCount, 76, true);
/** What has a number for a name, as a step has. */
export const numberColumn = figures(String, 76, false);
export const durationColumn = figures(formatDuration, 80, true);
export const bytesColumn = figures(formatBytes, 92, true);
export const rateColumn = figures(formatRate, 96, true);
/** Points of time, to the microsecond and all in one unit, so that a column of them can be compared. */
export const pointColumn = figures((at) => formatPoint(at, 1000, 1e6), 112, false);

const flopsColumn = figures(formatFlops, 92, true);
const flopRateColumn = figures(formatFlopRate, 104, true);
const partColumn = figures((ppm) => formatShare(ppm / 1e6), 76, true);

/** What the ops of a row calculate and move. */
export const workColumns = <R extends WorkFigures, K extends string>(): Column<R, K | keyof WorkFigures>[] => [
  flopsColumn('flops', say('column-flop'), (row) => row.flops, say('flop-about')),
  flopRateColumn('flops_per_second', say('column-flop-rate'), (row) => row.flops_per_second, say('flop-rate-about')),
  partColumn('flops_of_peak_ppm', say('column-of-peak'), (row) => row.flops_of_peak_ppm, say('of-peak-about')),
  rateColumn('moved_bytes_per_second', say('column-byte-rate'), (row) => row.moved_bytes_per_second, say('byte-rate-about')),
  partColumn('work_known_ppm', say('column-work-known'), (row) => row.work_known_ppm, say('work-known-about')),
];

/** A figure with a bar in front of it that shows the same, at most `share` of its track. */
export function barCell(share: number, fill: string, text: string): HTMLElement[] {
  const bar = el('span', { class: `share-bar ${fill}` });
  bar.style.width = `${Math.min(Math.max(share, 0), 1) * 100}%`;
  return [el('span', { class: 'share-track' }, bar), el('span', { class: 'share-figure' }, text)];
}

/**
 * Answers a table's questions from rows that are all at hand. Figures that nothing recorded come last, whichever way;
 * rows that are `pinned` come first, whatever the filter; those that are `isLater` come after the others, whatever the order.
 */
export function pageOf<R, K extends string>(
  rows: readonly R[],
  columns: readonly Column<R, K>[],
  { sort, descending, filter, offset, limit }: PageQuery<K>,
  pinned: (row: R) => boolean = () => false,
  isLater: (row: R) => boolean = () => false,
): Page<R> {
  const by = columns.find((column) => column.key === sort)?.value ?? (() => null);
  const keeps = filterOf(filter);
  const texts = columns.filter((column) => column.numeric !== true);
  const found =
    filter.trim() === '' ? [...rows] : rows.filter((row) => pinned(row) || keeps(texts.flatMap((column) => textsOf(column, row))));
  const direction = descending ? -1 : 1;
  found.sort(
    (a, b) => Number(pinned(b)) - Number(pinned(a)) || Number(isLater(a)) - Number(isLater(b)) || compared(by(a), by(b), direction),
  );
  return { total: found.length, rows: found.slice(offset, offset + limit) };
}

/** What a cell holds, and what it shows where that is another text. */
function textsOf<R, K extends string>({ value, cell }: Column<R, K>, row: R): string[] {
  const shown = cell?.(row);
  return [String(value?.(row) ?? ''), ...(typeof shown === 'string' ? [shown] : [])];
}

function compared(a: CsvCell, b: CsvCell, direction: number): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return (a < b ? -1 : a > b ? 1 : 0) * direction;
}
