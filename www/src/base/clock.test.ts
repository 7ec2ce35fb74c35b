// Points are written in one unit per axis, from nanoseconds to hours, and as the wall clock showed them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, dateAt, HOUR, isMidnight, MINUTE, pointWriter, SECOND, STEP_CLOCK, wallClock } from './clock';

const relative = (end: number, at: number, resolution: number) => pointWriter(STEP_CLOCK, 0, end)(at, resolution).replaceAll('\u00a0', ' ');

test('relative points share the unit of their axis', () => {
  assert.equal(relative(90, 5, 1), '5 ns');
  assert.equal(relative(339e6, 250_120_310, 10), '250.12031 ms');
  assert.equal(relative(90e9, 1.5e9, 500e6), '1.5 s');
  assert.equal(relative(90e9, -0.2, 1e9), '0 s');
  assert.equal(relative(3e12, 0, 1e9), '0:00 min');
});

test('from minutes on, points are written as clocks do', () => {
  assert.equal(relative(10 * MINUTE, 150 * SECOND, SECOND), '2:30 min');
  assert.equal(relative(10 * MINUTE, 150.25 * SECOND, 1e7), '2:30.25 min');
  assert.equal(relative(10 * MINUTE, 59.9999 * SECOND, 1e8), '1:00.0 min');
  assert.equal(relative(10 * MINUTE, -5 * SECOND, SECOND), '-0:05 min');
  assert.equal(relative(3 * HOUR, 2 * HOUR + 5 * MINUTE, MINUTE), '2:05:00 h');
});

test('the wall clock is exact to the nanosecond', () => {
  const clock = wallClock('1503298496789012345');
  const write = pointWriter(clock, 0, 1000);
  assert.equal(dateAt(clock, 0), '2017-08-21');
  assert.equal(write(0, 1), '06:54:56.789012345');
  assert.equal(write(655, 1), '06:54:56.789013000');
  assert.equal(write(0, 1e6), '06:54:56.789');
  assert.equal(write(0, MINUTE), '06:54:57');
});

test('days change at midnight, and round up to it', () => {
  const clock = wallClock(String(BigInt(20_000) * BigInt(DAY) - 5n));
  assert.equal(dateAt(clock, 0), '2024-10-03');
  assert.equal(dateAt(clock, 5), '2024-10-04');
  assert.ok(isMidnight(clock, 5) && !isMidnight(clock, 4));
  assert.equal(pointWriter(clock, 0, 9)(0, SECOND), '00:00:00');
  assert.equal(pointWriter(clock, 0, 9)(4, 1), '23:59:59.999999999');
});

test('times before 1970 have days, too', () => {
  assert.deepEqual(wallClock('-1'), { origin_ns: DAY - 1, day: -1 });
  assert.equal(dateAt(wallClock('-1'), 0), '1969-12-31');
});
