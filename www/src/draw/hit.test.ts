// The pointer finds the mark it is on, and short marks from a little away.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NONE, type Marks } from '../engine/protocol';
import { batchOf } from './batch';
import { markAt } from './hit';
import { ns } from '../base/time';

function marks(rows: [row: number, x0: number, x1: number, style?: number][], n_lanes: number, stacks: number[] = []): Marks {
  const column = (of: (mark: (typeof rows)[number]) => number) => rows.map(of);
  return {
    query: {
      start_ns: ns(0),
      end_ns: ns(100),
      width_px: 100,
      lanes: Uint32Array.from({ length: n_lanes }, (_, lane) => lane + 10),
      pitches: new Float32Array(n_lanes),
      most: 100,
      strips: new Uint32Array(),
    },
    color_by: 'category',
    light: 'off',
    stacks: Uint32Array.from(stacks),
    row: Uint32Array.from(column(([row]) => row)),
    x0: Float32Array.from(column(([, x0]) => x0)),
    x1: Float32Array.from(column(([, , x1]) => x1)),
    style: Uint8Array.from(column(([, , , style]) => style ?? 0)),
    op: Uint32Array.from(rows.map((_, index) => index)),
    count: Uint32Array.from(rows.map(() => 1)),
    density: Uint8Array.from(rows.map(() => 255)),
    text: Uint32Array.from(rows.map(() => NONE)),
    names: [],
    column_px: 1,
    strips: new Float32Array(),
    exposed: new Float32Array(),
  };
}

const two_lanes = batchOf(
  marks(
    [
      [0, 0, 10],
      [0, 20, 30],
      [1, 5, 5.5],
      [1, 40, 60],
    ],
    2,
  ),
  false,
);

test('inside a mark it is that mark', () => {
  assert.equal(markAt(two_lanes, 10, 25, 2), 1);
  assert.equal(markAt(two_lanes, 11, 50, 2), 3);
});

test('a short mark is found from a little away, and nothing is found far from all', () => {
  assert.equal(markAt(two_lanes, 11, 7, 2), 2);
  assert.equal(markAt(two_lanes, 11, 20, 2), null);
  assert.equal(markAt(two_lanes, 99, 5, 2), null);
});

test('every mark is in exactly one group, those that match come last', () => {
  const batch = batchOf(
    marks(
      [
        [0, 0, 1, 32],
        [0, 2, 3, 1],
        [0, 4, 5, 33],
        [0, 6, 7, 2],
      ],
      1,
    ),
    true,
  );
  assert.deepEqual([...batch.order].sort(), [0, 1, 2, 3]);
  assert.deepEqual(new Set(batch.order.slice(2)), new Set([0, 2]));
});

test('in a stack the pointer finds what stands in the lane itself, and else what is merged', () => {
  const stacked = batchOf(
    marks(
      [
        [1, 40, 60],
        [2, 0, 8],
        [2, 8, 16],
        [2, 48, 56],
      ],
      2,
      [0, 2],
    ),
    false,
  );
  assert.equal(markAt(stacked, 10, 5, 2), 1);
  assert.equal(markAt(stacked, 11, 9, 2), 2);
  assert.equal(markAt(stacked, 10, 50, 2), 3);
  assert.equal(markAt(stacked, 11, 50, 2), 0);
  assert.equal(markAt(stacked, 10, 30, 2), null);
  // Stacks are drawn first, so that they cover nothing.
  assert.deepEqual([...stacked.order], [1, 2, 3, 0]);
});
