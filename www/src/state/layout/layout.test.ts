// Rows neither overlap nor leave gaps, and looking up a lane by its place finds that lane.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DeviceSummary, LaneGroup } from '../../engine/protocol';
import { COUNTER_HEIGHT, layoutOf, packedLanes, TASK_HEADER, type Lanes, type Layout } from './layout';
import { PITCHES } from './pitch';
import { ALL_ROWS, type Rows } from './rows';
import {
  bandAt,
  bandOfLane,
  bandsInSight,
  holdsAll,
  isClosed,
  laneAt,
  laneBox,
  lanesWithin,
  stripAt,
  stripsWithin,
  topOf,
  uncovered,
} from './sight';

const device = (task: string | null, lanes: number, op_lanes: number, index: number) =>
  ({ name: `${task ?? ''}/device:CPU:${index}`, task, lanes, op_lanes }) as DeviceSummary;
/** All transfers have lanes. */
const opened = new Set([0, 1, 2, 3]);
const devices = [
  device('/job:ps/replica:0/task:0', 3, 3, 0),
  device('/job:worker/replica:0/task:0', 1, 0, 0),
  device('/job:worker/replica:0/task:0', 40, 4, 1),
  device(null, 0, 0, 0),
];
const LANES = 44;
const HEIGHT = 500;

const laidOut = (rows: Partial<Rows>, viewport_height = HEIGHT, lanes: Lanes = packedLanes(devices)): Layout =>
  layoutOf({ devices, lanes, rows: { ...ALL_ROWS, lane_size: 1, opened, ...rows }, viewport_height });

const sight = (layout: Layout, scroll_y = 0, height = HEIGHT) => ({ layout, scroll_y, viewport: { height } });

const groups = (...named: [string, number][]): LaneGroup[] =>
  named.map(([name, lanes]) => ({ name, lanes, kind: name === 'communication' ? 'communication' : 'ops' }));

const named: Lanes = {
  by: 'op_type',
  groups: [
    groups(['MatMul', 2], ['Add', 1]),
    groups(['communication', 1]),
    groups(['a', 1], ['empty', 0], ['b', 30], ['communication', 9]),
    [],
  ],
};

test('devices of one task share a section', () => {
  const { sections } = laidOut({});
  assert.deepEqual(
    sections.map((section) => section.bands.length),
    [1, 2, 1],
  );
  // A header only where there are several to share it.
  assert.deepEqual(
    sections.map(({ header }) => header),
    [0, TASK_HEADER, 0],
  );
  assert.equal(sections[0]?.bands[0]?.y, 0);
  assert.equal(sections[1]?.bands[0]?.y, (sections[1]?.y ?? 0) + TASK_HEADER);
  assert.equal(sections[1]?.y, sections[0]?.height);
});

test('every lane is found where it is drawn, at every size, scrolled or not, in any arrangement', () => {
  for (const lanes of [packedLanes(devices), named])
    for (const rows of [{}, { opened: new Set<number>() }, { order: [2, 3, 0, 1] }, { pinned: [1, 0] }, { tall: new Set([2]) }])
      for (let size = 0; size < PITCHES.length; size++)
        for (const scroll_y of [0, 37]) {
          const seen = sight(laidOut({ ...rows, lane_size: size }, HEIGHT, lanes), scroll_y);
          for (let lane = 0; lane < LANES; lane++) {
            const band = bandOfLane(seen.layout, lane);
            const box = laneBox(seen, lane);
            assert.ok(band && box);
            const { height } = uncovered(seen, band, box.y, box.height);
            // Transfers that are drawn as one have one place.
            const wanted = isClosed(band, lane) ? null : lane;
            if (height === box.height) assert.equal(laneAt(seen, box.y + 1e-3), wanted, `lane ${lane} at size ${size}`);
            const top = topOf(seen, band);
            assert.ok(box.y >= top && box.y + box.height <= top + band.height + 1e-9, `lane ${lane} at size ${size}`);
          }
        }
});

test('a task header holds no lane', () => {
  const layout = laidOut({});
  const header = layout.sections[1]?.y ?? 0;
  assert.equal(laneAt(sight(layout), header + 2), null);
  assert.equal(bandAt(sight(layout), header + 2), undefined);
});

test('communication has thinner lanes than ops', () => {
  const seen = sight(laidOut({}));
  assert.ok((laneBox(seen, 4 + 3)?.height ?? 0) > (laneBox(seen, 4 + 4)?.height ?? 0));
});

test('named groups of few lanes are tall enough for their name', () => {
  const { by_device } = laidOut({}, HEIGHT, named);
  for (const group of by_device[0]?.groups ?? []) assert.ok(group.lanes * group.pitch >= 15);
  assert.deepEqual(
    by_device[2]?.groups.map((group) => [group.name, group.first_lane]),
    [
      ['a', 4],
      ['b', 5],
      ['communication', 35],
    ],
  );
});

