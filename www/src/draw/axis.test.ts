// Ticks are round, within the window, and far enough apart that no two labels touch, at every zoom and on both clocks.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, HOUR, MINUTE, SECOND, STEP_CLOCK, wallClock, type Clock } from '../base/clock';
import { ns } from '../base/time';
import { TimeScale } from '../base/time_scale';
import { ticks } from './axis';

const CHARACTER_PX = 6.5;
const measure = (text: string) => text.length * CHARACTER_PX;
const between = (start: number, length: number, clock: Clock = STEP_CLOCK, width = 1300) =>
  ticks(new TimeScale({ start: ns(start), end: ns(start + length) }, width), clock, measure);
const WALL = wallClock('1503298496789012345');

test('ticks are round for people', () => {
  const steps = [20, 339e6, 12 * SECOND, 3 * MINUTE, 40 * MINUTE, 5 * HOUR, 3 * DAY].map((length) => between(0, length).step.length);
  assert.deepEqual(steps, [2, 50e6, SECOND, 15 * SECOND, 5 * MINUTE, 30 * MINUTE, 6 * HOUR]);
});

test('at every zoom, labels keep their distance and differ', () => {
  for (const clock of [STEP_CLOCK, WALL])
    for (const width of [320, 1300, 3600])
      for (const start of [-7, 0, 250_120_003, 3_599_999_999_123])
        for (let length = 20; length < 2 * DAY; length *= 1.37) {
          const found = between(start, length, clock, width).ticks;
          const about = `${start} + ${length} at ${width}`;
          assert.ok(found.length <= width / 80 + 2, about);
          if (width >= 1300) assert.ok(found.length >= 3, about);
          assert.equal(new Set(found.map(({ at }) => at)).size, found.length, about);
          found.slice(1).forEach(({ x, label, date }, index) => {
            const before = found[index];
            assert.ok(before && x - before.x >= measure(before.label) + 10, `${about}: ${before?.label} | ${label}`);
            assert.ok(date || before.label !== label, `${about}: ${label}`);
          });
        }
});

test('a window that no trace has does no harm', () => {
  for (const clock of [STEP_CLOCK, WALL])
    for (const length of [1e25, 1e300]) assert.ok(between(-length / 2, length, clock).ticks.length < 100);
});

test('labels of one relative axis share a unit', () => {
  for (const [start, length] of [
    [0, 339e6],
    [250_120_000, 10_000],
    [-5, 100],
    [0, 90e9],
    [0, 3 * HOUR],
  ] as const) {
    const units = between(start, length).ticks.map(({ label }) => label.split('\u00a0')[1]);
    assert.equal(new Set(units).size, 1);
  }
});

test('on the wall clock, ticks are round times of day', () => {
  const labels = between(0, 339e6, WALL).ticks.map(({ label }) => label);
  assert.deepEqual(labels.slice(0, 2), ['06:54:56.80', '06:54:56.85']);
});

test('a day that begins is named by its date', () => {
  const found = between(0, 2 * DAY, WALL).ticks;
  assert.deepEqual(
    found.filter(({ date }) => date).map(({ label }) => label),
    ['2017-08-22', '2017-08-23'],
  );
  assert.ok(found.some(({ label }) => label === '12:00:00'));
});
