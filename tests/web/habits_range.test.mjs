// Ranges drawn as boxes and moved by their plate, drags that are taken back, the axis's clocks, the minimap's keys.

import assert from 'node:assert/strict';
import { assertMoved, core, habit, lengthOf, movedFrom, shownWindow, untilWindow } from './habits.mjs';
import { boxOf, fields, until, untilField, untilSpoken } from './hands.mjs';
import { placeOf, standsApart, windowAround } from './places.mjs';
import { fixture } from './site.mjs';
import { browser, site } from './stage.mjs';
import { openFiles, visit } from './steplens.mjs';

/** From one point to another with the button down; `before_release` happens while it still is. */
async function drag(page, from, to, before_release = async () => {}) {
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move(...to, { steps: 5 });
  await before_release();
  await page.mouse.up();
}

async function drawBox(page, from, to, before_release) {
  await page.keyboard.down('Shift');
  await drag(page, from, to, before_release);
  await page.keyboard.up('Shift');
}

const apart = () => standsApart(core.session, core.summary, 'compute');
const at = (box, share, y) => [box.x + box.width * share, box.y + y];
const range = async (page) => (await untilField(page, 'r')).split(',').map(Number);

/** Waits until the address tells another range than `before`. */
async function otherRange(page, before) {
  await until(page, (before) => new URLSearchParams(location.hash.slice(1)).get('r') !== before, before.join(','));
  return range(page);
}

/** How many lanes `3-9,12` are. */
const lanesIn = (runs) => runs.split(',').reduce((sum, run) => {
  const [first, last = first] = run.split('-').map(Number);
  return sum + last - first + 1;
}, 0);

habit('a box drawn with Shift is about the lanes it touches', async ({ page, box }) => {
  await drawBox(page, at(box, 0.25, 40), at(box, 0.5, box.height - 40));
  const most = lanesIn(await untilField(page, 'rl'));
  assert.ok(most > 1 && most < core.summary.devices.reduce((sum, { lanes }) => sum + lanes, 0), `${most} lanes`);
  // Moving an edge keeps them.
  const before = await range(page);
  await drag(page, at(box, 0.5, 200), at(box, 0.75, 200));
  const after = await otherRange(page, before);
  assert.equal(lanesIn((await fields(page)).rl), most);
  assert.ok(after[0] === before[0] && after[1] > before[1]);
  // A flat one is about all.
  await drawBox(page, at(box, 0.3, 100), at(box, 0.4, 110));
  await untilField(page, 'rl', null);
});

habit('edges of a range take the places of edges of ops near them, but never both the same', async ({ page, box }) => {
  const op = apart();
  const { y } = await placeOf(page, op);
  // A tenth of the op is on each side of it.
  const [left, right] = [box.x + box.width / 12, box.x + (box.width * 11) / 12];
  await drawBox(page, [left + 3, y], [right - 3, y]);
  await untilField(page, 'r', `${op.start_ns},${op.end_ns}`);
  await page.keyboard.press('Escape');
  await untilField(page, 'r', null);
  await drawBox(page, [left - 4, y], [left + 5, y]);
  const [start, end] = await range(page);
  assert.equal(start, op.start_ns);
  const per_px = lengthOf(windowAround(op)) / box.width;
  assert.ok(Math.abs((end - start) / per_px - 5) < 1, `${(end - start) / per_px} px`);
}, () => ({ window: windowAround(apart()) }));

habit('an address brings back a range with the lanes that it is about', async ({ page, box }) => {
  await drawBox(page, at(box, 0.25, 40), at(box, 0.5, box.height - 40));
  const [lanes, ends] = [await untilField(page, 'rl'), await untilField(page, 'r')];
  const again = await visit(browser, `${site.url}${await page.evaluate(() => location.hash)}`);
  await openFiles(again.page, fixture('ps4w.pb'));
  await untilField(again.page, 'r', ends);
  // Once the view has come to rest it is written anew: from what was restored, not from what was read.
  const before = (await fields(again.page)).w;
  await again.page.focus('canvas.lanes');
  await again.page.keyboard.press('d');
  await until(again.page, (before) => ![null, before].includes(new URLSearchParams(location.hash.slice(1)).get('w')), before);
  assert.equal((await fields(again.page)).rl, lanes);
  assert.deepEqual(await again.faults(), []);
  await again.page.close();
});

