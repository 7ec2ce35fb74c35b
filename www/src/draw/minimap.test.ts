// The minimap shows equal steps as equal: its columns are means over the time that they cover.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WORK } from '../engine/protocol';
import { columnShares } from './minimap';

const PARTS = WORK.length;

/** Slices of which the first of every `period` computes all of the time. */
function striped(bins: number, period: number): Float32Array {
  return Float32Array.from({ length: bins * PARTS }, (_, at) => (at % (PARTS * period) === 0 ? 1 : 0));
}

function totals(shares: Float32Array, steps: number): number[] {
  const columns = shares.length / PARTS;
  return Array.from({ length: steps }, (_, step) => {
    let total = 0;
    for (let column = 0; column < columns; column++) {
      const [from, to] = [(step * columns) / steps, ((step + 1) * columns) / steps];
      total += Math.max(0, Math.min(to, column + 1) - Math.max(from, column)) * shares[column * PARTS]!;
    }
    return total;
  });
}

test('as many slices as columns are drawn as they are', () => {
  const shares = striped(1200, 20);
  assert.equal(columnShares({ bins: 1200, shares }, 1200), shares);
});

test('equal steps are equal columns where the width is a multiple of them', () => {
  const means = columnShares({ bins: 2400, shares: striped(2400, 40) }, 600);
  for (let at = 0; at < means.length; at++) assert.equal(means[at], means[at % (PARTS * 10)], `column ${at / PARTS}`);
});

test('nothing is lost or counted twice at any other width', () => {
  for (const columns of [77, 1000, 1176, 2399, 5000]) {
    const means = columnShares({ bins: 2400, shares: striped(2400, 40) }, columns);
    const sum = totals(means, 1)[0]! / columns;
    assert.ok(Math.abs(sum - 1 / 40) < 1e-6, `${columns}: ${sum}`);
    // A column lies in two steps at most, so that a step is off by less than one of them.
    const each = totals(means, 60);
    for (const total of each) assert.ok(Math.abs(total - columns / 2400) <= 1, `${columns}: ${total}`);
  }
});