test('the devices of a GPU are one band, with a group for each stream', () => {
  const stream = (name: string, lanes: number, op_lanes: number): DeviceSummary =>
    ({ name: `/device:GPU:0/${name}`, task: null, kind: 'stream', accelerator: 0, lanes, op_lanes }) as DeviceSummary;
  const all = [...devices, stream('stream:7', 2, 1), stream('stream:8', 1, 0)];
  const layout = layoutOf({
    devices: all,
    lanes: packedLanes(all),
    rows: { ...ALL_ROWS, opened, folded: new Set([0]) },
    viewport_height: HEIGHT,
  });
  const gpu = layout.by_device[4];
  assert.ok(gpu && gpu === layout.by_device[5]);
  assert.deepEqual(
    gpu.groups.map(({ name, first_lane, lanes, kind }) => [name, first_lane - LANES, lanes, kind]),
    [
      ['stream:7', 0, 2, 'ops'],
      ['stream:8', 2, 1, 'communication'],
    ],
  );
  assert.equal(layout.bands.length, 5);
  for (const lane of [LANES, LANES + 1, LANES + 2]) assert.equal(bandOfLane(layout, lane), gpu);
  assert.deepEqual([...stripsWithin(sight(layout, 0, 9_000), 0, 9_000)], [0, 4]);
  const folded = layoutOf({ devices: all, lanes: packedLanes(all), rows: { ...ALL_ROWS, folded: new Set([4]) }, viewport_height: HEIGHT });
  assert.deepEqual([folded.by_device[5]?.groups.length, folded.by_device[5]?.lanes], [0, 3]);
});

test('lanes of a GPU stay tall enough for names next to a host of hundreds of lanes', () => {
  const host = { name: 'host', task: null, kind: 'cpu', lanes: 400, op_lanes: 400 } as DeviceSummary;
  const gpu = { name: 'GPU 0', task: null, kind: 'gpu', accelerator: 0, lanes: 6, op_lanes: 6 } as DeviceSummary;
  const both = [gpu, host];
  const { by_device } = layoutOf({ devices: both, lanes: packedLanes(both), rows: ALL_ROWS, viewport_height: HEIGHT });
  const pitchOf = (id: number) => by_device[id]?.groups[0]?.pitch ?? 0;
  assert.ok(pitchOf(0) >= 14 && pitchOf(1) < 7, `${pitchOf(0)} and ${pitchOf(1)}`);
  assert.ok((by_device[0]?.height ?? HEIGHT) <= HEIGHT / 2);
});

test('a folded device shows its density instead of its lanes, one with named groups above them', () => {
  const folded = sight(laidOut({ folded: new Set([0]) }));
  assert.deepEqual([...stripsWithin(folded, 0, HEIGHT)], [0]);
  const box = laneBox(folded, 1);
  assert.deepEqual(box, laneBox(folded, 2));
  assert.equal(stripAt(folded, box?.y ?? -1)?.band.device, 0);
  assert.equal(laneAt(folded, box?.y ?? -1), null);
  assert.ok(!lanesWithin(folded, 0, HEIGHT).includes(1));
  const { by_device } = laidOut({}, HEIGHT, named);
  assert.ok((by_device[2]?.strip?.height ?? Infinity) < (by_device[2]?.groups[0]?.y ?? 0));
});

test('threads of a host have their names next to them, though the lanes are packed', () => {
  const host = [{ ...device(null, 5, 5, 0), by_thread: true } as DeviceSummary];
  const lanes: Lanes = {
    by: 'packed',
    groups: [
      [
        { name: 'main (900)', lanes: 3, kind: 'ops' },
        { name: 'backward (30)', lanes: 2, kind: 'ops' },
      ],
    ],
  };
  const [band] = layoutOf({ devices: host, lanes, rows: ALL_ROWS, viewport_height: HEIGHT }).bands;
  assert.ok(band?.named && band.strip);
  assert.deepEqual(
    band.groups.map(({ name, first_lane, lanes: count }) => [name, first_lane, count]),
    [
      ['main (900)', 0, 3],
      ['backward (30)', 3, 2],
    ],
  );
});

