// A point on the strip is the step whose bar is there, however many there are.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Step } from '../engine/protocol';
import { stepAt, stripShape } from './step_strip';

const steps = (count: number) => Array.from({ length: count }, (_, index) => ({ window_ns: index }) as Step);

test('few bars are no wider than a bar should be, and next to them there is none', () => {
  const shape = stripShape(steps(3), 300, 40);
  assert.deepEqual([stepAt(shape, 3, 0), stepAt(shape, 3, shape.pitch * 2.5), stepAt(shape, 3, 299)], [0, 2, null]);
  assert.equal(shape.longest_ns, 2);
});

test('more steps than pixels all have a place', () => {
  const shape = stripShape(steps(1000), 100, 40);
  assert.deepEqual([stepAt(shape, 1000, 0), stepAt(shape, 1000, 50), stepAt(shape, 1000, 99.95)], [0, 500, 999]);
});
