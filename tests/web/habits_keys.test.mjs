// The keys, as people press them: each does on the page what the help sheet promises.

import assert from 'node:assert/strict';
import { core, details, habit, lengthOf, movedFrom, untilWindow } from './habits.mjs';
import { boxOf, fields, searchFor, spoken, until, untilField, untilRest, untilSpoken } from './hands.mjs';

/** A key by its place on the keyboard, with what it prints on another layout than ours. */
async function pressPlace(page, code, key) {
  const client = await page.createCDPSession();
  for (const type of ['keyDown', 'keyUp']) await client.send('Input.dispatchKeyEvent', { type, code, key });
  await client.detach();
}

habit('W zooms in and S out, at the pointer', async ({ page, box, window }) => {
  await page.mouse.move(box.x + box.width / 4, box.y + box.height / 2);
  await page.keyboard.press('w');
  const near = await movedFrom(page, window);
  assert.ok(lengthOf(near) < lengthOf(window) * 0.95, 'a short press is enough to see it');
  const at = (one) => one[0] + lengthOf(one) / 4;
  assert.ok(Math.abs(at(near) - at(window)) < lengthOf(window) * 2e-3);
  await page.keyboard.press('s');
  assert.ok(lengthOf(await movedFrom(page, near)) > lengthOf(near));
});

habit('A moves left and D right', async ({ page, window }) => {
  await page.keyboard.press('a');
  const left = await movedFrom(page, window);
  assert.ok(left[0] < window[0] - lengthOf(window) * 0.04);
  assert.ok(Math.abs(lengthOf(left) - lengthOf(window)) < lengthOf(window) * 1e-6);
  await page.keyboard.press('d');
  assert.ok((await movedFrom(page, left))[0] > left[0]);
});

habit('a key held down moves as long as it is held', async ({ page, window }) => {
  await page.evaluate(() => performance.clearMeasures('steplens:frame'));
  await page.keyboard.down('d');
  await until(page, () => performance.getEntriesByName('steplens:frame').length >= 8);
  await page.keyboard.up('d');
  const held = await movedFrom(page, window);
  assert.ok(held[0] > window[0]);
  await page.keyboard.press('0');
  await untilWindow(page, null);
});

habit('W, A, S, D are places on the keyboard, whatever they print', async ({ page, window }) => {
  await pressPlace(page, 'KeyW', 'z');
  assert.ok(lengthOf(await movedFrom(page, window)) < lengthOf(window));
});

habit('a key let go in another window does not stick', async ({ page, window }) => {
  await page.keyboard.down('d');
  await page.evaluate(() => dispatchEvent(new Event('blur')));
  const rested = await movedFrom(page, window);
  await page.keyboard.up('d');
  await page.keyboard.press('0');
  await untilWindow(page, null);
  assert.notDeepEqual(rested, window);
});

habit('the arrow keys move and scroll', async ({ page, window }) => {
  await page.keyboard.press('ArrowRight');
  const right = await movedFrom(page, window);
  assert.ok(right[0] > window[0]);
  await page.keyboard.press('ArrowLeft');
  assert.ok((await movedFrom(page, right))[0] < right[0]);
  // Tall lanes in a low window leave something to scroll to.
  await page.setViewport({ ...page.viewport(), height: 640 });
  await page.keyboard.press('+');
  await page.keyboard.press('+');
  // Not before they are drawn like that: a key that cannot scroll yet does nothing.
  await untilField(page, 'l');
  await untilRest(page);
  const top = Number((await fields(page)).y ?? 0);
  await page.keyboard.press('PageDown');
  await until(page, (top) => Number(new URLSearchParams(location.hash.slice(1)).get('y')) > top, top);
  await untilRest(page);
  const down = Number(await untilField(page, 'y'));
  await page.keyboard.press('ArrowUp');
  await until(page, (down) => Number(new URLSearchParams(location.hash.slice(1)).get('y')) < down, down);
});

habit('0 shows the whole step', async ({ page }) => {
  await page.keyboard.press('0');
  await untilWindow(page, null);
});

habit('F frames the selected op, and the whole step when pressed again', async ({ page }) => {
  await page.keyboard.press('.');
  const op = details(Number(await untilField(page, 'op')));
  await page.keyboard.press('f');
  await until(page, (start, end) => {
    const [from, to] = (new URLSearchParams(location.hash.slice(1)).get('w') ?? '').split(',').map(Number);
    return from < start && to > end && to - from < 3 * (end - start) + 100;
  }, op.start_ns, op.end_ns);
  await page.keyboard.press('f');
  await untilWindow(page, null);
});

