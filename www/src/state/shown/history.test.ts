// Views that came to rest can be gone back to; what moves without a pause is one step, and a jump is a step of its own.
import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import { ns } from '../../base/time';
import { beginMotion, endMotion, isSettled, leavePlace, nextPlace, noteView, startHistory } from './history';
import { initialState, type Context } from '../state';

const state = initialState();
const context = { state } as unknown as Context;
const show = (start: number) => {
  state.window = { start: ns(start), end: ns(start + 10) };
};
const go = (step: 1 | -1) => {
  const place = nextPlace(context, step);
  if (place) Object.assign(state, place);
  return place?.window.start;
};

beforeEach(() => {
  Object.assign(state, initialState());
  show(0);
  startHistory(context);
});

test('back and forth', () => {
  show(1);
  leavePlace(context);
  show(2);
  assert.deepEqual([go(-1), go(-1), go(-1), go(1), go(1), go(1)], [1, 0, undefined, 1, 2, undefined]);
});

test('what was only passed is no place', () => {
  show(1);
  show(2);
  assert.deepEqual([go(-1), go(1)], [0, 2]);
});

test('a new way ends the old one', () => {
  show(1);
  leavePlace(context);
  show(2);
  go(-1);
  show(3);
  assert.deepEqual([go(-1), go(1), go(1)], [1, 3, undefined]);
});

test('a range is part of a place', () => {
  state.range = { start: ns(3), end: ns(4) };
  state.range_lanes = Uint32Array.of(1);
  const before = nextPlace(context, -1);
  assert.equal(before?.range, null);
  Object.assign(state, before);
  assert.deepEqual(nextPlace(context, 1)?.range_lanes, Uint32Array.of(1));
});

test('a motion is one step, however long its frames take', () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    beginMotion(context);
    for (const start of [1, 2, 3]) {
      show(start);
      noteView(context);
      mock.timers.tick(1000);
      assert.ok(!isSettled(state));
    }
    endMotion(context);
    mock.timers.tick(1000);
    assert.ok(isSettled(state));
    assert.deepEqual([go(-1), go(1)], [0, 3]);
  } finally {
    mock.timers.reset();
  }
});
