// The strip shows each segment that a pixel can show, and of shorter ones their shares.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ns } from '../base/time';
import { TimeScale } from '../base/time_scale';
import { stripRuns, type Tiles } from './path_strip';

const tiles = (lengths: number[], kinds: number[]): Tiles => {
  const end_ns = lengths.map((_, place) => lengths.slice(0, place + 1).reduce((sum, length) => sum + length, 0));
  return { start_ns: end_ns.map((end, place) => end - lengths[place]!), end_ns, kind: kinds };
};
const scaleOf = (start: number, end: number, width: number): TimeScale => new TimeScale({ start: ns(start), end: ns(end) }, width);

test('segments of a pixel and more are drawn as they are', () => {
  const runs = stripRuns(tiles([100, 50, 250], [0, 1, 0]), scaleOf(0, 400, 40));
  assert.deepEqual(runs, [
    { left: 0, right: 10, kind: 0 },
    { left: 10, right: 15, kind: 1 },
    { left: 15, right: 40, kind: 0 },
  ]);
});

test('only what is in sight is drawn', () => {
  const runs = stripRuns(tiles([100, 100, 100, 100], [0, 1, 2, 3]), scaleOf(150, 250, 100));
  assert.deepEqual(
    runs.map(({ kind }) => kind),
    [1, 2],
  );
});

test('of any number of segments, runs are bounded by pixels, they touch, and colours have their shares', () => {
  const count = 20_000;
  // Of four segments one has the first kind; it lasts three times as long.
  const lengths = Array.from({ length: count }, (_, place) => (place % 2 === 0 ? 31 : 9));
  const end_ns: number[] = [];
  for (const length of lengths) end_ns.push((end_ns.at(-1) ?? 0) + length);
  const path: Tiles = { start_ns: end_ns.map((end, place) => end - lengths[place]!), end_ns, kind: lengths.map((_, place) => place % 2) };
  const span = end_ns.at(-1)!;
  const runs = stripRuns(path, scaleOf(0, span, 1000));
  assert.ok(runs.length <= 2000, `${runs.length} runs`);
  for (let at = 1; at < runs.length; at++) assert.ok(Math.abs(runs[at]!.left - runs[at - 1]!.right) < 1e-6, `a hole before run ${at}`);
  const first = runs.filter(({ kind }) => kind === 0).reduce((sum, { left, right }) => sum + right - left, 0);
  assert.ok(Math.abs(first / 1000 - 31 / 40) < 0.05, `${first / 10} %`);
});

test('a long segment after short ones begins where it begins', () => {
  const runs = stripRuns(tiles([1, 1, 1, 97, 900], [0, 1, 2, 3, 4]), scaleOf(0, 1000, 100));
  const last = runs.at(-1)!;
  assert.deepEqual([last.kind, Math.round(last.left), Math.round(last.right)], [4, 10, 100]);
  assert.ok(runs.some(({ kind }) => kind === 3));
});
