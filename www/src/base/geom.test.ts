// Bounds are half-open.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clamp, holds, lowerBound } from './geom';

test('a rectangle holds its first edge and not its last', () => {
  const rect = { x: 10, y: 10, width: 5, height: 5 };
  assert.ok(holds(rect, 10, 10));
  assert.ok(!holds(rect, 15, 10));
});

test('the lower bound is the first that is not smaller', () => {
  const sorted = [1, 3, 3, 7];
  const at = (index: number) => sorted[index] ?? Infinity;
  assert.equal(lowerBound(0, 4, 3, at), 1);
  assert.equal(lowerBound(0, 4, 8, at), 4);
  assert.equal(lowerBound(0, 4, 0, at), 0);
});

test('clamp keeps to both ends', () => {
  assert.deepEqual([clamp(-1, 0, 2), clamp(1, 0, 2), clamp(5, 0, 2)], [0, 1, 2]);
});
