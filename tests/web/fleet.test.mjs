// A fleet in Chromium: dropped, picked, alone and served; its pixels, its cells and their traces, and files that are none.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { touch } from './fingers.mjs';
import { boxOf, until, untilRead } from './hands.mjs';
import { DIST, ROOT, fixture } from './site.mjs';
import { browser, onPage } from './stage.mjs';
import { chooseBytes, summary, visit, waitForState } from './steplens.mjs';

/** 12 tasks by 40 steps from 1000; task 4 is behind from step 1020 on. `cargo run -p steplens-report --example fleet` made it. */
const OVERVIEW = path.join(import.meta.dirname, 'fleet/overview.steplens-fleet');
const TASKS = 12;
const STEPS = 40;
const STRAGGLER = 4;
/** The trace that all of its cells lead to. */
const TRACE = 'traces/mnist-adam.pb';

const program = process.env.STEPLENS_PROGRAM ?? path.join(ROOT, 'target/debug/steplens');

let home;
let dataset;
before(async () => {
  home = await mkdtemp(path.join(os.tmpdir(), 'steplens-fleet-'));
  dataset = path.join(home, 'dataset');
  await mkdir(path.join(dataset, 'traces'), { recursive: true });
  await copyFile(OVERVIEW, path.join(dataset, 'overview.steplens-fleet'));
  await copyFile(fixture('mnist-adam.pb'), path.join(dataset, TRACE));
});
after(() => rm(home, { recursive: true, force: true }));