test('transfers that are closed are one band below the ops, which keep their height; what is selected in it has its place', () => {
  const layout = laidOut({ opened: new Set([1]) });
  const [, one, many] = layout.bands;
  assert.ok(many?.closed && one);
  assert.deepEqual([many.closed.first_lane, many.closed.lanes], [8, 36]);
  assert.equal(one.closed, null, 'one transfer at a time has a lane that says more');
  const open = laidOut({}).bands[2];
  assert.deepEqual(many.groups, open?.groups.slice(0, 1));
  const ops = many.groups[0];
  assert.ok(ops && many.closed.y >= ops.y + ops.lanes * ops.pitch && many.height < (open?.height ?? 0) / 3);
  const seen = sight(layout);
  const top = topOf(seen, many) + many.closed.y;
  assert.deepEqual(laneBox(seen, 8), { y: top, height: many.closed.height });
  assert.deepEqual(laneBox(seen, 43), { y: top, height: many.closed.height });
  assert.equal(laneAt(seen, top + 2), null);
  assert.deepEqual([stripAt(seen, top + 2)?.strip.of, stripAt(seen, top + 2)?.strip.most], ['communication', 36]);
  assert.equal(stripAt(seen, top - 3), null);
  assert.ok([...lanesWithin(seen, 0, HEIGHT)].every((lane) => lane < 8));
  assert.deepEqual([...stripsWithin(seen, 0, HEIGHT)], [2]);
});

test('transfers that are few in view are drawn one by one in the room that they have together, and nothing below them moves', () => {
  const worker = { ...devices[2]!, op_lanes: 1, lanes: 37 };
  const all = [worker, worker];
  const ofView = (transfers: number) => {
    const used = new Uint8Array(74).fill(0);
    for (const first of [0, 37]) used.fill(1, first, first + 1 + transfers);
    return layoutOf({ devices: all, lanes: packedLanes(all), rows: ALL_ROWS, viewport_height: HEIGHT, used });
  };
  const [few, many] = [ofView(2), ofView(30)];
  assert.deepEqual(
    few.bands.map(({ y, height }) => [y, height]),
    many.bands.map(({ y, height }) => [y, height]),
  );
  for (const [at, band] of few.bands.entries()) {
    const hill = many.bands[at]?.closed;
    const bars = band.groups.at(-1);
    assert.ok(hill && bars && band.bars && !band.closed && !many.bands[at]?.bars);
    assert.deepEqual([bars.y, bars.lanes, bars.lanes * bars.pitch], [hill.y, 2, hill.height]);
    assert.ok(bars.pitch >= 13, 'there is room for names');
    assert.deepEqual([...lanesWithin(sight(few), band.y + bars.y, band.y + bars.y + hill.height)].length, 2);
  }
});

test('a folded device shows its work and its transfers apart, each by the most there are at once', () => {
  const talking = [{ ...device('/job:ps/replica:0/task:0', 40, 3, 0), communication_ns: 5, by_thread: false } as DeviceSummary];
  const layout = layoutOf({
    devices: talking,
    lanes: packedLanes(talking),
    rows: { ...ALL_ROWS, folded: new Set([0]) },
    viewport_height: HEIGHT,
  });
  const [work, transfers] = layout.bands[0]?.strips ?? [];
  assert.ok(work && transfers);
  assert.deepEqual([work.of, work.most, transfers.of, transfers.most], ['work', 3, 'communication', 37]);
  assert.ok(work.height > transfers.height && transfers.y > work.y + work.height);
});

test('all devices of a cluster fit the window where their names stay readable', () => {
  const cluster = Array.from({ length: 8 }, (_, task) => device(`/job:worker/replica:0/task:${task}`, 80, 1 + (task % 2), 0));
  const layout = layoutOf({ devices: cluster, lanes: packedLanes(cluster), rows: ALL_ROWS, viewport_height: 370 });
  assert.ok(layout.height <= 370, `${layout.height}`);
  assert.ok(layout.bands.every(({ groups }) => (groups[0]?.pitch ?? 0) >= 13));
});

test('folding makes a device as small as its name and keeps its lanes', () => {
  const open = laidOut({});
  const folded = laidOut({ folded: new Set([2]) });
  assert.ok((folded.by_device[2]?.height ?? Infinity) < (open.by_device[2]?.height ?? 0) / 10);
  assert.deepEqual(folded.first_lanes, open.first_lanes);
});

test('the order is the user’s, and devices side by side share the header of their task', () => {
  const { bands, sections } = laidOut({ order: [2, 0, 1] });
  assert.deepEqual(
    bands.map((band) => band.device),
    [2, 0, 1, 3],
  );
  assert.equal(sections.length, 4);
});

test('hidden devices and those that the filter does not hold take no room', () => {
  const hidden = laidOut({ hidden: new Set([1]) });
  assert.equal(hidden.by_device[1], undefined);
  assert.equal(laneBox(sight(hidden), 3), null);
  const filtered = laidOut({ filter: 'WORKER 0' });
  assert.deepEqual(
    filtered.bands.map((band) => band.device),
    [1, 2],
  );
});

