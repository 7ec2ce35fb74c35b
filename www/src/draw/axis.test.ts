// Ticks are round, within the window and far enough apart to be read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ns } from '../base/time';
import { TimeScale } from '../base/time_scale';
import { roundStep, ticks } from './axis';

test('steps are 1, 2 or 5 times a power of ten', () => {
  assert.deepEqual([roundStep(1), roundStep(3), roundStep(7), roundStep(20), roundStep(21)], [1, 5, 10, 20, 50]);
});

test('labels of one axis share a unit and keep their distance', () => {
  for (const [start, end] of [
    [0, 339e6],
    [250_120_000, 250_130_000],
    [-5, 95],
    [0, 90e9],
  ] as const) {
    const found = ticks(new TimeScale({ start: ns(start), end: ns(end) }, 1300)).ticks;
    assert.ok(found.length >= 2, `${start}..${end}`);
    assert.equal(new Set(found.map(({ label }) => label.split('\u00a0')[1])).size, 1);
    assert.equal(new Set(found.map(({ label }) => label)).size, found.length);
    for (let index = 1; index < found.length; index++)
      assert.ok((found[index]?.x ?? 0) - (found[index - 1]?.x ?? 0) >= 100);
  }
});
