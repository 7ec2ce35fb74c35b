// The scale of a counter, its columns, and what is said of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ns } from '../base/time';
import type { CounterLanes } from '../engine/protocol';
import { columnsOfCounter, scaleOfCounter } from './counters';

test('zero is on every scale, and a scale is never empty', () => {
  assert.deepEqual(scaleOfCounter(5, 9), { low: 0, high: 9 });
  assert.deepEqual(scaleOfCounter(-4, -2), { low: -4, high: 0 });
  assert.deepEqual(scaleOfCounter(-1, 3), { low: -1, high: 3 });
  assert.deepEqual(scaleOfCounter(0, 0), { low: 0, high: 1 });
});

test('each counter has its own columns', () => {
  const query = { start_ns: ns(0), end_ns: ns(10), width_px: 4, counters: Uint32Array.of(3, 7) };
  const lanes: CounterLanes = { query, columns: Float64Array.from({ length: 12 }, (_, at) => at) };
  assert.deepEqual([...(columnsOfCounter(lanes, 7) ?? [])], [6, 7, 8, 9, 10, 11]);
  assert.equal(columnsOfCounter(lanes, 4), null);
});
