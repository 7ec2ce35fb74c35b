// Fingers on the timeline: one moves, two zoom, a tap selects, a long press and a drag select a range.

import assert from 'node:assert/strict';
import { assertAnchored, assertMoved, core, habit, lengthOf, movedFrom, untilWindow } from './habits.mjs';
import { untilField } from './hands.mjs';
import { placeOf, standsApart, windowAround } from './places.mjs';

/** Fingers on the glass: each of `moments` is where all of them are; after the last they leave. */
async function touch(page, moments) {
  const client = await page.createCDPSession();
  const points = (moment) => moment.map(([x, y], id) => ({ x, y, id }));
  for (const [index, moment] of moments.entries())
    await client.send('Input.dispatchTouchEvent', { type: index === 0 ? 'touchStart' : 'touchMove', touchPoints: points(moment) });
  await client.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await client.detach();
}

/** From one place to another in a few steps, so that it looks like a finger. */
function path(from, to, steps = 6) {
  return Array.from({ length: steps + 1 }, (_, step) => from.map(([x, y], finger) => {
    const [to_x, to_y] = to[finger];
    return [x + ((to_x - x) * step) / steps, y + ((to_y - y) * step) / steps];
  }));
}

habit('one finger moves the view, and the finger keeps the moment it took', async ({ page, box, window }) => {
  const y = box.y + 120;
  await touch(page, path([[box.x + box.width * 0.6, y]], [[box.x + box.width * 0.35, y]]));
  assertMoved(await movedFrom(page, window), window, 0.25);
});

habit('one finger scrolls', async ({ page, box }) => {
  await page.keyboard.press('+');
  await page.keyboard.press('+');
  await untilField(page, 'l');
  const x = box.x + 300;
  await touch(page, path([[x, box.y + 200]], [[x, box.y + 140]]));
  assert.equal(await untilField(page, 'y'), '60');
});

habit('two fingers zoom, and each keeps its moment', async ({ page, box, window }) => {
  const y = box.y + 120;
  const at = (share) => [box.x + box.width * share, y];
  await touch(page, path([at(0.4), at(0.6)], [at(0.3), at(0.7)]));
  const near = await movedFrom(page, window);
  assert.ok(Math.abs(lengthOf(near) / lengthOf(window) - 0.5) < 0.02, `zoomed to ${lengthOf(near) / lengthOf(window)}, want a half`);
  assertAnchored(near, window, 0.5);
});

habit('two fingers that move together move the view', async ({ page, box, window }) => {
  const y = box.y + 120;
  const at = (share) => [box.x + box.width * share, y];
  await touch(page, path([at(0.5), at(0.7)], [at(0.3), at(0.5)]));
  assertMoved(await movedFrom(page, window), window, 0.2);
});

const apart = () => standsApart(core.session, core.summary, 'compute');

habit('a tap selects an op', async ({ page }) => {
  const op = apart();
  const { x, y } = await placeOf(page, op);
  await touch(page, [[[x, y]]]);
  assert.equal(await untilField(page, 'op'), String(op.op));
  await untilWindow(page, windowAround(op));
}, () => ({ window: windowAround(apart()) }));
