// Which columns of a table are empty, and what its rows are sorted by instead.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageOf, type Column, type PageQuery } from './columns';
import { besides, emptyColumns } from './empty_columns';

interface Row {
  name: string;
  time: number | null;
  waiting: number | null;
  last: string | null;
}
type Key = keyof Row;

const COLUMNS: readonly Column<Row, Key>[] = [
  { key: 'name', title: 'Name', width: 10, value: (row) => row.name },
  { key: 'time', title: 'Time', width: 10, numeric: true, value: (row) => row.time },
  { key: 'waiting', title: 'Waiting', width: 10, numeric: true, value: (row) => row.waiting },
  { key: 'last', title: 'Last', width: 10, value: (row) => row.last },
];
const row = (time: number | null, waiting: number | null = null, last: string | null = null): Row => ({ name: '', time, waiting, last });
const FIRST: PageQuery<Key> = { sort: null, descending: false, filter: '', offset: 0, limit: 2 };

const emptyOf = (rows: Row[], asks: Key[] = []) =>
  emptyColumns(COLUMNS, pageOf(rows, COLUMNS, FIRST), async (query) => {
    if (query.sort) asks.push(query.sort);
    return pageOf(rows, COLUMNS, query);
  });

test('a column without a value in any row is empty, but for what a row is about', async () => {
  assert.deepEqual([...(await emptyOf([row(1), row(0)]))], ['waiting', 'last']);
  assert.deepEqual([...(await emptyOf([row(1, 0, ''), row(null)]))], ['last']);
  assert.deepEqual([...(await emptyOf([]))], []);
});

test('of more rows than are at hand, what seems empty is asked for', async () => {
  const asks: Key[] = [];
  const found = await emptyOf([row(1), row(2), row(3, 7)], asks);
  assert.deepEqual([[...found], asks], [['last'], ['waiting', 'last']]);
});

test('instead of by an empty column, rows are sorted by the figure next to it', () => {
  assert.equal(besides(COLUMNS, new Set<Key>(['waiting']), 'waiting')?.key, 'time');
  assert.equal(besides(COLUMNS, new Set<Key>(['time', 'waiting']), 'waiting')?.key, 'name');
});
