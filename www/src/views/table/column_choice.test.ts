// Which columns yield where the panel is narrow, and which stay.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ColumnChoice } from './column_choice';
import type { Column } from './columns';

interface Row {
  name: string;
  time: number;
  waiting: number;
}
type Key = keyof Row;

const COLUMNS: readonly Column<Row, Key>[] = [
  { key: 'name', title: 'Name', width: 100, value: (row) => row.name },
  { key: 'time', title: 'Time', width: 100, numeric: true, value: (row) => row.time },
  { key: 'waiting', title: 'Waiting', width: 100, numeric: true, value: (row) => row.waiting },
];
const YIELDS: readonly Key[] = ['waiting', 'time'];
const shown = (choice: ColumnChoice<Row, Key>) => choice.shown.map(({ key }) => key);

test('columns yield in their order, as many as it takes', () => {
  const choice = new ColumnChoice('yields', COLUMNS);
  assert.equal(choice.fitInto(300, YIELDS), false);
  assert.equal(choice.fitInto(250, YIELDS), true);
  assert.deepEqual(shown(choice), ['name', 'time']);
  choice.fitInto(50, YIELDS);
  assert.deepEqual(shown(choice), ['name']);
  choice.fitInto(300, YIELDS);
  assert.deepEqual(shown(choice), ['name', 'time', 'waiting']);
});

test('some columns yield before a name is cut, and come back where there is room for both', () => {
  const choice = new ColumnChoice('names', COLUMNS);
  choice.fitInto(340, ['time'], ['waiting'], 50);
  assert.deepEqual(shown(choice), ['name', 'time']);
  choice.fitInto(350, ['time'], ['waiting'], 50);
  assert.deepEqual(shown(choice), ['name', 'time', 'waiting']);
  // For what always yields only the figures count.
  choice.fitInto(210, ['time'], ['waiting'], 50);
  assert.deepEqual(shown(choice), ['name', 'time']);
});

test('a column that the user asked for does not yield', () => {
  const choice = new ColumnChoice('asked', COLUMNS);
  choice.show('waiting', true);
  choice.fitInto(250, YIELDS);
  assert.deepEqual(shown(choice), ['name', 'waiting']);
});

test('where the user has resized a column, all stay', () => {
  const choice = new ColumnChoice('resized', COLUMNS);
  choice.resize('time', 400);
  choice.fitInto(50, YIELDS);
  assert.deepEqual(shown(choice), ['name', 'time', 'waiting']);
});
