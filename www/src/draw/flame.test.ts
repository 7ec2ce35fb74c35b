// Bars are where their time is; what is around a name stands above it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ns } from '../base/time';
import type { FlameBar } from '../engine/protocol';
import { BAR_PX, barAt, placed } from './flame';

const bar = (name: string, depth: number, at_ns: number, total_ns: number): FlameBar => ({
  name,
  category: 'compute',
  depth,
  at_ns: ns(at_ns),
  count: 1,
  self_ns: ns(0),
  total_ns: ns(total_ns),
  gpu_self_ns: ns(0),
  gpu_ns: ns(0),
});
const widthOf = ({ total_ns }: FlameBar) => total_ns;

test('a bar is as wide as its time, on the bar around it', () => {
  const flame = placed([bar('a', 0, 0, 60), bar('b', 1, 0, 30), bar('c', 0, 60, 40), bar('d', 1, 60, 40)], [], widthOf);
  const where = flame.bars.map(({ name, row, left, right, parent }) => [name, row, left, right, parent]);
  assert.deepEqual(where, [
    ['a', 0, 0, 0.6, -1],
    ['b', 1, 0, 0.3, 0],
    ['c', 0, 0.6, 1, -1],
    ['d', 1, 0.6, 1, 2],
  ]);
  assert.equal(flame.rows, 2);
  const look = { width: 100, top: 0 };
  assert.equal(barAt(flame, look, 59, 1), 0);
  assert.equal(barAt(flame, look, 60, 1), 2);
  assert.equal(barAt(flame, look, 40, BAR_PX), -1);
  assert.equal(barAt(flame, { ...look, top: BAR_PX }, 70, 1), 3);
});

test('what is around a name stands above it, what is in it below', () => {
  const outside = [bar('f', 0, 0, 10), bar('g', 1, 0, 7), bar('h', 2, 0, 7), bar('i', 1, 7, 3)];
  const flame = placed([bar('f', 0, 0, 10), bar('k', 1, 0, 4)], outside, widthOf);
  const where = flame.bars.map(({ name, row, parent }) => [name, row, parent]);
  assert.deepEqual(where, [
    ['f', 2, -1],
    ['k', 3, 0],
    ['g', 1, 0],
    ['h', 0, 2],
    ['i', 1, 0],
  ]);
  assert.equal(flame.rows, 4);
});

test('a flame of nothing has no rows', () => {
  assert.deepEqual(placed([], [], widthOf), { bars: [], rows: 0 });
});
