// Images of cells: halving keeps the highest level, also at odd edges, and colours run from the first to the last.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { halvings, inksOf, lowered, narrowed } from './heat';

test('halving keeps the highest of two, and the last one of an odd row', () => {
  const whole = { columns: 3, rows: 3, levels: Uint8Array.from([1, 2, 3, 4, 9, 6, 7, 8, 0]) };
  assert.deepEqual(narrowed(whole), { columns: 2, rows: 3, levels: Uint8Array.from([2, 3, 9, 6, 8, 0]) });
  assert.deepEqual(lowered(whole), { columns: 3, rows: 2, levels: Uint8Array.from([4, 9, 6, 7, 8, 0]) });
  assert.deepEqual(lowered(narrowed(whole)), narrowed(lowered(whole)));
});

test('as often as a cell is below a pixel', () => {
  assert.deepEqual(
    [halvings(100, 100), halvings(101, 100), halvings(200, 100), halvings(1000, 100), halvings(3, 100), halvings(8, 0)],
    [0, 1, 1, 4, 0, 3],
  );
});

test('the lowest level has the first colour, the highest the last, and none its own', () => {
  const inks = inksOf(
    [
      { r: 0, g: 0, b: 0 },
      { r: 255, g: 0, b: 254 },
    ],
    { r: 1, g: 2, b: 3 },
  );
  assert.deepEqual([inks[0], inks[1], inks[255]], [0xff030201, 0xff000000, 0xfffe00ff]);
  assert.equal(inks[128], 0xff7f0080);
});
