// What is in sight stays within the picture, and the address of a fleet reads as it was written.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Fleet } from '../fleet_open';
import { decodeFleet, encodeFleet } from './address';
import { holding, moved, wholeSight, within, zoomed } from './sight';

const fleet = {
  place: { name: 'a & b=1' },
  overview: { runs: [{ name: 'one' }, { name: 'two/2' }] },
  run: { rows: Array.from({ length: 10 }), first_steps: Array.from({ length: 100 }) },
  look: { run: 1, figure: 'extra', as_share: true, largest: false, by_figure: true },
  sight: { x0: 1.25, x1: 50, y0: 0, y1: 8 },
  list: 'links',
} as unknown as Fleet;

test('zooming holds what is under the pointer, and all of it is no sight at all', () => {
  const whole = wholeSight(fleet);
  assert.deepEqual(zoomed(whole, 50, 5, 0.5, 1), { x0: 25, x1: 75, y0: 0, y1: 10 });
  assert.equal(within(fleet, zoomed(whole, 50, 5, 2, 2)), null);
});

test('nothing beyond the edges is shown, and at least four cells are', () => {
  assert.deepEqual(within(fleet, { x0: -20, x1: 30, y0: 6, y1: 12 }), { x0: 0, x1: 50, y0: 4, y1: 10 });
  assert.deepEqual(within(fleet, { x0: 50, x1: 50.001, y0: 0, y1: 10 }), { x0: 50, x1: 54, y0: 0, y1: 10 });
});

test('a cell is brought into sight by as little as it takes', () => {
  const sight = { x0: 10, x1: 20, y0: 0, y1: 5 };
  assert.deepEqual(holding(sight, 2, 12), sight);
  assert.deepEqual(holding(sight, 7, 25), moved(sight, 6, 3));
  assert.deepEqual(holding(sight, 0, 4), moved(sight, -6, 0));
});

test('an address is read as it was written', () => {
  const { run: _, ...look } = fleet.look;
  assert.deepEqual(decodeFleet(`#${encodeFleet(fleet)}`), { name: 'a & b=1', run: 'two/2', look, sight: fleet.sight, list: 'links' });
  assert.equal(decodeFleet('#w=0,1'), null);
  const odd = decodeFleet('#fleet=x&figure=none&cells=3,1,0,2&list=all');
  assert.deepEqual([odd?.look.figure, odd?.sight, odd?.list], ['window', null, 'stragglers']);
});
