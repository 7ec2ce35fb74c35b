// What has a row of its own, and what the row is called.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Accelerator, DeviceSummary, Summary } from '../../engine/protocol';
import { leaderOf, membersOf, rowCount, unitPlace, unitWords } from './units';

type Named = Partial<DeviceSummary> & { name: string };

function summaryOf(devices: readonly Named[], accelerators: readonly Partial<Accelerator>[]): Summary {
  const all = devices.map((device) => ({ task: null, ops: 1, lanes: 1, kind: 'other', ...device }));
  return { devices: all, accelerators } as unknown as Summary;
}

const gpu = summaryOf(
  [
    { name: '/job:localhost/replica:0/task:0/device:GPU:0', task: '/job:localhost/replica:0/task:0' },
    { name: '/device:GPU:0/memcpy', kind: 'memcpy', accelerator: 0, lanes: 2 },
    { name: '/device:GPU:0/stream:13', kind: 'stream', accelerator: 0 },
    { name: '/device:GPU:1/stream:7', kind: 'stream', accelerator: 1 },
  ],
  [
    { name: '/device:GPU:0', devices: [1, 2], streams: 2, ops: 9, dispatched_by: [0] },
    { name: '/device:GPU:1', devices: [3], streams: 1, ops: 1 },
  ],
);

test('the devices of a GPU are one unit, which the first of them leads', () => {
  const { devices } = gpu;
  assert.deepEqual(
    devices.map((_, device) => leaderOf(devices, device)),
    [0, 1, 1, 3],
  );
  assert.deepEqual(
    [0, 1, 2, 3, 4].map((device) => membersOf(devices, device)),
    [[0], [1, 2], [], [3], []],
  );
  assert.equal(rowCount(devices), 3);
});

test('a GPU is called by its number and its streams, and differs from what was dispatched to it', () => {
  assert.deepEqual(
    [0, 1, 2, 3].map((device) => unitPlace(gpu, device)),
    ['localhost 0 GPU:0 dispatch', 'GPU 0, 2 streams', 'GPU 0, 2 streams', 'GPU 1'],
  );
  const { ops, lanes, name } = unitWords(gpu, 2);
  assert.deepEqual([ops, lanes, name], [9, 3, '/device:GPU:0']);
});

test('the process is named only where two have a GPU of one number', () => {
  const of = (names: readonly string[], tasks: readonly (string | null)[]) => {
    const devices = names.map((name, accelerator): Named => ({ name, kind: 'gpu', accelerator, task: tasks[accelerator] ?? null }));
    const one = summaryOf(
      devices,
      names.map((name, device) => ({ name, devices: [device], streams: 2 })),
    );
    return names.map((_, device) => unitWords(one, device).label);
  };
  assert.deepEqual(of(['python3 GPU 0', 'python3 GPU 1'], []), ['GPU 0', 'GPU 1']);
  assert.deepEqual(of(['a GPU 0', 'b GPU 0'], []), ['a GPU 0', 'b GPU 0']);
  const rank = (rank: number) => `/job:rank/replica:0/task:${rank}`;
  assert.deepEqual(of([`${rank(0)}/a GPU 0`, `${rank(1)}/b GPU 0`], [rank(0), rank(1)]), ['GPU 0', 'GPU 0']);
});

test('frames of Python say so, and whose they are where there are several', () => {
  const frames = ['a CPU (Python frames)', 'b CPU (Python frames)'].map((name) => ({ name }));
  assert.equal(unitPlace(summaryOf(frames.slice(0, 1), []), 0), 'Python frames');
  assert.equal(unitPlace(summaryOf(frames, []), 1), 'Python frames, b CPU');
  const spans = summaryOf([{ name: 'pid -1', without_work: true }], []);
  assert.equal(unitPlace(spans, 0), 'Ranges, pid -1');
});
