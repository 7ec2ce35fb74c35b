// Which recent traces go when there is no more room.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MOST_RECENT, MOST_RECENT_BYTES, toDrop, type RecentTrace } from './recent_store';

const trace = (opened_ms: number, bytes: number): RecentTrace => ({
  id: `t${opened_ms}`,
  name: 'step.pb',
  ops: 1,
  key: '1.1',
  opened_ms,
  view: '',
  options: { communication: [] },
  bytes,
});

test('what has room stays', () => {
  assert.deepEqual(toDrop([trace(1, MOST_RECENT_BYTES / 4), trace(2, MOST_RECENT_BYTES / 4)], MOST_RECENT_BYTES / 2), []);
});

test('the oldest go first, and as many as it takes', () => {
  const third = MOST_RECENT_BYTES / 3;
  assert.deepEqual(toDrop([trace(3, third), trace(1, third), trace(2, third)], third + 1), ['t2', 't1']);
  assert.deepEqual(toDrop([trace(1, 1)], MOST_RECENT_BYTES), ['t1']);
});

test('there are never more than the list shows', () => {
  const many = Array.from({ length: MOST_RECENT + 3 }, (_, at) => trace(at + 1, 0));
  assert.deepEqual(toDrop(many, 0), ['t4', 't3', 't2', 't1']);
});
