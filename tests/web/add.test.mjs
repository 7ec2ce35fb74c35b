// Adding files to the open trace in Chromium: the sum is what opening all files at once gives, and the user's view stays.

import assert from 'node:assert/strict';
import { fromMenu, until, untilField } from './hands.mjs';
import { runMetadata } from './run_metadata.mjs';
import { fixture } from './site.mjs';
import { browser, onPage, onTrace } from './stage.mjs';
import { chooseBytes, errorCode, openFiles, state, summary, waitForReady } from './steplens.mjs';

const device = (task) => `/job:worker/replica:0/task:${task}/device:CPU:0`;
/** One worker of a step; times in microseconds. */
const worker = (task, start) => ({
  name: `worker${task}.pb`,
  bytes: runMetadata([
    {
      device: device(task),
      ops: [
        { name: `a${task}`, label: `a${task} = MatMul(x)`, start, end: start + 4000 },
        { name: `b${task}`, label: `b${task} = Relu(a${task})`, start: start + 5000, end: start + 6000 },
      ],
    },
  ]),
});
const FIRST = worker(0, 10_000);
const SECOND = worker(1, 8_000);
const NOISE = { name: 'noise.pb', bytes: new TextEncoder().encode('this is no trace at all') };

/** Through the input behind the button. */
const addBytes = (page, files) => chooseBytes(page, files, '#add-file');

const openBytes = (page, files) => waitForReady(page, () => chooseBytes(page, files));

onPage('two workers added one after the other are two workers opened at once', async ({ page }) => {
  await openBytes(page, [FIRST, SECOND]);
  const both = await summary(page);
  await openBytes(page, [FIRST]);
  assert.equal((await summary(page)).devices.length, 1);
  await waitForReady(page, () => addBytes(page, [SECOND]));
  assert.deepEqual(await summary(page), both);
  assert.equal(both.devices.length, 2);
  assert.equal(await page.$eval('.file-name', (element) => element.textContent), 'worker0.pb and 1 more');
});

onPage('what the user did with the trace stays where files are added', async ({ page }) => {
  await openBytes(page, [FIRST]);
  await page.focus('canvas.lanes');
  await page.keyboard.press('m');
  await page.keyboard.type('here');
  await page.keyboard.press('Enter');
  await until(page, () => location.hash.includes('n='));
  const mark = await page.evaluate(() => new URLSearchParams(location.hash.slice(1)).get('n').split(','));
  await waitForReady(page, () => addBytes(page, [SECOND]));
  await until(page, () => location.hash.includes('n='));
  const moved = await page.evaluate(() => new URLSearchParams(location.hash.slice(1)).get('n').split(','));
  // The second worker began 2 ms earlier: the same moment is that much later on the axis.
  assert.deepEqual([Number(moved[0]) - Number(mark[0]), moved[2]], [2_000_000, 'here']);
});

onPage('a reload brings back all that was added', async ({ page }) => {
  await openBytes(page, [FIRST]);
  await waitForReady(page, () => addBytes(page, [SECOND]));
  const both = await summary(page);
  await until(page, () => performance.getEntriesByName('steplens:kept').length > 0);
  await page.reload({ waitUntil: 'load' });
  await until(page, () => document.body.dataset.state === 'ready');
  const again = await summary(page);
  assert.deepEqual(again.devices, both.devices);
  assert.deepEqual(again.files.map(({ name, ops }) => [name, ops]), both.files.map(({ name, ops }) => [name, ops]));
});

onPage('a device that was hidden stays hidden', async ({ page }) => {
  await openBytes(page, [FIRST, SECOND]);
  await page.hover('[data-device="1"]');
  await page.click('[data-device="1"] .device-hide');
  await untilField(page, 'hide', '1');
  await waitForReady(page, () => addBytes(page, [worker(2, 9_000)]));
  await untilField(page, 'hide', '1');
  assert.equal((await summary(page)).devices.length, 3);
});

onPage('what cannot be added leaves the trace as it is, and says why', async ({ page }) => {
  await openBytes(page, [FIRST]);
  const before = await summary(page);
  await addBytes(page, [NOISE]);
  await page.waitForSelector('#error[data-code]');
  const said = await page.$eval('#error', (element) => element.innerText.replace(/\s+/g, ' '));
  assert.match(said, /^Not added\. Nothing of noise\.pb was added: .+ The open trace is unchanged\.$/);
  assert.deepEqual(await summary(page), before);
  // With something good next to it, the rest is added, and the file is a problem.
  await waitForReady(page, () => addBytes(page, [NOISE, SECOND]));
  const after = await summary(page);
  assert.deepEqual(after.files.map(({ name, ops }) => [name, ops]), [['worker0.pb', 2], ['noise.pb', 0], ['worker1.pb', 2]]);
  assert.equal(await errorCode(page), null);
});

