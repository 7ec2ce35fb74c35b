// Zooming to something is a short motion of what is drawn: the address has its end at once, any key ends it, and a system that wants none has none.
// Rows follow what is in view once it rests, and edges of a range take edges of ops.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canvasBox, fragment } from './canvas.mjs';
import { habit, untilWindow } from './habits.mjs';
import { boxOf, fields, until, untilField, untilRead } from './hands.mjs';
import { runMetadata } from './run_metadata.mjs';
import { browser, site } from './stage.mjs';
import { chooseBytes, visit, waitForReady } from './steplens.mjs';

/**
 * Counts the different pictures of the axis in the next frames, from a key on: it shows the window and nothing else, where lanes are drawn again
 * when their marks come, and when the view has come to rest. Frames and not time: a busy machine has fewer of them in any time.
 */
const picturesAfter = (page, key, frames) => page.evaluate(async (key, frames) => {
  const canvas = document.querySelector('canvas.axis');
  const seen = new Set();
  document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, code: key === '0' ? 'Digit0' : key, bubbles: true, cancelable: true }));
  for (let frame = 0; frame < frames; frame++) {
    await new Promise(requestAnimationFrame);
    seen.add(canvas.toDataURL());
  }
  return seen.size;
}, key, frames);

habit('a fit is drawn on its way and ends where the address says', async ({ page }) => {
  const seen = await picturesAfter(page, '0', 30);
  assert.ok(seen >= 3, `${seen} pictures`);
  await untilWindow(page, null);
});

test('a system that wants no motion gets none', async () => {
  const { page } = await visit(browser, `${site.url}${fragment(BUSY.summary, 0, 400_000)}`);
  await page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]);
  await openBusy(page);
  await page.focus('canvas.lanes');
  // The picture before, and the one after.
  const seen = await picturesAfter(page, '0', 15);
  assert.ok(seen <= 2, `${seen} pictures`);
  await untilWindow(page, null);
  await page.close();
});

habit('any key ends the motion where it was going', async ({ page }) => {
  const seen = await page.evaluate(async () => {
    const canvas = document.querySelector('canvas.lanes');
    // The axis shows the window and nothing else: lanes are drawn again when their marks come, and when the view has come to rest.
    const axis = document.querySelector('canvas.axis');
    const frame = () => new Promise((resolve) => { requestAnimationFrame(resolve); });
    const press = (key, code) => canvas.dispatchEvent(new KeyboardEvent('keydown', { key, code, bubbles: true, cancelable: true }));
    press('0', 'Digit0');
    await frame();
    await frame();
    press('Shift', 'ShiftLeft');
    await frame();
    await frame();
    const pictures = new Set();
    for (let frames = 0; frames < 8; frames++) {
      pictures.add(axis.toDataURL());
      await frame();
    }
    return pictures.size;
  });
  assert.equal(seen, 1, 'pictures');
  await untilWindow(page, null);
});

/** Early on one op at a time, later four. */
const MICROS = 1000;
const op = (name, start, end) => ({ name, label: `${name} = MatMul()`, start: 1000 + start, end: 1000 + end });
const BUSY = {
  summary: { ops: 7, span_ns: 2000 * MICROS },
  ops: [op('a', 0, 300), op('b', 350, 500), op('c', 600, 900), ...['d', 'e', 'f', 'g'].map((name) => op(name, 1200, 2000))],
};

async function openBusy(page) {
  const bytes = runMetadata([{ device: '/job:a/replica:0/task:0/device:CPU:0', ops: BUSY.ops }]);
  await waitForReady(page, () => chooseBytes(page, [{ name: 'busy.pb', bytes }]));
}

const rowHeight = (page) => page.$eval('[data-device="0"]', (row) => row.getBoundingClientRect().height);
const untilHeight = (page, than, wanted) => until(page, (than, wanted) => {
  const { height } = document.querySelector('[data-device="0"]').getBoundingClientRect();
  return wanted === 'lower' ? height < than : height > than;
}, than, wanted);

test('a row is as tall as what is in view needs, once the view rests', async () => {
  const { page, faults } = await visit(browser, site.url);
  await openBusy(page);
  const all = await rowHeight(page);
  const box = await canvasBox(page);
  await page.mouse.move(box.x + 20, box.y + 10);
  await page.keyboard.down('Control');
  for (let turn = 0; turn < 6; turn++) await page.mouse.wheel({ deltaY: -200 });
  await page.keyboard.up('Control');
  await untilHeight(page, all, 'lower');
  const { w } = await fields(page);
  assert.ok(w !== undefined);
  const one = await rowHeight(page);
  await page.focus('canvas.lanes');
  await page.keyboard.press('0');
  await untilHeight(page, one, 'higher');
  assert.equal(await rowHeight(page), all);
  assert.deepEqual(await faults(), []);
  await page.close();
});

