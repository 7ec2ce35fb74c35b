// What is drawn of a path of any length: boxes and arrows bounded by pixels, and no op lost.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ns } from '../../base/time';
import { TimeScale } from '../../base/time_scale';
import type { PathThrough } from '../../engine/protocol';
import { arrowsAlong, runsOf } from './lit_path';

/** Ops one after another, `length` long, each `length` after the one before, in turn in so many lanes. */
function chain(count: number, length: number, lanes: number): PathThrough {
  const places = Array.from({ length: count }, (_, place) => place);
  const starts = places.map((place) => ns(place * 2 * length));
  return {
    lanes: places.map((place) => place % lanes),
    start_ns: starts,
    end_ns: starts.map((start) => ns(start + length)),
    reach_ns: starts,
    by_lane: [...places].sort((a, b) => (a % lanes) - (b % lanes) || a - b),
  };
}

const scaleOf = (start: number, end: number): TimeScale => new TimeScale({ start: ns(start), end: ns(end) }, 1000);

test('far apart, every op has a box and an arrow', () => {
  const path = chain(10, 100, 2);
  const scale = scaleOf(0, 2000);
  const boxes = [0, 1].flatMap((lane) => runsOf(path, lane, scale));
  assert.equal(boxes.length, 10);
  assert.deepEqual(boxes[0], { left: 0, right: 50 });
  const arrows = arrowsAlong(path, scale, (lane) => lane);
  assert.equal(arrows.length, 9);
  assert.ok(arrows.every(({ between }) => between === 0));
  assert.deepEqual(arrows[0], { from: { x: 50, y: 0 }, to: { x: 100, y: 1 }, between: 0 });
});

test('of any number of ops, boxes and arrows are bounded by pixels, and no op is lost', () => {
  const count = 200_000;
  const path = chain(count, 10, 3);
  let looks = 0;
  const counted = new Proxy(path.start_ns, {
    get: (own, key) => {
      looks++;
      return Reflect.get(own, key) as unknown;
    },
  });
  const scale = scaleOf(0, count * 20);
  const seen: PathThrough = { ...path, start_ns: counted };
  const boxes = [0, 1, 2].flatMap((lane) => runsOf(seen, lane, scale));
  // Ops of 1/200 of a pixel lie everywhere: each lane is one run.
  assert.equal(boxes.length, 3);
  assert.ok(
    boxes.every(({ left, right }) => left < 1 && right > 999),
    JSON.stringify(boxes),
  );
  assert.ok(looks < 3 * 1000 * 40, `${looks} looks`);
  const arrows = arrowsAlong(seen, scale, (lane) => lane);
  assert.ok(arrows.length <= 2 * (1000 / 8 + 2), `${arrows.length} arrows`);
  // Each arrow begins where the one before ended.
  const through = arrows.reduce((sum, { between }) => sum + between + 1, 0);
  assert.equal(through, count - 1);
});

test('a window within the path has what lies in it, and the arrows that lead in and out', () => {
  const path = chain(1000, 100, 2);
  const scale = scaleOf(100_000, 100_400);
  // Ops 500 and 501 lie in it.
  assert.deepEqual(
    [0, 1].map((lane) => runsOf(path, lane, scale).length),
    [2, 1],
  );
  const arrows = arrowsAlong(path, scale, (lane) => lane);
  assert.deepEqual(
    arrows.map(({ from, to }) => [Math.round(from.x), Math.round(to.x)]),
    [
      [-10, 0],
      [250, 500],
      [750, 1000],
    ],
  );
});

test('a long op that began before the window is in it', () => {
  const path: PathThrough = {
    lanes: [0, 1],
    start_ns: [ns(0), ns(500)],
    end_ns: [ns(5000), ns(600)],
    reach_ns: [ns(0), ns(500)],
    by_lane: [0, 1],
  };
  const scale = scaleOf(1000, 2000);
  assert.equal(runsOf(path, 0, scale).length, 1);
  assert.equal(runsOf(path, 1, scale).length, 0);
});