onPage('adding can be cancelled', async ({ page }) => {
  await openBytes(page, [FIRST]);
  const before = await summary(page);
  await page.evaluate((bytes) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([Uint8Array.from(bytes)], 'worker1.pb'));
    const input = document.querySelector('#add-file');
    input.files = transfer.files;
    input.dispatchEvent(new Event('change', { bubbles: true }));
  }, [...SECOND.bytes]);
  await page.evaluate(() => [...document.querySelectorAll('button')].find((button) => button.textContent.trim() === 'Cancel').click());
  await until(page, () => document.body.dataset.state !== 'loading');
  assert.deepEqual([await state(page), await errorCode(page)], ['ready', null]);
  const files = (await summary(page)).files.length;
  // Where the machine was quicker than the cancel, all of it is there; never a part.
  if (files === 1) assert.deepEqual(await summary(page), before);
  else assert.equal((await summary(page)).ops, 4);
});

/** Drops a file of the disk at `x`, as a file manager does; says which parts there are to drop it on. */
async function drop(page, file, x, modifiers = 0) {
  const client = await page.createCDPSession();
  const data = { items: [], files: [file], dragOperationsMask: 1 };
  const send = (type) => client.send('Input.dispatchDragEvent', { type, x, y: 300, data, modifiers });
  await send('dragEnter');
  await send('dragOver');
  const halves = await page.$$eval('.drop-half', (all) => all.filter((half) => half.checkVisibility()).map((half) => half.innerText));
  await send('drop');
  return halves;
}

const SHIFT = 8;

onPage('files that are dropped at the right, or with Shift, are added', async ({ page }) => {
  const right = page.viewport().width - 50;
  const halves = [];
  const names = async () => (await summary(page)).files.map(({ name }) => name);
  await waitForReady(page, async () => halves.push(await drop(page, fixture('multidev.pb'), right)));
  await waitForReady(page, async () => halves.push(await drop(page, fixture('collective.pb'), right)));
  assert.deepEqual(halves, [['Drop to open'], ['Drop to open', 'Drop to compare with this trace', 'Drop to add to this trace']]);
  assert.deepEqual(await names(), ['multidev.pb', 'collective.pb']);
  await waitForReady(page, () => drop(page, fixture('mnist-adam.pb'), 50, SHIFT));
  assert.deepEqual(await names(), ['multidev.pb', 'collective.pb', 'mnist-adam.pb']);
  await waitForReady(page, () => drop(page, fixture('collective.pb'), 50));
  assert.deepEqual(await names(), ['collective.pb']);
});

onTrace(fixture('mnist-adam.pb'), 'a drop that was cancelled leaves no veil', async ({ page }) => {
  const client = await page.createCDPSession();
  const data = { items: [], files: [fixture('multidev.pb')], dragOperationsMask: 1 };
  const over = async () => {
    for (const type of ['dragEnter', 'dragOver']) await client.send('Input.dispatchDragEvent', { type, x: 300, y: 300, data });
    await until(page, () => !document.querySelector('.drop-veil').hidden);
  };
  const untilGone = () => until(page, () => document.querySelector('.drop-veil').hidden);
  // Esc while it is dragged, or out of the window.
  await over();
  await client.send('Input.dispatchDragEvent', { type: 'dragCancel', x: 300, y: 300, data });
  await untilGone();
  // A browser that does not say so: by Esc, by the pointer, and by itself.
  await over();
  await page.keyboard.press('Escape');
  await untilGone();
  assert.equal((await summary(page)).files[0].name, 'mnist-adam.pb', 'Esc did nothing else');
  await over();
  await page.mouse.move(200, 200);
  await untilGone();
  await over();
  await untilGone();
  // From one part of the page to another it is no leaving.
  await over();
  await page.evaluate(() => document.body.dispatchEvent(new DragEvent('dragleave', { bubbles: true, relatedTarget: document.querySelector('.header') })));
  assert.equal(await page.$eval('.drop-veil', (veil) => veil.hidden), false);
  await untilGone();
});

/** The dialog for files that `act` opens. A key is faster than the request to hear of dialogs: that is answered before. */
async function chooserOf(page, act) {
  const chooser = page.waitForFileChooser();
  await page.evaluate(() => document.readyState);
  await act();
  return chooser;
}

onPage('the menu and a key let the user choose files to add', async ({ page }) => {
  assert.equal(await page.$eval('#add-files', (button) => button.checkVisibility()), false);
  await openFiles(page, fixture('multidev.pb'));
  await page.focus('canvas.lanes');
  await page.keyboard.down('Shift');
  const by_key = await chooserOf(page, () => page.keyboard.press('o'));
  await page.keyboard.up('Shift');
  await by_key.cancel();
  const chooser = await chooserOf(page, () => fromMenu(page, '#add-files'));
  await waitForReady(page, () => chooser.accept([fixture('collective.pb')]));
  assert.deepEqual((await summary(page)).files.map((file) => file.name), ['multidev.pb', 'collective.pb']);
});
