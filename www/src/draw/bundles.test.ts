// Many arrows to one place become one, and none is lost without being counted.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bundled, type Arrow } from './bundles';

const area = { x: 0, y: 0, width: 1000, height: 500 };
const arrow = (from: [number, number], to: [number, number], hop = 1): Arrow => ({
  from: { x: from[0], y: from[1] },
  to: { x: to[0], y: to[1] },
  leads_to: 1,
  name: 'a',
  hop,
  lane_height: 16,
});

test('arrows that begin and end together are one', () => {
  const { bundles, left_out } = bundled(
    [arrow([10, 10], [400, 300]), arrow([12, 11], [401, 301]), arrow([10, 10], [800, 300]), arrow([10, 10], [400, 300], -1)],
    area,
    10,
  );
  assert.deepEqual(
    bundles.map((bundle) => bundle.length),
    [2, 1, 1],
  );
  assert.equal(left_out, 0);
});

test('ends far outside are together if they are beyond the same place of an edge', () => {
  const { bundles } = bundled([arrow([-5000, 100], [400, 300], -1), arrow([-900_000, 101], [400, 300], -1)], area, 10);
  assert.deepEqual(
    bundles.map((bundle) => bundle.length),
    [2],
  );
});

test('what is beyond one edge, too short, or too much is counted', () => {
  const arrows = [
    arrow([-500, 10], [-100, 400], 2),
    arrow([500, 100], [502, 101], -2),
    ...Array.from({ length: 30 }, (_, index) => arrow([10, 10], [20 + index * 30, 300], 1 + (index % 3))),
  ];
  const { bundles, left_out } = bundled(arrows, area, 10);
  assert.equal(bundles.length, 10);
  assert.equal(bundles.reduce((sum, bundle) => sum + bundle.length, 0) + left_out, arrows.length);
  // The nearest stay.
  assert.ok(bundles.every(([first]) => first.hop === 1));
});

test('a direct arrow is drawn however short it is', () => {
  assert.equal(bundled([arrow([500, 100], [501, 100])], area, 10).left_out, 0);
});
