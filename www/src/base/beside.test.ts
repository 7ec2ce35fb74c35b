// A card next to an op covers no part of it, and is within the lanes, wherever there is room for both.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beside, farCorner, overlap, roomBeside } from './beside';

const AREA = { x: 0, y: 0, width: 1200, height: 600 };
const CARD = { width: 340, height: 260 };

test('a card is right of an op, left of one at the right edge, and below or above one that is wide', () => {
  assert.deepEqual(beside({ x: 100, y: 50, width: 40, height: 20 }, CARD, AREA), { x: 150, y: 50 });
  assert.deepEqual(beside({ x: 1100, y: 50, width: 40, height: 20 }, CARD, AREA), { x: 1100 - 10 - 340, y: 50 });
  assert.deepEqual(beside({ x: -50, y: 50, width: 1300, height: 20 }, CARD, AREA), { x: 430, y: 80 });
  assert.deepEqual(beside({ x: -50, y: 560, width: 1300, height: 20 }, CARD, AREA), { x: 430, y: 290 });
});

test('wherever an op is, its card is in the area and not over it', () => {
  for (let x = -60; x < 1260; x += 17)
    for (let y = 0; y < 590; y += 13)
      for (const width of [1, 40, 400, 2000])
        for (const height of [1, 40]) {
          const op = { x, y, width, height };
          const at = beside(op, CARD, AREA);
          assert.ok(at, JSON.stringify(op));
          assert.ok(
            at.x >= 0 && at.y >= 0 && at.x + CARD.width <= AREA.width && at.y + CARD.height <= AREA.height,
            JSON.stringify({ op, at }),
          );
          assert.equal(overlap({ ...at, ...CARD }, op), 0, JSON.stringify({ op, at }));
        }
});

test('where there is no room, it covers as little as it can', () => {
  const op = { x: 0, y: 100, width: 1200, height: 400 };
  assert.equal(beside(op, CARD, AREA), null);
  // Lower, it has room.
  const lower = { ...CARD, height: roomBeside(op, AREA) };
  const at = beside(op, lower, AREA);
  assert.ok(at && overlap({ ...at, ...lower }, op) === 0);
  assert.equal(overlap({ ...farCorner(op, CARD, AREA), ...CARD }, op), CARD.width * (CARD.height - 92));
});
