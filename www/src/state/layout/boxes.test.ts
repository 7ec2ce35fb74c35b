// A box takes the lanes it touches, and chosen lanes are outlined where they are drawn.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DeviceSummary } from '../../engine/protocol';
import { lanesTouched, runsOf } from './boxes';
import { layoutOf, packedLanes } from './layout';
import { ALL_ROWS } from './rows';
import { laneBox } from './sight';

const device = (task: string, lanes: number, op_lanes: number) => ({ name: task, task, lanes, op_lanes }) as DeviceSummary;
const devices = [device('a', 4, 4), device('b', 3, 1), device('c', 5, 2)];
const rows = { ...ALL_ROWS, folded: new Set([1]), lane_size: 1 };
const layout = layoutOf({ devices, lanes: packedLanes(devices), rows, viewport_height: 500 });
const sight = { layout, scroll_y: 0, viewport: { height: 500 } };
const middleOf = (lane: number): number => {
  const box = laneBox(sight, lane);
  assert.ok(box);
  return box.y + box.height / 2;
};

test('a box takes the lanes that it touches, and of a folded device all', () => {
  assert.deepEqual([...lanesTouched(sight, middleOf(1), middleOf(2))], [1, 2]);
  const folded = layout.by_device[1];
  assert.ok(folded);
  assert.deepEqual([...lanesTouched(sight, folded.y + 10, folded.y + 12)], [4, 5, 6]);
  assert.deepEqual([...lanesTouched(sight, middleOf(3), middleOf(8))], [3, 4, 5, 6, 7, 8]);
});

test('chosen lanes that lie together are one run', () => {
  const runs = runsOf(sight, Uint32Array.of(1, 2, 7));
  assert.equal(runs.length, 2);
  assert.ok(runs[0] && runs[0].y <= middleOf(1) && runs[0].y + runs[0].height >= middleOf(2));
  assert.ok(runs[1] && runs[1].y <= middleOf(7) && runs[1].y + runs[1].height >= middleOf(7));
  assert.deepEqual(runsOf({ ...sight, scroll_y: 400 }, Uint32Array.of(1, 2)), []);
});
