// A device's transfers as one band below its ops: as tall as many are in flight, read by pointer and keys, opened and closed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultsOf } from './axe.mjs';
import { canvasBox, fragment } from './canvas.mjs';
import { boxOf, fields, until, untilField, untilSpoken } from './hands.mjs';
import { runMetadata } from './run_metadata.mjs';
import { fixture } from './site.mjs';
import { browser, site } from './stage.mjs';
import { chooseBytes, openFiles, visit, waitForReady } from './steplens.mjs';

const MICROS = 1000;
const LABEL = '[4B] [0B] edge_1_a from /job:a/replica:0/task:1/device:CPU:0 to /job:a/replica:0/task:0/device:CPU:0';
/** One more from step to step, up to five at once, and then none. */
const TRANSFERS = [[0, 1000], [200, 1000], [400, 1000], [600, 1000], [800, 1000]];
/** The first hides the transfers of the second and third step. */
const COMPUTE = [[250, 650], [1050, 1200]];
const window = [-100 * MICROS, 1300 * MICROS];
const ops = [
  ...TRANSFERS.map(([start, end], at) => ({ name: 'RecvTensor', label: LABEL.replace('_a from', `_t${at} from`), start: 5000 + start, end: 5000 + end })),
  ...COMPUTE.map(([start, end], at) => ({ name: `x${at}`, label: `x${at} = MatMul()`, start: 5000 + start, end: 5000 + end })),
];

async function opened(more = '') {
  const { page, faults } = await visit(browser, `${site.url}${fragment({ ops: ops.length, span_ns: 1200 * MICROS }, ...window)}${more}`);
  const bytes = runMetadata([{ device: '/job:a/replica:0/task:0/device:CPU:0', ops }]);
  await waitForReady(page, () => chooseBytes(page, [{ name: 'band.pb', bytes }]));
  return { page, faults };
}

const button = '[data-device="0"] .device-transfers';
const tooltip = () => document.querySelector('.tooltip').textContent;

/** How many pixels of each of `columns` have nearly the colour of a category, hidden or not, in the rows of a box of the canvas. What is not hidden is hatched. */
const inked = (page, columns, { y, height }, category, strength = 1) => page.$eval('canvas.lanes', (canvas, columns, y, height, category, strength) => {
  const probe = document.createElement('canvas').getContext('2d');
  for (const [name, alpha] of [['band', 1], [category, strength]]) {
    probe.globalAlpha = alpha;
    probe.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`);
    probe.fillRect(0, 0, 1, 1);
  }
  const plain = probe.getImageData(0, 0, 1, 1).data;
  const hatching = category === 'communication' && strength === 1 ? [plain.map((channel) => channel * 0.77)] : [];
  return columns.map((x) => {
    const { data } = canvas.getContext('2d').getImageData(x, y, 1, height);
    let count = 0;
    const isNear = (at) => (wanted) => Math.hypot(data[at] - wanted[0], data[at + 1] - wanted[1], data[at + 2] - wanted[2]) < 65;
    for (let at = 0; at < data.length; at += 4) if ([plain, ...hatching].some(isNear(at))) count++;
    return count;
  });
}, columns, y, height, category, strength);

test('the band is as tall as many transfers are in flight, below an op at full height', async () => {
  const { page } = await opened();
  const box = await canvasBox(page);
  const lane = await boxOf(page, button);
  const x = (us) => Math.round(((us * MICROS - window[0]) / (window[1] - window[0])) * box.width);
  const middles = [100, 300, 500, 700, 900, 1100].map(x);
  const band = { y: lane.y - box.y, height: 44 };
  const exposed = await inked(page, middles, band, 'communication');
  const hidden = await inked(page, middles, band, 'communication', 0.45);
  assert.deepEqual(exposed.map((height) => height > 0), [true, false, false, true, true, false], 'where nothing hides them');
  assert.deepEqual(hidden.map((height) => height > 0), [false, true, true, false, false, false], 'where compute does');
  const heights = exposed.map((height, at) => height + hidden[at]);
  const full = heights[4];
  assert.ok(full >= 12, `${full}`);
  assert.deepEqual(heights, [1, 2, 3, 4, 5, 0].map((in_flight) => Math.round(full * Math.sqrt(in_flight / 5))));
  const compute = await inked(page, [x(500)], { y: 0, height: lane.y - box.y }, 'compute');
  assert.ok(compute[0] >= full, 'what lasts long is no thinner than what is short');
  await page.close();
});

test('the pointer reads how many are in flight and which lasts longest; a click selects that one, where the band is', async () => {
  const { page } = await opened();
  const box = await canvasBox(page);
  const lane = await boxOf(page, button);
  const at = { x: box.x + ((700 * MICROS - window[0]) / (window[1] - window[0])) * box.width, y: lane.y + 8 };
  await page.mouse.move(at.x, at.y);
  await until(page, `/4 transfers at a time on average.*the longest of them here.*t0/s.test((${tooltip})())`);
  await page.mouse.click(at.x, at.y);
  await untilSpoken(page, /^Selected t0,/);
  await page.close();
});

test('a click, a key and a screen reader open the band, and it stays so', async () => {
  const { page, faults } = await opened();
  const closed = await boxOf(page, '[data-device="0"]');
  assert.match(await page.$eval(button, (element) => element.ariaLabel), /^transfers max 5 together, /);
  await page.click(button);
  await untilField(page, 'open', '0');
  await untilSpoken(page, /have lanes of their own$/);
  assert.equal(await page.$eval(button, (element) => element.ariaExpanded), 'true');
  assert.ok((await boxOf(page, '[data-device="0"]')).height > closed.height);
  assert.deepEqual(await faultsOf(page), []);
  await page.focus('[data-device="0"] .device-choose');
  await page.keyboard.press('n');
  await untilField(page, 'open', null);
  assert.deepEqual(await faultsOf(page), []);
  await page.keyboard.down('Shift');
  await page.keyboard.press('n');
  await page.keyboard.up('Shift');
  await untilField(page, 'open', '0');
  // For all devices: traces that are opened later have it, too.
  await openFiles(page, fixture('ps2w6.pb.gz'));
  await until(page, () => [...document.querySelectorAll('.device-transfers')].every((element) => element.ariaExpanded === 'true'));
  await page.evaluate(() => localStorage.clear());
  assert.equal((await fields(page)).open?.split(',').length ?? 8, 8);
  assert.deepEqual(await faults(), []);
  await page.close();
});
