// Rows neither overlap nor leave gaps, and looking up a lane by its place finds that lane.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DeviceSummary } from '../engine/protocol';
import { bandOfLane, laneAt, laneBox, lanesWithin, layoutOf, TASK_HEADER, type Band } from './layout';

const device = (task: string | null, lanes: number) => ({ task, lanes }) as DeviceSummary;
const devices = [device('/job:ps/replica:0/task:0', 3), device('/job:worker/replica:0/task:0', 1), device('/job:worker/replica:0/task:0', 40)];
const options = { folded: new Set<number>(), tall: new Set<number>(), lane_height: 20, viewport_height: 500 };

test('devices of one task share a section', () => {
  const { sections } = layoutOf(devices, options);
  assert.deepEqual(sections.map((section) => section.bands.length), [1, 2]);
  assert.equal(sections[0]?.bands[0]?.y, TASK_HEADER);
  assert.equal(sections[1]?.y, sections[0]?.height);
});

test('every lane is found where it is drawn', () => {
  const layout = layoutOf(devices, options);
  for (let lane = 0; lane < layout.lanes; lane++) {
    const band = bandOfLane(layout, lane);
    const box = laneBox(band as Band, lane);
    assert.equal(laneAt(layout, box.y + box.height / 2), lane);
  }
});

test('a task header holds no lane', () => {
  assert.equal(laneAt(layoutOf(devices, options), 2), null);
});

test('folding makes a device as small as its name', () => {
  const open = layoutOf(devices, options);
  const folded = layoutOf(devices, { ...options, folded: new Set([2]) });
  assert.ok((folded.bands[2]?.height ?? Infinity) < (open.bands[2]?.height ?? 0) / 10);
  assert.equal(folded.lanes, open.lanes);
});

test('only lanes in sight are asked for', () => {
  const layout = layoutOf(devices, options);
  const last = layout.bands[2];
  const top = (last?.y ?? 0) + 100;
  const lanes = lanesWithin(layout, top, top + 40);
  assert.ok(lanes.length >= 2 && lanes.length <= 4);
});

test('automatic lanes shrink until little scrolling is left', () => {
  const tall = layoutOf(devices, { ...options, lane_height: 'auto', viewport_height: 2000 });
  const small = layoutOf(devices, { ...options, lane_height: 'auto', viewport_height: 200 });
  assert.equal(tall.bands[2]?.pitch, 20);
  assert.equal(small.bands[2]?.pitch, 5);
});
