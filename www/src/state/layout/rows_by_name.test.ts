// What was done with devices goes with them from step to step, whatever ids they have there.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ALL_ROWS, type Rows } from './rows';
import { namedRows, NO_NAMED_ROWS, rowsOf } from './rows_by_name';

const devices = (...names: string[]) => names.map((name) => ({ name }));

test('devices keep their places by name', () => {
  const first = devices('a', 'b', 'c');
  const rows: Rows = { ...ALL_ROWS, order: [2, 0], hidden: new Set([1]), pinned: [2], filter: 'x', lane_size: 3 };
  const named = namedRows(rows, first, NO_NAMED_ROWS);
  assert.deepEqual(named.order, ['c', 'a', 'b']);
  const there = rowsOf(named, devices('b', 'c', 'd'), rows);
  assert.deepEqual([there.order, [...there.hidden], there.pinned], [[1, 0], [0], [1]]);
  assert.deepEqual([there.filter, there.lane_size], ['x', 3]);
});

test('a GPU is known by any of its streams', () => {
  const gpu = (...names: string[]) => names.map((name) => ({ name, accelerator: 0 }));
  const named = namedRows({ ...ALL_ROWS, folded: new Set([0]) }, gpu('memcpy', 'stream:7'), NO_NAMED_ROWS);
  assert.deepEqual([...rowsOf(named, [{ name: 'a' }, ...gpu('stream:7', 'stream:8')], ALL_ROWS).folded], [1]);
});

test('a device that a step does not have is hidden again in the next one that has it', () => {
  const named = namedRows({ ...ALL_ROWS, hidden: new Set([0]), folded: new Set([1]) }, devices('a', 'b'), NO_NAMED_ROWS);
  const between = devices('b');
  const then = namedRows(rowsOf(named, between, ALL_ROWS), between, named);
  const back = rowsOf(then, devices('a', 'b'), ALL_ROWS);
  assert.deepEqual([[...back.hidden], [...back.folded]], [[0], [1]]);
  // What is shown again there stays shown.
  const shown = namedRows(ALL_ROWS, devices('a', 'b'), then);
  assert.deepEqual(shown, NO_NAMED_ROWS);
});