habit('a range is moved by its plate, and keeps its length', async ({ page, window }) => {
  const axis = await boxOf(page, 'canvas.axis');
  await drag(page, at(axis, 0.2, 13), at(axis, 0.4, 13));
  const before = await range(page);
  await drag(page, at(axis, 0.3, 13), at(axis, 0.5, 13));
  const after = await otherRange(page, before);
  const moved = (after[0] - before[0]) / lengthOf(window);
  assert.ok(Math.abs(moved - 0.2) < 2e-3, `moved by ${moved}`);
  assert.ok(Math.abs(lengthOf(after) - lengthOf(before)) <= 1);
  await page.mouse.click(...at(axis, 0.5, 13), { count: 2 });
  const framed = await movedFrom(page, window);
  assert.ok(framed[0] < after[0] && framed[1] > after[1] && lengthOf(framed) < 1.5 * lengthOf(after), 'a double click frames it');
});

habit('a range that is moved to the end of the step stops there, as long as it was', async ({ page }) => {
  const axis = await boxOf(page, 'canvas.axis');
  await drag(page, at(axis, 0.4, 13), at(axis, 0.8, 13));
  const before = await range(page);
  await drag(page, at(axis, 0.6, 13), at(axis, 0.95, 13));
  const after = await otherRange(page, before);
  assert.equal(after[1], core.summary.span_ns);
  assert.ok(Math.abs(lengthOf(after) - lengthOf(before)) <= 1, `${lengthOf(after)} ns, before ${lengthOf(before)}`);
}, () => ({ window: [0.8, 1].map((share) => Math.round(core.summary.span_ns * share)) }));

habit('a key that is let go of in another window is no longer held', async ({ page, box }) => {
  await page.mouse.move(...at(box, 0.5, box.height - 4));
  const untilCursor = (wanted) => until(page, (wanted) => document.querySelector('canvas.lanes').style.cursor === wanted, wanted);
  await untilCursor('default');
  for (const [key, cursor] of [['Shift', 'crosshair'], ['Space', 'grab']]) {
    await page.keyboard.down(key);
    await untilCursor(cursor);
    // The window that has the keyboard now hears that the key goes up.
    await page.evaluate(() => dispatchEvent(new Event('blur')));
    await untilCursor('default');
    await page.keyboard.up(key);
  }
});

habit('Esc during a drag takes it back', async ({ page, box, window }) => {
  const escape = () => page.keyboard.press('Escape');
  const axis = await boxOf(page, 'canvas.axis');
  await drag(page, at(axis, 0.2, 13), at(axis, 0.4, 13));
  const selected = await range(page);
  await drawBox(page, at(box, 0.5, 100), at(box, 0.7, 105), escape);
  // A low window leaves something to scroll to; a drag upwards does so.
  await page.setViewport({ ...page.viewport(), height: 640 });
  await page.keyboard.press('+');
  await page.keyboard.press('+');
  await untilField(page, 'l');
  await drag(page, at(box, 0.5, 200), at(box, 0.1, 150), escape);
  const minimap = await boxOf(page, 'canvas.minimap');
  await drag(page, at(minimap, 0.5, 20), at(minimap, 0.7, 20), escape);
  // Something that the address tells, so that it surely tells all that was before.
  await page.keyboard.press('t');
  await untilField(page, 't');
  assert.deepEqual(await range(page), selected);
  assert.deepEqual(await shownWindow(page), window);
  assert.equal((await fields(page)).y, undefined, 'scrolled');
});

