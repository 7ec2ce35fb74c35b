// Fingers on the timeline: one moves, two zoom, a tap selects, a long press and a drag select a range.

import assert from 'node:assert/strict';
import { assertAnchored, assertMoved, core, habit, lengthOf, movedFrom, untilWindow } from './habits.mjs';
import { path, pressLong, touch } from './fingers.mjs';
import { boxOf, untilField } from './hands.mjs';
import { placeOf, standsApart, windowAround } from './places.mjs';

habit('one finger moves the view, and the finger keeps the moment it took', async ({ page, box, window }) => {
  const y = box.y + 120;
  await touch(page, path([[box.x + box.width * 0.6, y]], [[box.x + box.width * 0.35, y]]));
  assertMoved(await movedFrom(page, window), window, 0.25);
});

habit('one finger scrolls', async ({ page, box }) => {
  // A low window leaves something to scroll to.
  await page.setViewport({ ...page.viewport(), height: 640 });
  await page.keyboard.press('+');
  await page.keyboard.press('+');
  await untilField(page, 'l');
  const x = box.x + 300;
  await touch(page, path([[x, box.y + 200]], [[x, box.y + 170]]));
  assert.equal(await untilField(page, 'y'), '30');
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

habit('a long press and a drag select a range, and leave the view where it is', async ({ page, box, window }) => {
  const y = box.y + 120;
  await pressLong(page, [box.x + box.width * 0.3, y], [box.x + box.width * 0.6, y]);
  const [start, end] = (await untilField(page, 'r')).split(',').map(Number);
  for (const [got, want] of [[start, 0.3], [end, 0.6]]) assert.ok(Math.abs((got - window[0]) / lengthOf(window) - want) < 0.01, `${got}`);
  await untilWindow(page, window);
});

habit('one finger on the axis selects a range', async ({ page, box, window }) => {
  const axis = await boxOf(page, 'canvas.axis');
  const y = axis.y + axis.height / 2;
  await touch(page, path([[box.x + box.width * 0.2, y]], [[box.x + box.width * 0.4, y]]));
  const [start, end] = (await untilField(page, 'r')).split(',').map(Number);
  for (const [got, want] of [[start, 0.2], [end, 0.4]]) assert.ok(Math.abs((got - window[0]) / lengthOf(window) - want) < 0.02, `${got}`);
});

habit('a double tap frames an op', async ({ page }) => {
  const op = apart();
  const { x, y } = await placeOf(page, op);
  // The op is framed to begin with: out first.
  await touch(page, path([[x - 200, y], [x + 200, y]], [[x - 100, y], [x + 100, y]]));
  const far = await movedFrom(page, windowAround(op));
  const client = await page.createCDPSession();
  const seconds = Date.now() / 1000;
  // The events say themselves when they were, however slow this machine is.
  for (const [index, type] of ['touchStart', 'touchEnd', 'touchStart', 'touchEnd'].entries())
    await client.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchStart' ? [{ x, y, id: 0 }] : [], timestamp: seconds + index * 0.05 });
  const framed = await movedFrom(page, far);
  assert.ok(framed[0] < op.start_ns && framed[1] > op.end_ns && lengthOf(framed) < lengthOf(far), `${framed}`);
  await untilField(page, 'op', String(op.op));
}, () => ({ window: windowAround(apart()) }));