/** Drops files or folders of the disk, as a file manager does. */
async function drop(page, ...files) {
  const client = await page.createCDPSession();
  const data = { items: [], files, dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop']) await client.send('Input.dispatchDragEvent', { type, x: 100, y: 400, data });
}

/** All of it: the lists come after the picture. */
const shown = (page) => until(page, () => document.body.dataset.fleet === 'shown' && document.querySelector('#fleet-list li') !== null);
const behind = (page) => until(page, () => document.body.dataset.fleet === 'behind');
const textOf = (page, selector) => page.$eval(selector, (element) => element.textContent);

async function openDataset(page, folder = dataset) {
  await drop(page, folder);
  await shown(page);
}

/** The middle of a cell, in pixels of the page; names stand left of the picture, and steps above it. */
async function middleOf(page, row, column) {
  const { x, y, width } = await boxOf(page, 'canvas.fleet-canvas');
  const [left, top, tall] = [112, 20, 34];
  return { x: x + left + ((width - left) / STEPS) * (column + 0.5), y: y + top + tall * (row + 0.5) };
}

/** The colour there. */
async function colorAt(page, row, column) {
  const { x, y } = await middleOf(page, row, column);
  const box = await boxOf(page, 'canvas.fleet-canvas');
  return page.$eval('canvas.fleet-canvas', (canvas, x, y) => [...canvas.getContext('2d').getImageData(x * devicePixelRatio, y * devicePixelRatio, 1, 1).data].slice(0, 3), x - box.x, y - box.y);
}

onPage('the answer names the planted straggler, and its row has other colours from the step on', async ({ page }) => {
  await openDataset(page);
  assert.match(await textOf(page, '#fleet-answer'), /^worker 4 keeps the others waiting: in 20 steps .*compute/);
  await page.select('#fleet-figure', 'own');
  await until(page, () => location.hash.includes('figure=own'));
  const before = await colorAt(page, STRAGGLER, 5);
  const after = await colorAt(page, STRAGGLER, 30);
  const other = await colorAt(page, STRAGGLER + 1, 30);
  const distance = (a, b) => Math.hypot(...a.map((part, at) => part - b[at]));
  assert.ok(distance(before, after) > 60, `${before} ${after}`);
  assert.ok(distance(other, after) > 60, `${other} ${after}`);
});

/** How many pixels below the picture have the colour of the band. */
const bandPixels = (page) => page.$eval('canvas.fleet-canvas', (canvas) => {
  const { data } = canvas.getContext('2d').getImageData(0, Math.floor(canvas.height * 0.75), canvas.width, Math.floor(canvas.height * 0.25));
  const band = parseInt(getComputedStyle(document.documentElement).getPropertyValue('--idle').trim().slice(1), 16);
  let count = 0;
  for (let at = 0; at < data.length; at += 4) if (((data[at] << 16) | (data[at + 1] << 8) | data[at + 2]) === band) count += 1;
  return count;
});

onPage('what is typical is drawn of one job alone: of parameter servers and workers together it is so of neither', async ({ page }) => {
  await openDataset(page);
  assert.ok(await untilRead(() => bandPixels(page), (count) => count > 100));
  const folder = path.join(home, 'cluster');
  const traces = path.join(home, 'of-cluster');
  await mkdir(traces);
  for (const name of ['ps4w.pb', 'ps4w-later.pb']) await copyFile(fixture(name), path.join(traces, name));
  const indexed = spawn(program, ['index', traces, '--output', folder], { stdio: ['ignore', 'ignore', 'inherit'] });
  assert.deepEqual(await once(indexed, 'exit'), [0, null]);
  await drop(page, folder);
  await until(page, () => document.querySelector('.fleet-name')?.textContent === 'cluster' && /5 tasks/.test(document.querySelector('.fleet-line').textContent));
  assert.equal(await untilRead(() => bandPixels(page), (count) => count < 20) < 20, true);
});

/** The texts of each row; between a number and its unit stands a space that does not break. */
const rowsOf = (page) =>
  page.$$eval('#fleet-list .fleet-row', (rows) => rows.map((row) => [...row.children].map(({ textContent }) => textContent.replaceAll('\u00a0', ' '))));

onPage('two days are compared by op type: what takes longer comes first, what waits for others last', async ({ page }) => {
  await openDataset(page);
  await page.click('#fleet-tab-days');
  await until(page, () => document.querySelector('#fleet-day-b')?.value === '2026-12-02');
  assert.equal(await page.$eval('#fleet-day-a', (select) => select.value), '2026-12-01');
  const rows = await rowsOf(page);
  assert.deepEqual(rows.map(([name, figure]) => [name, figure]), [['MatMul', '+3.000 ms'], ['Conv2D', '−1.000 ms'], ['RecvTensor', '+8.000 ms']]);
  assert.match(rows[0][2], /^10\.00 ms → 13\.00 ms, .*worker/);
  assert.match(rows[2][2], /includes waiting for others$/);
  await page.focus('#fleet-day-a');
  await page.select('#fleet-day-a', '2026-12-02');
  await until(page, () => document.querySelector('#fleet-list .fleet-row-figures')?.textContent.startsWith('0'));
  assert.ok((await rowsOf(page)).every(([, figure]) => figure === '0 ns'));
  await until(page, () => location.hash.includes('list=days'));
  assert.equal(await page.evaluate(() => document.activeElement.id), 'fleet-day-a');
});

onPage('what differs from a step on is told, from the middle or from the chosen step', async ({ page }) => {
  await openDataset(page);
  await page.click('#fleet-tab-before-after');
  await until(page, () => /^From step 1020 on/.test(document.querySelector('.fleet-moment')?.textContent ?? ''));
  const rows = await rowsOf(page);
  assert.match(rows[0][0], /^Length of the step/);
  // Exposed communication is the same for all but the straggler, whose steps have less of it from there on.
  const communication = rows.find(([name]) => name === 'Exposed communication');
  assert.match(communication.join(' '), /−1\.333 ms 16\.50 ms → 15\.17 ms, sure$/);
  assert.equal(await page.$eval('#fleet-from-chosen', (button) => button.disabled), true);
  await page.focus('canvas.fleet-canvas');
  await page.keyboard.press('ArrowDown');
  for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowRight');
  await until(page, () => !document.querySelector('#fleet-from-chosen').disabled);
  await page.evaluate(() => (window.from_chosen = document.querySelector('#fleet-from-chosen')) && null);
  await page.click('#fleet-from-chosen');
  await until(page, () => /^From step 1003 on/.test(document.querySelector('.fleet-moment').textContent));
  assert.ok((await rowsOf(page)).every(([, , about]) => about.endsWith('fewer than 8 steps on a side')));
  assert.ok(await page.evaluate(() => window.from_chosen === document.querySelector('#fleet-from-chosen')), 'the button was made anew');
});

onPage('most first brings the straggler to the top', async ({ page }) => {
  await openDataset(page);
  await page.select('#fleet-figure', 'extra');
  await page.click('#fleet-sort');
  await until(page, () => location.hash.includes('sort=figure') && location.hash.includes('figure=extra'));
  const { x, y } = await middleOf(page, 0, 35);
  await page.mouse.move(x, y);
  await until(page, () => /^worker 4, step 1035/.test(document.querySelector('.fleet-tip .tip-name')?.textContent ?? ''));
  await until(page, () => /more compute than peers/.test(document.querySelector('.fleet-tip').textContent));
});

onPage('what is chosen stays the same task, however the rows are sorted', async ({ page }) => {
  await openDataset(page);
  await page.select('#fleet-figure', 'extra');
  await page.focus('canvas.fleet-canvas');
  // The first press chooses a cell, and each other one goes to the next.
  for (let row = 0; row <= STRAGGLER; row++) await page.keyboard.press('ArrowDown');
  await until(page, () => /^worker 4, step 1000/.test(document.querySelector('#fleet-cell-words').textContent));
  await page.click('#fleet-sort');
  const { x, y } = await middleOf(page, 0, 35);
  await page.mouse.move(x, y);
  await until(page, () => /^worker 4, step 1035/.test(document.querySelector('.fleet-tip .tip-name')?.textContent ?? ''));
  await page.mouse.move(0, 0);
  await page.focus('canvas.fleet-canvas');
  await page.keyboard.press('ArrowRight');
  await until(page, () => /step 1001/.test(document.querySelector('#fleet-cell-words').textContent));
  assert.match(await textOf(page, '#fleet-cell-words'), /^worker 4,/);
});

onPage('a click opens the trace of a cell, Back leads to the fleet as it was, and Forward to the trace', async ({ page }) => {
  await openDataset(page);
  await page.select('#fleet-figure', 'own');
  await until(page, () => location.hash.includes('figure=own'));
  const { x, y } = await middleOf(page, STRAGGLER, 30);
  await page.mouse.click(x, y);
  await behind(page);
  await waitForState(page, 'ready');
  assert.deepEqual((await summary(page)).files.map(({ name }) => name), ['mnist-adam.pb']);
  assert.equal(await page.$eval('.main', (element) => getComputedStyle(element).display !== 'none'), true);
  await page.goBack();
  await until(page, () => document.body.dataset.fleet === 'shown');
  assert.equal(await page.$eval('#fleet-figure', (select) => select.value), 'own');
  assert.match(await textOf(page, '#fleet-cell-words'), /^worker 4, step 1030/);
  await page.goForward();
  await behind(page);
  await page.click('#fleet-back');
  await until(page, () => document.body.dataset.fleet === 'shown');
});

onPage('a finger chooses a cell first, and opens it with the second tap', async ({ page }) => {
  await openDataset(page);
  const { x, y } = await middleOf(page, STRAGGLER, 30);
  await touch(page, [[[x, y]]]);
  await until(page, () => /^worker 4, step 1030/.test(document.querySelector('#fleet-cell-words').textContent));
  // What a tap opens is behind the fleet at once: the list, asked for after it, was answered meanwhile.
  await page.click('#fleet-tab-links');
  await until(page, () => /worker 1 → worker 2/.test(document.querySelector('#fleet-list').textContent));
  assert.equal(await page.evaluate(() => document.body.dataset.fleet), 'shown');
  await touch(page, [[[x, y]]]);
  await behind(page);
  await waitForState(page, 'ready');
});

onPage('the keyboard walks, zooms and opens', async ({ page }) => {
  await openDataset(page);
  await page.focus('canvas.fleet-canvas');
  for (const key of ['ArrowDown', 'ArrowDown', 'End', 'ArrowLeft']) await page.keyboard.press(key);
  await until(page, () => /^worker 1, step 1038/.test(document.querySelector('#fleet-cell-words').textContent));
  for (const [key, worker] of [['PageDown', TASKS - 1], ['PageUp', 0], ['ArrowDown', 1]]) {
    await page.keyboard.press(key);
    await until(page, (worker) => document.querySelector('#fleet-cell-words').textContent.startsWith(`worker ${worker}, step 1038`), worker);
  }
  for (const key of ['w', 'w', 'w', '+']) await page.keyboard.press(key);
  await until(page, () => /cells=/.test(location.hash));
  await page.keyboard.press('0');
  await until(page, () => !/cells=/.test(location.hash));
  assert.equal(await page.evaluate(() => document.activeElement.matches('canvas.fleet-canvas')), true);
  await page.keyboard.press('Enter');
  await behind(page);
  await waitForState(page, 'ready');
});

onPage('lists beside the picture lead to cells and traces', async ({ page }) => {
  await openDataset(page);
  await page.click('#fleet-list button');
  await until(page, () => /^worker 4, step 10[23]\d/.test(document.querySelector('#fleet-cell-words').textContent));
  await page.click('#fleet-tab-links');
  await until(page, () => /worker 1 → worker 2/.test(document.querySelector('#fleet-list').textContent));
  await page.click('#fleet-tab-files');
  await until(page, () => /broken\.pb/.test(document.querySelector('#fleet-list').textContent));
  await page.click('#fleet-tab-findings');
  await until(page, () => /IteratorGetNext/.test(document.querySelector('#fleet-list').textContent));
  await page.click('#fleet-list button');
  await behind(page);
  await waitForState(page, 'ready');
});

onPage('the summary alone asks for the file of a cell, and refuses another one', async ({ page }) => {
  await drop(page, path.join(dataset, 'overview.steplens-fleet'));
  await shown(page);
  const { x, y } = await middleOf(page, 0, 0);
  await page.mouse.click(x, y);
  await until(page, () => !document.querySelector('#fleet-missing').hidden);
  assert.match(await textOf(page, '#fleet-missing'), /traces\/mnist-adam\.pb is not where it was looked for/);
  const bytes = await readFile(fixture('mnist-adam.pb'));
  await chooseBytes(page, [{ name: 'other.pb', bytes }], '#fleet-missing-file');
  await until(page, () => document.querySelector('#error')?.dataset.code === 'other-file');
  await chooseBytes(page, [{ name: 'mnist-adam.pb', bytes }], '#fleet-missing-file');
  await behind(page);
  await waitForState(page, 'ready');
});

onPage('a trace that is gone, and files that are no summary or a damaged one, say what to do', async ({ page }) => {
  const whole = await readFile(OVERVIEW);
  const cases = [
    ['cut', whole.subarray(0, whole.length - 10), /is not whole/],
    ['other', Buffer.from('PAR1PAR1PAR1'), /is not the summary of a fleet/],
    ['damaged', Buffer.concat([whole.subarray(0, 60), Buffer.alloc(20), whole.subarray(80)]), /is damaged/],
  ];
  for (const [name, bytes, said] of cases) {
    const folder = path.join(home, name);
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, 'overview.steplens-fleet'), bytes);
    await drop(page, folder);
    await page.waitForFunction((name) => document.querySelector('.fleet-name')?.textContent === name && !document.querySelector('#fleet-fault').hidden, {}, name);
    assert.match(await textOf(page, '#fleet-fault'), said);
  }
  const without = path.join(home, 'without');
  await mkdir(without, { recursive: true });
  await copyFile(OVERVIEW, path.join(without, 'overview.steplens-fleet'));
  await openDataset(page, without);
  const { x, y } = await middleOf(page, 2, 2);
  await page.mouse.click(x, y);
  await until(page, () => !document.querySelector('#fleet-missing').hidden);
  await page.click('#fleet-close');
  await until(page, () => document.body.dataset.fleet === 'none');
});