test('pinned devices stay at the top and cover what scrolls below them', () => {
  const layout = laidOut({ pinned: [1], filter: 'cpu:1' });
  const [pinned, below] = bandsInSight(sight(layout, 60));
  assert.ok(pinned && below);
  assert.deepEqual([pinned.device, topOf(sight(layout, 60), pinned), below.device], [1, 0, 2]);
  assert.equal(below.y, layout.pinned_height);
  assert.equal(laneAt(sight(layout, 60), 4), 3);
  assert.equal(uncovered({ layout }, below, -20, 10).height, 0);
  assert.ok(lanesWithin(sight(layout, 60), 0, HEIGHT).includes(3));
});

test('what is pinned leaves room to scroll in, and leads what scrolls where it is too tall for that', () => {
  const squeezed = laidOut({ pinned: [2] }, 300);
  assert.ok(squeezed.pinned_height > 0 && squeezed.pinned_height <= 0.6 * 300);
  const tight = laidOut({ pinned: [2] }, 40);
  assert.deepEqual([tight.pinned_height, tight.bands[0]?.device], [0, 2]);
});

test('only visible lanes are asked for, from top to bottom', () => {
  const layout = laidOut({ order: [2, 0, 1, 3] });
  const top = (layout.by_device[2]?.y ?? 0) + 200;
  const lanes = lanesWithin(sight(layout), top, top + 40);
  assert.ok(lanes.length >= 3 && lanes.length <= 5, `${lanes.length}`);
  assert.deepEqual([...lanesWithin(sight(layout), 0, layout.height)].slice(0, 2), [4, 5]);
});

test('what was asked for holds what is visible only in the same order', () => {
  const of = (...lanes: number[]) => Uint32Array.from(lanes);
  assert.ok(holdsAll(of(4, 5, 6, 1, 2), of(5, 1)));
  assert.ok(holdsAll(of(), of()));
  assert.ok(!holdsAll(of(4, 5), of(5, 4)));
  assert.ok(!holdsAll(of(4, 5), of(5, 5)));
});

test('automatic lanes shrink until little scrolling is left', () => {
  const roomy = laidOut({ lane_size: 'auto' }, 1000);
  const small = laidOut({ lane_size: 'auto', filter: 'ps 0' }, 1000);
  const tight = laidOut({ lane_size: 'auto' }, 100);
  assert.equal(small.size, 0);
  assert.equal(roomy.size, 0);
  assert.ok(tight.size > roomy.size && tight.height < roomy.height);
});

test('rows of devices that do nearly the same are as tall as each other, with their transfers at the bottom', () => {
  const worker = devices.find(({ lanes, op_lanes }) => op_lanes > 0 && lanes - op_lanes > 1)!;
  const all = [1, 2, 1].map((op_lanes) => ({ ...worker, op_lanes, lanes: op_lanes + 5 }));
  const { bands } = layoutOf({ devices: all, lanes: packedLanes(all), rows: ALL_ROWS, viewport_height: HEIGHT });
  assert.equal(new Set(bands.map(({ height }) => height)).size, 1);
  assert.equal(new Set(bands.map(({ closed }) => closed?.y)).size, 1);
  assert.equal(new Set(bands.flatMap(({ groups }) => groups.map(({ pitch }) => pitch))).size, 1);
  const uneven = layoutOf({ devices: all, lanes: packedLanes(all), rows: { ...ALL_ROWS, lane_size: 2 }, viewport_height: HEIGHT });
  assert.ok(
    (uneven.bands[0]?.height ?? Infinity) < (uneven.bands[1]?.height ?? 0),
    'lanes as tall as the user chose take no more than they need',
  );
});

test('counters stand below the lanes of their device, and fold with it', () => {
  const counters = new Map([[1, Array.from({ length: 203 }, (_, counter) => counter)]]);
  const withCounters = (rows: Partial<Rows>) =>
    layoutOf({
      devices,
      lanes: packedLanes(devices),
      rows: { ...ALL_ROWS, lane_size: 1, opened, ...rows },
      viewport_height: HEIGHT,
      counters,
    });
  const plain = laidOut({}).by_device[1]!;
  const band = withCounters({}).by_device[1]!;
  // More than that are only counted.
  assert.equal(band.counters.length, 201);
  assert.deepEqual([band.counters[200]?.counter, band.counters[200]?.more], [null, 3]);
  assert.equal(band.height, plain.height + 201 * COUNTER_HEIGHT);
  assert.ok(band.counters.every(({ y }, index) => y === plain.height - 1 + index * COUNTER_HEIGHT));
  assert.deepEqual(withCounters({ folded: new Set([1]) }).by_device[1]?.counters, []);
});
