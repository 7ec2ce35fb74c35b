// What the timeline draws in Chromium, pixel by pixel, and what a click on it shows.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canvasBox, fragment, rowsWith } from './canvas.mjs';
import { untilRest } from './hands.mjs';
import { open } from './core.mjs';
import { edges, placeOf, standsApart, windowAround } from './places.mjs';
import { runMetadata } from './run_metadata.mjs';
import { fixture } from './site.mjs';
import { browser, openedHere, site } from './stage.mjs';
import { chooseBytes, openFiles, text, visit, waitForReady } from './steplens.mjs';

test('marks are where their ops are, in the colour of their category', async () => {
  const MICROS = 1000;
  const start_us = 5000;
  const transfer = 'RecvTensor';
  const label = '[4B] [0B] edge_1_a from /job:a/replica:0/task:0/device:CPU:0 to /job:a/replica:0/task:1/device:CPU:0';
  const computing = [['a', 0, 100], ['b', 200, 400], ['c', 500, 1000]];
  const receiving = [[transfer, 150, 450], [transfer, 700, 800]];
  const bytes = runMetadata([computing, receiving].map((ops, task) => ({
    device: `/job:a/replica:0/task:${task}/device:CPU:0`,
    ops: ops.map(([name, start, end]) => ({
      name,
      label: name === transfer ? label : `${name} = MatMul()`,
      start: start_us + start,
      end: start_us + end,
    })),
  })));
  const window = [-100 * MICROS, 1100 * MICROS];
  const { page } = await visit(browser, `${site.url}${fragment({ ops: 5, span_ns: 1000 * MICROS }, ...window)}`);
  await waitForReady(page, () => chooseBytes(page, [{ name: 'drawn.pb', bytes }]));
  const { width } = await canvasBox(page);
  const rows = async (ops, category) => {
    const intervals = ops.map(([, start, end]) => [start * MICROS, end * MICROS]);
    const found = await rowsWith(page, { ...edges(intervals, window, width), category });
    // A label covers a few rows of pixels in the middle of its mark, so one lane may be two runs.
    assert.ok(found.length > 0, `no row of pixels shows ${category} exactly where it was`);
    return [found[0][0], found.at(-1)[1]];
  };
  const first = await rows(computing, 'compute');
  const second = await rows(receiving, 'communication');
  assert.ok(first[1] <= second[0], 'the devices are in order from top to bottom');
  await page.close();
});

