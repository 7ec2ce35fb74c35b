// Columns in which no row of a table has a value: they would be columns of dashes.
import type { CsvCell } from '../../base/csv';
import type { Column, Page, PageQuery } from './columns';

const isNothing = (value: CsvCell | undefined): boolean => value === null || value === undefined || value === '';

/**
 * Of `columns`, those without a value in any row; the first one, what a row is about, is never among them. `page` has the first rows. Where there
 * are more, `ask` is asked for the first row by that column: rows without a value come last, whichever way.
 */
export async function emptyColumns<R, K extends string>(
  columns: readonly Column<R, K>[],
  page: Page<R>,
  ask: (query: PageQuery<K>) => Promise<Page<R>>,
): Promise<Set<K>> {
  const isEmptyIn = ({ value }: Column<R, K>, rows: readonly R[]) => value !== undefined && rows.every((row) => isNothing(value(row)));
  const candidates = columns.slice(1).filter((column) => isEmptyIn(column, page.rows));
  if (page.rows.length >= page.total) return new Set(page.total === 0 ? [] : candidates.map(({ key }) => key));
  const asked = candidates.filter(({ sortable }) => sortable !== false);
  const firsts = await Promise.all(asked.map(({ key }) => ask({ sort: key, descending: true, filter: '', offset: 0, limit: 1 })));
  return new Set(asked.filter((column, at) => isEmptyIn(column, firsts[at]?.rows ?? [])).map(({ key }) => key));
}

/** The column to sort by where `key` is empty: the figure next to it on its left, else the first one. */
export function besides<R, K extends string>(columns: readonly Column<R, K>[], empty: ReadonlySet<K>, key: K): Column<R, K> | undefined {
  const before = columns.slice(
    0,
    columns.findIndex((column) => column.key === key),
  );
  return before.findLast((column) => column.numeric === true && column.sortable !== false && !empty.has(column.key)) ?? columns[0];
}