onPage('on a phone the picture, the answer and the lists are there, and nothing is wider than the screen', async ({ page }) => {
  await page.setViewport({ width: 390, height: 800 });
  await openDataset(page);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 390, `${wide}`);
  const box = await boxOf(page, 'canvas.fleet-canvas');
  assert.ok(box.width > 300 && box.height > 200, JSON.stringify(box));
});

test('steplens serve gives the fleet and its traces, and nothing else', async () => {
  await writeFile(path.join(dataset, 'traces/secret.pb'), 'secret');
  const env = { ...process.env, STEPLENS_PAGE: path.join(DIST, 'steplens.html'), LANGUAGE: 'en' };
  const served = spawn(program, ['serve', dataset, '--port', '0'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    let said = '';
    for await (const chunk of served.stdout) {
      said += chunk;
      if (/token=\w+/.test(said)) break;
    }
    const [url] = said.match(/http:\S+token=\w+/);
    const { page, faults } = await visit(browser, url);
    await shown(page);
    const { x, y } = await middleOf(page, STRAGGLER, 30);
    await page.mouse.click(x, y);
    await behind(page);
    await waitForState(page, 'ready');
    const status = (name) => page.evaluate(async (name) => (await fetch(name)).status, name);
    assert.equal(await status('/fleet/traces/mnist-adam.pb'), 200);
    for (const name of ['/fleet/traces/secret.pb', '/fleet/manifest.json', '/fleet/..%2f..%2fsecret', '/folder', '/folder/steplens.json'])
      assert.equal(await status(name), 404, name);
    assert.deepEqual((await faults()).filter((fault) => !/404/.test(fault)), []);
    await page.close();
  } finally {
    served.kill();
    if (served.exitCode === null && served.signalCode === null) await once(served, 'exit');
  }
});

test('the planted fleet is what this file says', () => {
  assert.equal(Math.floor(TASKS / 3), STRAGGLER);
});
