// Rows neither overlap nor leave gaps, and looking up a lane by its place finds that lane.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DeviceSummary } from '../engine/protocol';
import {
  bandOfLane,
  laneAt,
  laneBox,
  lanesWithin,
  layoutOf,
  PITCHES,
  TASK_HEADER,
  type Band,
  type LayoutOptions,
} from './layout';

const device = (task: string | null, lanes: number, op_lanes: number) => ({ task, lanes, op_lanes }) as DeviceSummary;
const devices = [
  device('/job:ps/replica:0/task:0', 3, 3),
  device('/job:worker/replica:0/task:0', 1, 0),
  device('/job:worker/replica:0/task:0', 40, 4),
  device(null, 0, 0),
];
const options: LayoutOptions = {
  folded: new Set(),
  tall: new Set(),
  size: 1,
  viewport_height: 500,
};

test('devices of one task share a section', () => {
  const { sections } = layoutOf(devices, options);
  assert.deepEqual(
    sections.map((section) => section.bands.length),
    [1, 2, 1],
  );
  assert.equal(sections[0]?.bands[0]?.y, TASK_HEADER);
  assert.equal(sections[1]?.y, sections[0]?.height);
});

test('every lane is found where it is drawn, at every size', () => {
  for (let size = 0; size < PITCHES.length; size++) {
    const layout = layoutOf(devices, { ...options, size });
    for (let lane = 0; lane < layout.lanes; lane++) {
      const band = bandOfLane(layout, lane) as Band;
      const box = laneBox(band, lane);
      assert.equal(laneAt(layout, box.y + 1e-3), lane);
      assert.ok(box.y >= band.y && box.y + box.height <= band.y + band.height + 1e-9, `lane ${lane} at size ${size}`);
    }
  }
});

test('a task header holds no lane', () => {
  assert.equal(laneAt(layoutOf(devices, options), 2), null);
});

test('communication has thinner lanes than ops', () => {
  const band = layoutOf(devices, options).bands[2] as Band;
  assert.ok(laneBox(band, 4 + 3).height > laneBox(band, 4 + 4).height);
});

test('folding makes a device as small as its name and keeps its lanes', () => {
  const open = layoutOf(devices, options);
  const folded = layoutOf(devices, { ...options, folded: new Set([2]) });
  assert.ok((folded.bands[2]?.height ?? Infinity) < (open.bands[2]?.height ?? 0) / 10);
  assert.equal(folded.lanes, open.lanes);
  assert.equal(lanesWithin(folded, folded.bands[2]?.y ?? 0, folded.height).length, 40);
});

test('only lanes in sight are asked for', () => {
  const layout = layoutOf(devices, options);
  const top = (layout.bands[2]?.y ?? 0) + 200;
  const lanes = lanesWithin(layout, top, top + 40);
  assert.ok(lanes.length >= 3 && lanes.length <= 5, `${lanes.length}`);
});

test('automatic lanes shrink until little scrolling is left', () => {
  const roomy = layoutOf(devices, { ...options, size: 'auto', viewport_height: 1000 });
  const small = layoutOf(devices.slice(0, 2), { ...options, size: 'auto', viewport_height: 1000 });
  const tight = layoutOf(devices, { ...options, size: 'auto', viewport_height: 100 });
  assert.equal(small.size, 0);
  assert.equal(roomy.size, 1);
  assert.ok(tight.size > roomy.size && tight.height < roomy.height);
});