habit('. and , go to the next and the previous op of the lane', async ({ page }) => {
  await page.keyboard.press('.');
  const first = Number(await untilField(page, 'op'));
  const second = core.session.neighbour(first, 1);
  await page.keyboard.press('.');
  await untilField(page, 'op', String(second));
  await page.keyboard.press(',');
  await untilField(page, 'op', String(first));
});

/** An op whose data comes from somewhere and goes somewhere, neither through the network. */
function inTheFlow() {
  for (let op = 0; op < core.summary.ops; op++) {
    const found = details(op);
    const producers = found.inputs.filter((input) => input.producer && !input.control);
    if (!found.transfer && producers.length > 0 && found.consumers.length > 0) return found;
  }
  throw new Error('the sample has no op with both a producer and a consumer');
}

habit('] goes along the data and [ against it', async ({ page }) => {
  const from = inTheFlow();
  await page.keyboard.press(']');
  await until(page, (op) => ![null, op].includes(new URLSearchParams(location.hash.slice(1)).get('op')), String(from.op));
  const next = Number(await untilField(page, 'op'));
  assert.ok(from.consumers.some((consumer) => consumer.op === next), 'the next op uses what this one made');
  await page.keyboard.press('[');
  await until(page, (op) => new URLSearchParams(location.hash.slice(1)).get('op') !== op, String(next));
  const back = Number(await untilField(page, 'op'));
  const inputs = details(next).inputs.map((input) => input.producer?.op);
  assert.ok(inputs.includes(back) || details(next).transfer?.producer?.op === back, 'the op before made what this one uses');
}, () => ({ op: inTheFlow().op }));

habit('/ goes to the search, Enter and Shift+Enter walk, Esc leaves it and then clears it', async ({ page }) => {
  core.session.search('type:MatMul', false);
  const found = [...core.session.searchOps()].map(String);
  await searchFor(page, 'type:MatMul');
  await untilSpoken(page, / for type:MatMul/);
  assert.match(await spoken(page), new RegExp(`^${found.length} matches`));
  await untilField(page, 'q', 'type:MatMul');
  await page.keyboard.press('Enter');
  await untilField(page, 'op', found[0]);
  await page.keyboard.press('Enter');
  await untilField(page, 'op', found[1]);
  await page.keyboard.press('Enter');
  await untilField(page, 'op', found[2]);
  await page.keyboard.down('Shift');
  await page.keyboard.press('Enter');
  await page.keyboard.up('Shift');
  await untilField(page, 'op', found[1]);
  await page.keyboard.press('Escape');
  await until(page, () => document.activeElement.matches('canvas.lanes'));
  await page.keyboard.press('Escape');
  await untilField(page, 'op', null);
  assert.equal(await untilField(page, 'q'), 'type:MatMul');
  await page.keyboard.press('Escape');
  await untilField(page, 'q', null);
});

habit('Enter right after typing goes to the first match of all that was typed', async ({ page }) => {
  core.session.search('type:RecvTensor', false);
  const [first] = core.session.searchOps();
  await searchFor(page, 'type:RecvTensor');
  await page.keyboard.press('Enter');
  await untilField(page, 'op', String(first));
});

habit('letters typed into the search are not keys of the timeline', async ({ page, window }) => {
  await searchFor(page, 'wasdf0?');
  await untilSpoken(page, / for wasdf0\?/);
  await untilField(page, 'q', 'wasdf0?');
  await untilWindow(page, window);
  assert.equal(await page.$('dialog[open]'), null);
});

habit('Esc clears one thing after the other', async ({ page }) => {
  await page.keyboard.press('.');
  await untilField(page, 'op');
  await page.keyboard.press('r');
  await untilField(page, 'r');
  await page.keyboard.press('Escape');
  await untilField(page, 'op', null);
  await untilField(page, 'r');
  await page.keyboard.press('Escape');
  await untilField(page, 'r', null);
});

habit('Esc in a menu closes it, and nothing else', async ({ page }) => {
  await page.keyboard.press('.');
  const op = await untilField(page, 'op');
  await page.keyboard.press('r');
  const range = await untilField(page, 'r');
  const menus = await page.$$eval('.menu-holder > [aria-controls]', (all) => all.filter((own) => own.checkVisibility()).map((own) => own.getAttribute('aria-controls')));
  assert.ok(menus.length > 2, `${menus}`);
  for (const menu of menus) {
    await page.click(`[aria-controls="${menu}"]`);
    await page.waitForSelector(`#${menu}`, { visible: true });
    await page.keyboard.press('Escape');
    await page.waitForSelector(`#${menu}`, { hidden: true });
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute('aria-controls')), menu);
  }
  // Something that the address tells, so that it surely tells all that was before.
  await page.focus('canvas.lanes');
  await page.keyboard.press('t');
  await untilField(page, 't');
  const now = await fields(page);
  assert.deepEqual([now.op, now.r], [op, range]);
});

