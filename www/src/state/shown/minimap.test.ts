// The minimap is cut into as many slices of time as the step has columns of pixels on it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ns } from '../../base/time';
import { columnsOfStep } from './minimap';

test('the step has whole columns of the canvas, and its window a little air', () => {
  const { first, count } = columnsOfStep(ns(339e6), 1176, 2);
  assert.ok(first > 0 && first + count < 2352);
  assert.deepEqual(columnsOfStep(ns(339e6), 0, 1), { first: 0, count: 1 });
});