/** How many pixels of each colour are in a box of the canvas, in CSS pixels; the most frequent first. */
const coloursIn = (page, box) => page.$eval('canvas.lanes', (canvas, { x, y, width, height }) => {
  const { data } = canvas.getContext('2d').getImageData(x, y, width, height);
  const counts = new Map();
  for (let at = 0; at < data.length; at += 4) {
    const colour = data.slice(at, at + 3).join();
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  return [...counts.values()].sort((a, b) => b - a);
}, box);

test('categories can be told apart without colour: on a key, and for those who ask for more contrast', async () => {
  const kinds = [['compute', 'MatMul'], ['copy', 'MEMCPYDtoH'], ['communication', '_Send']];
  const bytes = runMetadata(kinds.map(([, type], task) => ({
    device: `/job:a/replica:0/task:${task}/device:CPU:0`,
    ops: [{ name: 'x', label: `x = ${type}()`, start: 5000, end: 6000 }],
  })));
  const window = [-100_000, 1_100_000];
  const { page } = await visit(browser, `${site.url}${fragment({ ops: 3, span_ns: 1_000_000 }, ...window)}`);
  const show = async () => {
    await waitForReady(page, () => chooseBytes(page, [{ name: 'drawn.pb', bytes }]));
    await untilRest(page);
  };
  await show();
  const { width } = await canvasBox(page);
  const places = [];
  for (const [category] of kinds) {
    const rows = await rowsWith(page, { ...edges([[0, 1_000_000]], window, width), category });
    // Right of the middle, where no label is.
    places.push({ x: Math.round(width * 0.6), y: Math.round(rows[0][0]), width: 32, height: Math.max(1, Math.floor(rows[0][1] - rows[0][0])) });
  }
  const tones = async () => {
    const counts = [];
    for (const place of places) counts.push((await coloursIn(page, place)).length);
    return counts;
  };
  assert.deepEqual(await tones(), [1, 1, 1], 'plain colours, until somebody asks for more');
  const pressed = () => page.$eval('.textures', (button) => button.getAttribute('aria-pressed'));
  const until = (wanted) => page.waitForFunction((wanted) => document.querySelector('.textures').getAttribute('aria-pressed') === wanted, {}, wanted);
  await page.keyboard.press('x');
  await until('true');
  assert.deepEqual(await tones(), [1, 2, 2], 'copy and communication have a texture, compute has none');
  const [dots, hatch] = [await coloursIn(page, places[1]), await coloursIn(page, places[2])];
  assert.notDeepEqual(dots, hatch, 'and not the same one');
  await page.reload();
  assert.equal(await pressed(), 'true', 'it is remembered');
  await page.evaluate(() => localStorage.clear());
  await page.reload();
  assert.equal(await pressed(), 'false');
  const wishes = await page.createCDPSession();
  await wishes.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-contrast', value: 'more' }] });
  await until('true');
  await show();
  assert.deepEqual(await tones(), [1, 2, 2]);
  await page.close();
});

test('a page in which nothing changes draws nothing', async () => {
  const { page } = await openedHere('', fixture('ps4w.pb'));
  // Frames that the page itself asks for, of any kind.
  await page.evaluate(() => {
    const ask = window.requestAnimationFrame.bind(window);
    window.asked = 0;
    window.requestAnimationFrame = (then) => {
      window.asked++;
      return ask(then);
    };
    window.screens = async (count) => {
      const before = window.asked;
      for (let screen = 0; screen < count; screen++) await new Promise((resolve) => ask(resolve));
      return window.asked - before;
    };
  });
  // However long answers take to arrive, at some time it is at rest for a hundred screens.
  const rest = () => page.waitForFunction(async () => (await window.screens(100)) === 0);
  await rest();
  const { x, y, width, height } = await canvasBox(page);
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.wheel({ deltaX: 200 });
  await page.waitForFunction(() => window.asked > 0);
  await rest();
  await page.close();
});

/** How often each row of pixels in a box changes between ink and ground, and whether it is ink from end to end. */
const inkIn = (page, box) => page.$eval('canvas.lanes', (canvas, { x, y, width, height }) => {
  const { data } = canvas.getContext('2d').getImageData(x, y, width, height);
  // What is empty is transparent black.
  const dark = (at) => data[at] + data[at + 1] + data[at + 2] < 450 && data[at + 3] > 128;
  return Array.from({ length: height }, (_, row) => {
    const ink = Array.from({ length: width }, (_, column) => dark((row * width + column) * 4));
    return { solid: ink.every(Boolean), changes: ink.filter((is, column) => column > 0 && is !== ink[column - 1]).length };
  });
}, box);

test('arrows lead to the selected op in dashes and away from it in one stroke, as many hops far as wished', async () => {
  const chain = [['a', ''], ['b', 'a'], ['c', 'b'], ['d', 'c']];
  const bytes = runMetadata([{
    device: '/job:a/replica:0/task:0/device:CPU:0',
    ops: chain.map(([name, input], index) => ({ name, label: `${name} = MatMul(${input})`, start: 5000 + 300 * index, end: 5100 + 300 * index })),
  }]);
  const span_ns = 1_000_000;
  const window = [-100_000, 1_100_000];
  const { page } = await visit(browser, `${site.url}${fragment({ ops: 4, span_ns }, ...window)}`);
  await waitForReady(page, () => chooseBytes(page, [{ name: 'chain.pb', bytes }]));
  const box = await canvasBox(page);
  const x = (at_us) => Math.round(((at_us * 1000 - window[0]) / (window[1] - window[0])) * box.width);
  const rows = await rowsWith(page, { ...edges(chain.map((_, index) => [300_000 * index, 300_000 * index + 100_000]), window, box.width), category: 'compute' });
  const [top, bottom] = [rows[0][0], rows.at(-1)[1]];
  const said = (words) => page.waitForFunction((words) => document.querySelector('.hops')?.textContent.includes(words), {}, words);
  const selected = (name) => page.waitForFunction((name) => document.querySelector('.op-name')?.textContent === name, {}, name);
  await page.mouse.click(box.x + x(350), box.y + (top + bottom) / 2);
  await selected('b');
  await said('2 arrows');
  const below = (from_us, to_us) => inkIn(page, { x: x(from_us) + 20, y: Math.round(bottom), width: x(to_us) - x(from_us) - 40, height: 14 });
  const into = await below(100, 300);
  assert.ok(into.some(({ changes }) => changes > 10) && into.every(({ solid }) => !solid), 'what leads to it is dashed');
  assert.ok((await below(400, 600)).some(({ solid }) => solid), 'what leads away is one stroke');
  assert.ok((await below(700, 900)).every(({ changes, solid }) => changes === 0 && !solid), 'one hop is all at first');
  await page.keyboard.press('}');
  await said('3 arrows');
  assert.ok((await below(700, 900)).some(({ solid }) => solid), 'the second hop');
  await page.keyboard.press('{');
  await said('2 arrows');
  // Framed, its producer is out of sight: its stub leads there.
  await page.keyboard.press('f');
  await page.waitForFunction(() => !new URLSearchParams(location.hash.slice(1)).get('w')?.startsWith('-'));
  await page.mouse.click(box.x + 12, box.y + (top + bottom) / 2);
  await selected('a');
  await page.close();
});

for (const category of ['compute', 'communication']) {
  test(`a click on an op of ps4w.pb (${category}) shows its details`, async () => {
    const { session, summary } = await open(fixture('ps4w.pb'));
    const op = standsApart(session, summary, category);
    // Each transfer has a lane.
    const { page } = await visit(browser, `${site.url}${fragment(summary, ...windowAround(op))}&open=0`);
    await openFiles(page, fixture('ps4w.pb'));
    const { x, y } = await placeOf(page, op);
    await page.mouse.click(x, y);
    await page.waitForFunction((op) => new URLSearchParams(location.hash.slice(1)).get('op') === op, {}, String(op.op));
    await page.waitForFunction((type) => document.body.innerText.includes(type), {}, op.op_type);
    const words = await text(page);
    if (op.transfer) {
      assert.ok(words.includes(op.transfer.tensor), `the page names the tensor ${op.transfer.tensor}`);
    } else {
      assert.ok(words.includes(op.name), `the page says ${op.name}`);
    }
    await page.close();
    session.free();
  });
}