habit('Ctrl+Z goes back through the views and Ctrl+Shift+Z forth', async ({ page, window }) => {
  await page.keyboard.press('0');
  await untilWindow(page, null);
  // One move, and none that takes several frames: on a busy machine it could come to rest between two of them.
  await page.keyboard.press('ArrowRight');
  const last = await movedFrom(page, null);
  const undo = async (shift) => {
    await page.keyboard.down('Control');
    if (shift) await page.keyboard.down('Shift');
    await page.keyboard.press('z');
    if (shift) await page.keyboard.up('Shift');
    await page.keyboard.up('Control');
  };
  await undo(false);
  await untilWindow(page, null);
  await undo(false);
  await untilWindow(page, window);
  await undo(true);
  await untilWindow(page, null);
  await undo(true);
  await untilWindow(page, last);
});

habit('R makes the selected op the range', async ({ page }) => {
  await page.keyboard.press('.');
  const op = details(Number(await untilField(page, 'op')));
  await page.keyboard.press('r');
  await untilField(page, 'r', `${op.start_ns},${op.end_ns}`);
});

habit('? opens a help sheet that names every key, and Esc closes it', async ({ page }) => {
  await page.keyboard.press('?');
  await page.waitForSelector('dialog[open]');
  const words = await page.$eval('dialog[open]', (sheet) => sheet.innerText);
  const keys = await page.$$eval('dialog[open] kbd', (keys) => keys.map((key) => key.textContent));
  for (const key of ['W', 'S', 'A', 'D', 'F', '0', '[', ']', '.', ',', '/', '?', 'Esc', 'R', 'Ctrl+Z', 'Ctrl+Shift+Z'])
    assert.ok(keys.includes(key), `the sheet names ${key}: ${words}`);
  await page.keyboard.press('Escape');
  await until(page, () => !document.querySelector('dialog[open]'));
});

habit('+ and - make lanes taller and lower, C folds and unfolds', async ({ page }) => {
  await page.keyboard.press('+');
  const size = Number(await untilField(page, 'l'));
  await page.keyboard.press('-');
  await until(page, (size) => Number(new URLSearchParams(location.hash.slice(1)).get('l')) > size, size);
  await page.keyboard.press('=');
  await untilField(page, 'l', null);
  await page.keyboard.press('c');
  assert.equal((await untilField(page, 'fold')).split(',').length, core.summary.devices.length);
  await page.keyboard.press('c');
  await untilField(page, 'fold', null);
});

habit('Q hides and shows the drawer', async ({ page }) => {
  await page.keyboard.press('q');
  await until(page, () => !document.querySelector('[role="tabpanel"]:not([hidden])')?.offsetHeight);
  await page.keyboard.press('q');
  await until(page, () => document.querySelector('[role="tabpanel"]:not([hidden])')?.offsetHeight > 0);
});

habit('Ctrl+F goes to the search, and a typed range is selected and framed', async ({ page, window }) => {
  await page.keyboard.down('Control');
  await page.keyboard.press('f');
  await page.keyboard.up('Control');
  await until(page, () => document.activeElement.id === 'search');
  await page.keyboard.type('20ms-30ms');
  await until(page, () => document.querySelector('#search-help').textContent === 'Enter selects 20.00\u00a0ms to 30.00\u00a0ms and zooms to it');
  await page.keyboard.press('Enter');
  await untilField(page, 'r', '20000000,30000000');
  const [start, end] = await movedFrom(page, window);
  assert.ok(start < 20e6 && start > 18e6 && end > 30e6 && end < 32e6, `${start} to ${end}`);
});

habit('Enter on a match zooms so far that it can be read', async ({ page, window }) => {
  await searchFor(page, 'type:MatMul');
  await untilSpoken(page, / for type:MatMul/);
  await page.keyboard.press('Enter');
  const op = Number(await untilField(page, 'op'));
  const [start, end] = await movedFrom(page, window);
  const { start_ns, end_ns } = details(op);
  const { width } = await boxOf(page, 'canvas.lanes');
  assert.ok((end_ns - start_ns) / (end - start) * width >= 39, 'wide enough for a name');
  assert.ok(start <= start_ns && end >= end_ns, 'in view');
});
