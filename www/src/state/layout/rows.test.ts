// Devices keep their identity while they are moved, hidden, pinned and filtered.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DeviceSummary } from '../../engine/protocol';
import { ALL_ROWS, filterOf, firstRows, movedBefore, orderOf, revealed, shownOf, targetPast, type Rows } from './rows';

const names = ['/job:ps/replica:0/task:0/device:CPU:0', '/job:worker/replica:0/task:1/device:GPU:0', '/device:GPU:0/stream:7'];
const devices = names.map((name) => ({ name }) as DeviceSummary);
const rows = (change: Partial<Rows>): Rows => ({ ...ALL_ROWS, ...change });

test('an order that is damaged or too short still shows every device once', () => {
  assert.deepEqual(orderOf(rows({ order: [2, 2, 99, 0] }), 3), [2, 0, 1]);
  assert.deepEqual(orderOf(ALL_ROWS, 3), [0, 1, 2]);
});

test('rows without work are folded away at first, unless there is nothing else', () => {
  const of = (...rows: readonly Partial<DeviceSummary>[]) =>
    rows.map((row) => ({ name: 'pid 1', kind: 'other', ops: 1, ...row }) as DeviceSummary);
  const aside = of({ name: 'Spans', without_work: true }, { name: 'pid 1 (Python frames)' }, { kind: 'host-profiler' });
  const others = of({}, { accelerator: 0, without_work: true }, { ops: 0, without_work: true });
  assert.deepEqual([...firstRows([...aside, ...others], false).folded], [0, 1, 2]);
  assert.deepEqual([...firstRows(aside, false).folded], []);
});

test('the filter knows a device by its recorded name and by the name on the page', () => {
  const matching = (words: string) => names.filter(filterOf(words)).length;
  assert.deepEqual(['gpu', 'worker 1', '/task:1', ' Stream:7 ', '', 'tpu'].map(matching), [2, 1, 1, 1, 3, 0]);
});

test('a filter takes several terms, words, exceptions and expressions', () => {
  const cluster = [
    'ps/replica:0/task:0/device:CPU:0',
    'worker/replica:0/task:0/device:CPU:0',
    'worker/replica:0/task:1/device:GPU:0',
    'worker/replica:0/task:12/device:CPU:0',
  ].map((name) => `/job:${name}`);
  const matching = (filter: string) => cluster.flatMap((name, at) => (filterOf(filter)(name) ? [at] : []));
  assert.deepEqual(matching('ps, worker 1'), [0, 2, 3]);
  assert.deepEqual(matching('worker gpu'), [2]);
  assert.deepEqual(matching('-ps'), [1, 2, 3]);
  assert.deepEqual(matching('worker, -gpu'), [1, 3]);
  assert.deepEqual(matching('/task:(0|12)/'), [0, 1, 3]);
  assert.deepEqual(matching('/task:[1,2]/, ps'), [0, 2, 3]);
  assert.deepEqual(matching(' , - '), [0, 1, 2, 3], 'what says nothing keeps everything');
  assert.deepEqual(matching('/task:(/'), [], 'what is no expression is searched for as it stands');
});

test('a pinned device is shown whatever the filter, and a hidden one never', () => {
  const shown = shownOf(devices, rows({ pinned: [0, 1, 7], hidden: new Set([1]), filter: 'stream' }));
  assert.deepEqual(shown, { pinned: [0], scrolled: [2] });
});

test('moving keeps the others in order', () => {
  assert.deepEqual(movedBefore([0, 1, 2, 3], [3], 1), [0, 3, 1, 2]);
  assert.deepEqual(movedBefore([0, 1, 2, 3], [0, 1], null), [2, 3, 0, 1]);
  assert.deepEqual(movedBefore([0, 1, 2, 3], [2, 1], 1), [0, 3, 1, 2]);
});

test('a block passes its neighbour, and stays at the edge', () => {
  const blocks = [[0, 1], [2], [3, 4]];
  assert.equal(targetPast(blocks, 1, -1), 0);
  assert.equal(targetPast(blocks, 0, 1), 3);
  assert.equal(targetPast(blocks, 1, 1), null);
  assert.equal(targetPast(blocks, 0, -1), undefined);
  assert.equal(targetPast(blocks, 2, 1), undefined);
});

test('what is to be seen comes back from wherever it went', () => {
  const away = rows({ hidden: new Set([1, 2]), folded: new Set([1]), filter: 'stream' });
  const back = revealed(away, 1, names[1] ?? '');
  assert.deepEqual([[...back.hidden], [...back.folded], back.filter], [[2], [], '']);
  assert.equal(revealed(back, 0, names[0] ?? ''), back);
});