habit('T turns the axis to the wall clock and back, and so does the palette', async ({ page }) => {
  await page.keyboard.press('t');
  assert.equal(await untilField(page, 't'), 'utc');
  await page.keyboard.down('Control');
  await page.keyboard.press('k');
  await page.keyboard.up('Control');
  await page.waitForSelector('#palette[open]');
  await page.keyboard.type('wall clock');
  await page.keyboard.press('Enter');
  await untilField(page, 't', null);
});

habit('Alt+Left and Alt+Right go through the views', async ({ page, window }) => {
  await page.keyboard.press('0');
  await untilWindow(page, null);
  const alt = async (key) => {
    await page.keyboard.down('Alt');
    await page.keyboard.press(key);
    await page.keyboard.up('Alt');
  };
  await alt('ArrowLeft');
  await untilWindow(page, window);
  await alt('ArrowRight');
  await untilWindow(page, null);
});

habit('a range is a step of the view history', async ({ page }) => {
  const axis = await boxOf(page, 'canvas.axis');
  await drag(page, at(axis, 0.2, 13), at(axis, 0.4, 13));
  const selected = (await range(page)).join(',');
  await page.keyboard.press('Escape');
  await untilField(page, 'r', null);
  await page.keyboard.down('Control');
  await page.keyboard.press('z');
  await page.keyboard.up('Control');
  await untilField(page, 'r', selected);
});

habit('the minimap is moved by keys', async ({ page, window }) => {
  await page.focus('canvas.minimap');
  await page.keyboard.press('ArrowRight');
  const right = await movedFrom(page, window);
  assertMoved(right, window, 0.1);
  await page.keyboard.press('ArrowUp');
  const closer = await movedFrom(page, right);
  assert.ok(lengthOf(closer) < lengthOf(right));
  await page.keyboard.press('Home');
  const start = await movedFrom(page, closer);
  assert.ok(start[0] < 0 && start[1] < closer[1]);
  const told = await page.$eval('canvas.minimap', (map) => map.getAttribute('aria-valuetext'));
  assert.match(told, / to .* of 339\.0\sms$/);
  assert.ok((await fields(page)).w);
});

habit('Home and End go to the ends of the step', async ({ page, window }) => {
  await page.keyboard.press('End');
  const end = await movedFrom(page, window);
  // There is a little room beyond the ends.
  const isNear = (a, b) => Math.abs(a - b) < lengthOf(window) / 20;
  const { span_ns } = core.summary;
  assert.ok(end[1] >= span_ns && isNear(end[1], span_ns) && Math.abs(lengthOf(end) - lengthOf(window)) < 1, `${end}`);
  await page.keyboard.press('Home');
  const start = await movedFrom(page, end);
  assert.ok(start[0] <= 0 && isNear(start[0], 0) && Math.abs(lengthOf(start) - lengthOf(window)) < 1, `${start}`);
});

habit('Shift+R makes what is in view the range', async ({ page, window }) => {
  await page.keyboard.down('Shift');
  await page.keyboard.press('r');
  await page.keyboard.up('Shift');
  assert.deepEqual(await range(page), window);
  await untilSpoken(page, /^Range of /);
});

habit('a window, a range and a mark that no trace has do no harm', async ({ page }) => {
  const wild = '&w=-1e300,1e300&r=-1e300,1e300&t=utc&n=-999999999999999999999999,999999999999999999999999,wild';
  await page.evaluate((wild) => { location.hash = location.hash.replace(/&.*/, wild); }, wild);
  await page.reload();
  await openFiles(page, fixture('ps4w.pb'));
  await page.focus('canvas.lanes');
  await page.keyboard.press('0');
  await untilWindow(page, null);
  // A trace that was open has an entry of its own in the history, whose address follows once the view rests.
  assert.equal(await untilField(page, 'n'), `0,${core.summary.span_ns},wild`);
});
