// Zooming keeps the point under the pointer; panning never leaves the trace.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ns } from './time';
import { lengthOf, moved, TimeScale, transformBetween, windowBetween, windowHolding, zoomed, type Window } from './time_scale';

const window = (start: number, end: number): Window => ({ start: ns(start), end: ns(end) });
const bounds = window(0, 1000);

test('pixels and times are each other’s inverse', () => {
  const scale = new TimeScale(window(100, 300), 400);
  assert.equal(scale.toPx(150), 100);
  assert.equal(scale.toNs(100), 150);
});

test('the anchor of a zoom stays where it is', () => {
  const before = window(200, 600);
  const after = zoomed(before, 300, 0.5, bounds);
  assert.equal(new TimeScale(before, 800).toPx(300), new TimeScale(after, 800).toPx(300));
});

test('zooming out ends at the bounds, zooming in at the shortest window', () => {
  assert.deepEqual(zoomed(window(200, 600), 300, 100, bounds), bounds);
  const closest = zoomed(window(200, 600), 300, 1e-9, bounds);
  assert.ok(Math.abs(closest.end - closest.start - 20) < 1e-9);
});

test('panning stops at both ends and keeps the length', () => {
  assert.deepEqual(moved(window(200, 600), -900, bounds), window(0, 400));
  assert.deepEqual(moved(window(200, 600), 900, bounds), window(600, 1000));
});

test('what is held stays at its share of the width, until the bounds end it', () => {
  assert.deepEqual(windowHolding(500, 0.25, 400, bounds), window(400, 800));
  assert.deepEqual(windowHolding(500, 0.25, 100, bounds), window(475, 575));
  assert.deepEqual(windowHolding(100, 0.75, 400, bounds), window(0, 400));
});

test('marks of one scale land where another scale would put them', () => {
  const old = new TimeScale(window(0, 100), 1000);
  const now = new TimeScale(window(20, 70), 1000);
  const { factor, offset } = transformBetween(old, now);
  assert.ok(Math.abs(old.toPx(45) * factor + offset - now.toPx(45)) < 1e-9);
});

test('on the way to another window the zoom changes evenly and one moment stays in place', () => {
  const [from, to] = [window(0, 1000), window(600, 610)];
  assert.deepEqual(windowBetween(from, to, 0), from);
  const { start, end } = windowBetween(from, to, 1);
  assert.ok(Math.abs(start - 600) < 1e-6 && Math.abs(end - 610) < 1e-6);
  const shares = [0, 0.25, 0.5, 0.75, 1].map((share) => windowBetween(from, to, share));
  const factors = shares.slice(1).map((after, index) => lengthOf(after) / lengthOf(shares[index] as Window));
  for (const factor of factors) assert.ok(Math.abs(factor - (factors[0] ?? 0)) < 1e-9);
  // The moment whose place is the same in both.
  const still = 600 / (1 - 0.01);
  const places = shares.map((at) => new TimeScale(at, 800).toPx(still));
  for (const place of places) assert.ok(Math.abs(place - (places[0] ?? 0)) < 1e-6);
  assert.deepEqual(windowBetween(window(0, 10), window(20, 30), 0.5), window(10, 20));
});