test('a view of a link has its rows from the first picture on', async () => {
  const { page } = await visit(browser, `${site.url}${fragment(BUSY.summary, 0, 400 * MICROS)}`);
  await openBusy(page);
  const first = await rowHeight(page);
  await page.focus('canvas.lanes');
  await page.keyboard.press('0');
  await untilHeight(page, first, 'higher');
  await page.close();
});

/** Draws a range on the axis from one moment to about another. */
async function drawOnAxis(page, from_ns, to_ns, away_px) {
  const axis = await boxOf(page, 'canvas.axis');
  const x = (at) => axis.x + (at / BUSY.summary.span_ns) * axis.width;
  await page.mouse.move(x(from_ns) + away_px, axis.y + 10);
  await page.mouse.down();
  await page.mouse.move(x(to_ns) - 30, axis.y + 10);
  await page.mouse.move(x(to_ns) + away_px, axis.y + 10);
  await page.mouse.up();
  return (await untilField(page, 'r')).split(',').map(Number);
}

const WHOLE = () => fragment(BUSY.summary, 0, BUSY.summary.span_ns);

test('edges of a range take the edges of ops that they are near, to the nanosecond', async () => {
  const { page } = await visit(browser, `${site.url}${WHOLE()}`);
  await openBusy(page);
  assert.deepEqual(await drawOnAxis(page, 350 * MICROS, 900 * MICROS, 4), [350 * MICROS, 900 * MICROS]);
  await page.close();
});

test('Alt leaves edges of ops alone, and what is far from them is left alone, too', async () => {
  for (const [alt, away] of [[true, 4], [false, 12]]) {
    const { page } = await visit(browser, `${site.url}${WHOLE()}`);
    await openBusy(page);
    if (alt) await page.keyboard.down('Alt');
    const [start, end] = await drawOnAxis(page, 350 * MICROS, 900 * MICROS, away);
    assert.ok(start !== 350 * MICROS && end !== 900 * MICROS, `${start} to ${end}`);
    await page.close();
  }
});

test('of two edges that are near, the one in the lane under the pointer is taken', async () => {
  const { page } = await visit(browser, site.url);
  const { width } = await canvasBox(page);
  // About nine pixels, in whole microseconds.
  const apart = Math.round((9 / width) * 2000);
  const ends = [900, 900 + apart];
  const device = (task) => `/job:a/replica:0/task:${task}/device:CPU:0`;
  const devices = ends.map((end, task) => ({ device: device(task), ops: [op('a', 0, 300), op('b', 600, end), op('c', 1900, 2000)] }));
  await waitForReady(page, () => chooseBytes(page, [{ name: 'near.pb', bytes: runMetadata(devices) }]));
  const box = await canvasBox(page);
  const x = (micros) => box.x + (micros / 2000) * box.width;
  for (const [task, away] of [[0, 0.56], [1, 0.44]]) {
    const row = await boxOf(page, `[data-device="${task}"]`);
    const y = row.y + row.height / 2;
    await page.keyboard.down('Shift');
    await page.mouse.move(x(450), y);
    await page.mouse.down();
    await page.mouse.move(x(800), y);
    await page.mouse.move(x(900 + away * apart), y);
    await page.mouse.up();
    await page.keyboard.up('Shift');
    await until(page, (end) => new URLSearchParams(location.hash.slice(1)).get('r')?.endsWith(`,${end}`), ends[task] * MICROS);
    await page.keyboard.press('Escape');
    await untilField(page, 'r', null);
  }
  await page.close();
});

test('the edge that is taken is marked while it is dragged', async () => {
  const { page } = await visit(browser, `${site.url}${WHOLE()}`);
  await openBusy(page);
  const axis = await boxOf(page, 'canvas.axis');
  const x = (at) => axis.x + (at / BUSY.summary.span_ns) * axis.width;
  const drawn = async (at) => {
    await page.mouse.move(at, axis.y + 10);
    await page.evaluate(() => new Promise((resolve) => { requestAnimationFrame(() => requestAnimationFrame(resolve)); }));
    const accent = await page.$eval('canvas.lanes', (canvas, left) => {
      const probe = document.createElement('canvas').getContext('2d');
      probe.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--accent');
      probe.fillRect(0, 0, 1, 1);
      const wanted = probe.getImageData(0, 0, 1, 1).data;
      const { data } = canvas.getContext('2d').getImageData(left - 4, 0, 9, 60);
      let count = 0;
      for (let at = 0; at < data.length; at += 4) if (Math.hypot(data[at] - wanted[0], data[at + 1] - wanted[1], data[at + 2] - wanted[2]) < 40) count++;
      return count;
    }, Math.round(x(900 * MICROS) - axis.x));
    return accent;
  };
  await page.mouse.move(x(350 * MICROS), axis.y + 10);
  await page.mouse.down();
  const far = await drawn(x(900 * MICROS) - 40);
  await untilRead(() => drawn(x(900 * MICROS) + 3), (near) => near > far + 60 + 20);
  await page.mouse.up();
  await page.close();
});
