// Files with several steps: the list of them, going from one to the next, and that everything follows.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { faultsOf } from './axe.mjs';
import { picture } from './canvas.mjs';
import { boxOf, fields, listen, searchFor, toTab, until, untilField, untilRead, untilRest, untilSpoken } from './hands.mjs';
import { runMetadata } from './run_metadata.mjs';
import { fixture } from './site.mjs';
import { browser, onPage, onTrace, site } from './stage.mjs';
import { chooseBytes, openFiles, share, summary, visit, waitForReady, waitForState } from './steplens.mjs';

/** One step of a task with a parameter server, 1,000 us long but for `longer`; it begins at `start` (us). */
const step = (start, { longer = 0, server = true } = {}) => {
  const worker = { device: '/job:worker/replica:0/task:0/device:CPU:0', ops: [{ name: 'MatMul', start, end: start + 1000 + longer }] };
  const ps = { device: '/job:ps/replica:0/task:0/device:CPU:0', ops: [{ name: 'ApplyAdam', start: start + 200, end: start + 700 }] };
  return runMetadata(server ? [ps, worker] : [worker]);
};

/** Messages one after the other in a file are the steps of it. */
const joined = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]));

const START = 1_500_000_000_000_000;
/** Twelve steps that follow closely; the fifth takes longer, and the third has no server. */
const TWELVE = joined(
  ...Array.from({ length: 12 }, (_, at) => step(START + at * 1100 + (at > 4 ? 3000 : 0), { longer: at === 4 ? 3000 : at * 3, server: at !== 2 })),
);

const openBytes = (page, name, bytes) => waitForReady(page, () => chooseBytes(page, [{ name, bytes }]));
/** What the filmstrip says of the step that is shown; '' where there is none. */
const switchText = (page) => page.$eval('.filmstrip-box', (box) => (box.hidden ? '' : box.firstElementChild.ariaValueText.replace(/\s+/g, ' ')));
const shownStep = async (page) => (await summary(page)).view.step;
async function untilStep(page, wanted) {
  await until(page, (wanted) => window.steplens.summary().view.step === wanted, wanted);
  // The frame after the next one has drawn it.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}
const tabIsThere = (page) => page.$eval('#tab-steps', (tab) => !tab.hidden);
const rowsOf = (page) =>
  page.$$eval('#panel-steps tbody tr:not(.spacer)', (rows) => rows.map((row) => [...row.children].map((cell) => cell.innerText.trim())));

async function openTab(page) {
  await toTab(page, 'steps');
  await until(page, () => document.querySelectorAll('#panel-steps tbody tr:not(.spacer)').length > 0);
  await untilRest(page);
}

onTrace(fixture('mnist-adam.pb'), 'one step of which nothing is said has no list', async ({ page }) => {
  assert.equal(await switchText(page), '');
  assert.equal(await tabIsThere(page), false);
  for (const key of ['>', '<', 'e']) await page.keyboard.press(key);
  assert.equal(await shownStep(page), null);
});

onPage('steps that follow closely are on one axis, and each can be looked at by keys', async ({ page }) => {
  await openBytes(page, 'twelve.pb', TWELVE);
  const all = await summary(page);
  assert.deepEqual([all.view.step, all.view.steps, all.ops], [null, 12, 23]);
  // The list of steps follows the first frame.
  await until(page, () => !document.querySelector('.filmstrip-box').hidden);
  assert.match(await switchText(page), /12 steps$/);
  const picture_of_all = await picture(page);
  await page.keyboard.press('>');
  await untilSpoken(page, /^Step 1, one of 12: 2 ops on 2 devices, 1\.000/);
  const first = await summary(page);
  assert.deepEqual([first.view.step, first.ops, first.span_ns], [1, 2, 1e6]);
  assert.match(await switchText(page), /^Step 1, one of 12/);
  await untilStep(page, 1);
  assert.ok((await picture(page)) !== picture_of_all, 'another picture');
  // Keys pressed faster than steps are made lead as far as they say.
  for (let press = 0; press < 4; press++) await page.keyboard.press('>');
  await untilStep(page, 5);
  assert.equal((await summary(page)).span_ns, 4e6);
  await page.keyboard.press('<');
  await untilStep(page, 4);
  await page.keyboard.press('e');
  await untilStep(page, null);
  assert.deepEqual(await summary(page), all);
  assert.ok((await picture(page)) === picture_of_all, 'the same picture');
  // Back to the step that was left.
  await page.keyboard.press('e');
  await untilStep(page, 4);
  await page.keyboard.press('e');
  await untilStep(page, null);
  await page.keyboard.press('<');
  await untilStep(page, 12);
  await page.keyboard.press('>');
  await untilSpoken(page, /no step after it/);
});

onPage('the list shows, sorts, filters and chooses steps, and names the unusual one', async ({ page }) => {
  await openBytes(page, 'twelve.pb', TWELVE);
  await openTab(page);
  const rows = await rowsOf(page);
  assert.deepEqual(rows.map(([place]) => place), Array.from({ length: 12 }, (_, at) => String(at + 1)));
  assert.deepEqual(rows.filter((row) => row.includes('▲ longer')).map(([place]) => place), ['5']);
  assert.match(await page.$eval('.usual', (usual) => usual.innerText), /^length\s+1\.266\s+ms ± 861\.2\s+µs\s+p50 1\.018\s+ms · p99 4\.000\s+ms/);
  assert.match(await page.$eval('.step-strip', (strip) => strip.getAttribute('aria-label')), /^Lengths of 12 steps: 1\.000\sms to 4\.000\sms, median 1\.018\sms, 1 unusual$/);
  await page.evaluate(() => [...document.querySelectorAll('#panel-steps .sort')].find((button) => button.textContent.includes('Length')).click());
  await until(page, () => document.querySelector('#panel-steps tbody tr:not(.spacer) th').innerText.trim() === '5');
  await page.click('#panel-steps tbody tr:not(.spacer)');
  await untilStep(page, 5);
  assert.equal((await rowsOf(page))[0][0], '5', 'the order stays');
  assert.equal(await page.$eval('#panel-steps tr.selected th', (cell) => cell.innerText.trim()), '5');
  // A bar of the strip is a step.
  const { x, y, height } = await boxOf(page, '.step-strip');
  await page.mouse.click(x + 4, y + height - 6);
  await untilStep(page, 1);
  assert.match(await page.$eval('.step-strip', (strip) => strip.getAttribute('title') ?? ''), /^Step 1 · 1\.000\sms$/);
});

onPage('the filmstrip has a bar for each step, as high as it is long; clicks and arrow keys show them, all of them first', async ({ page }) => {
  await openBytes(page, 'twelve.pb', TWELVE);
  await until(page, () => !document.querySelector('.filmstrip-box').hidden);
  await untilRest(page);
  const { x, y, width, height } = await boxOf(page, '.filmstrip');
  // After what shows all of them.
  const [first, pitch] = [30, Math.min(26, (width - 30) / 12)];
  /** How many pixels of each bar have the colour of what runs, through its middle. */
  const tall = await page.$eval('.filmstrip', (canvas, first, pitch) => {
    const probe = document.createElement('canvas').getContext('2d');
    const ink = (name) => {
      probe.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
      probe.fillRect(0, 0, 1, 1);
      return [...probe.getImageData(0, 0, 1, 1).data].slice(0, 3).join();
    };
    const inks = new Set(['--compute', '--communication', '--line'].map(ink));
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const ratio = canvas.width / canvas.clientWidth;
    return Array.from({ length: 12 }, (_, step) => {
      const column = Math.round((first + (step + 0.4) * pitch) * ratio);
      return Array.from({ length: canvas.height }, (_, row) => 4 * (row * canvas.width + column)).filter((at) => inks.has([...data.subarray(at, at + 3)].join())).length;
    });
  }, first, pitch);
  // The fifth takes four times as long as the others.
  assert.ok(tall.every((own, at) => (at === 4 ? own >= height - 8 : own > 1 && own < tall[4] / 3)), `${tall}`);
  await page.mouse.click(x + first + 4.5 * pitch, y + height - 3);
  await untilStep(page, 5);
  assert.match(await switchText(page), /^Step 5, one of 12, 4\.000\sms, longer, compute/);
  await page.focus('.filmstrip');
  for (const [key, step] of [['ArrowRight', 6], ['ArrowLeft', 5], ['End', 12], ['ArrowRight', 12], ['Home', null], ['ArrowRight', 1]]) {
    await page.keyboard.press(key);
    await untilStep(page, step);
  }
  await page.mouse.click(x + 10, y + height / 2);
  await untilStep(page, null);
  assert.equal(await switchText(page), 'All steps on one axis, 12 steps');
  // A drag over several, to the left or to the right, makes them the range; so does an arrow with Shift.
  const at = (step) => [x + first + (step - 0.5) * pitch, y + height - 3];
  const range = () => page.evaluate(() => new URLSearchParams(location.hash.slice(1)).get('r'));
  let dragged = null;
  for (const [from, to] of [[3, 5], [6, 2]]) {
    await page.mouse.move(...at(from));
    await page.mouse.down();
    await page.mouse.move(...at(to), { steps: 4 });
    await page.mouse.up();
    const [one, other] = [from, to].sort((a, b) => a - b);
    await until(page, (said) => document.querySelector('.filmstrip').ariaValueText.startsWith(said), `Steps ${one} to ${other}, `);
    // The address follows later than what is said.
    dragged = await untilRead(range, (now) => now !== null && now !== dragged);
  }
  await page.mouse.click(...at(2));
  await untilStep(page, 2);
  await page.focus('.filmstrip');
  for (let more = 0; more < 4; more++) {
    await page.keyboard.down('Shift');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.up('Shift');
    await until(page, (said) => document.querySelector('.filmstrip').ariaValueText.startsWith(said), `Steps 2 to ${3 + more}, `);
  }
  await untilField(page, 'r', dragged);
  await page.mouse.click(x + 10, y + height / 2);
  await untilField(page, 'r', null);
  assert.equal(await switchText(page), 'All steps on one axis, 12 steps');
  const typical = [];
  for (let step = 0; step < 12; step++) {
    await page.keyboard.press('>');
    await untilStep(page, step + 1);
    if (/the typical one/.test(await switchText(page))) typical.push(step + 1);
  }
  assert.equal(typical.length, 1);
  assert.notEqual(typical[0], 5);
  assert.deepEqual(await faultsOf(page), []);
});

onPage('devices, search and tab stay from step to step; selection, range and zoom do not', async ({ page }) => {
  await openBytes(page, 'twelve.pb', TWELVE);
  await page.keyboard.press('>');
  await untilStep(page, 1);
  await page.$eval('#tab-table', (tab) => tab.click());
  const [ps] = (await summary(page)).devices;
  assert.match(ps.name, /ps/);
  const { x, y } = await boxOf(page, 'canvas.lanes');
  await page.mouse.move(x + 50, y + 10);
  await page.keyboard.press('h');
  assert.equal(await untilField(page, 'hide'), '0');
  await searchFor(page, 'matmul');
  await untilSpoken(page, /^1 match for matmul/);
  await page.keyboard.press('Escape');
  await page.keyboard.press('.');
  await untilField(page, 'op');
  await page.keyboard.press('r');
  await page.keyboard.press('w');
  await untilField(page, 'w');
  await page.$eval('#tab-table', (tab) => tab.click());
  await page.keyboard.press('>');
  await untilField(page, 'step', '2');
  const now = await fields(page);
  assert.deepEqual([now.hide, now.q, now.tab, now.op, now.r, now.w], ['0', 'matmul', 'table', undefined, undefined, undefined]);
  // The step after has no server to hide, and the next one has it again.
  await page.keyboard.press('>');
  await untilField(page, 'step', '3');
  assert.equal((await summary(page)).devices.length, 1);
  assert.equal((await fields(page)).hide, undefined);
  await page.keyboard.press('>');
  await untilField(page, 'step', '4');
  assert.equal((await fields(page)).hide, '0');
});

onPage('two files are two steps, or one, as the user says', async ({ page }) => {
  await openFiles(page, fixture('ps4w.pb'), fixture('ps4w-later.pb'));
  const first = await summary(page);
  assert.equal(first.view.steps, 2);
  await openTab(page);
  assert.deepEqual((await rowsOf(page)).map((row) => row.find((cell) => cell.endsWith('.pb'))), ['ps4w.pb', 'ps4w-later.pb']);
  await page.keyboard.press('>');
  await untilStep(page, first.view.step === null ? 1 : 2);
  await page.select('#panel-steps select', 'together');
  await until(page, () => window.steplens.summary().view.rule === 'together');
  const together = await summary(page);
  assert.deepEqual([together.view.steps, together.view.step], [1, null]);
  assert.equal(together.ops, together.files.reduce((sum, { ops }) => sum + ops, 0));
  assert.equal(await untilField(page, 'steps'), 'together');
  // The way back stays, although there is but one step now.
  assert.equal(await tabIsThere(page), true);
  await page.select('#panel-steps select', 'file');
  await untilField(page, 'steps', 'file');
  assert.equal((await summary(page)).view.steps, 2);
});

onTrace(fixture('chrome/timeline-concat.ctf.json'), 'several documents in one Chrome trace are steps', async ({ page }) => {
  const { view } = await summary(page);
  assert.ok(view.steps > 1);
  await page.keyboard.press('>');
  await untilStep(page, (view.step ?? 0) + 1);
});

onTrace(fixture('containers/events.out.tfevents.1795196999.host'), 'of files that list runs the first is shown, with what is said of it', async ({ page }) => {
  const { view, ops } = await summary(page);
  assert.deepEqual([view.step, view.steps, ops], [1, 3, 39]);
  assert.match(await switchText(page), /^Step 1, one of 3, step009/);
  assert.match(await page.$eval('.legend .scope-name', (name) => name.title), /list separate runs, so one is shown at a time/);
  await openTab(page);
  const rows = await rowsOf(page);
  assert.deepEqual(rows.map((row) => row.find((cell) => cell.startsWith('step0'))), ['step009', 'step019', 'step029']);
  assert.match(await page.$eval('.step-facts', (facts) => facts.innerText), /Step 1 · step009.*\n[^]*recorded\s+2026-11-20 \d\d:\d\d:\d\d\.677 UTC/);
  await page.keyboard.press('e');
  await untilStep(page, null);
  assert.equal((await summary(page)).ops, 117);
});

onPage('a run without ops is listed, says why it cannot be shown, and can be read about', async ({ page }) => {
  await openFiles(page, fixture('containers/events.out.tfevents.1795196999.host'), fixture('containers/events.out.tfevents.1795197000.tf2'));
  assert.match(await switchText(page), /^Step 1, one of 3/);
  await openTab(page);
  const row = await page.waitForSelector('#panel-steps tbody tr:nth-of-type(4)');
  assert.match(await row.evaluate((row) => row.innerText), /fn\b.*\bno ops/s);
  const heard = await listen(page);
  await row.click();
  await until(page, () => document.querySelector('.step-facts').innerText.includes('No op was recorded'));
  assert.ok((await heard()).some((words) => words.startsWith('No op was recorded in this run')));
  assert.equal(await shownStep(page), 1);
  assert.match(await page.$eval('.step-facts', (facts) => facts.innerText), /Step 4 · fn.*\n[^]*No op was recorded/);
});

onPage('the address brings a step back, and one without a step brings back all', async ({ page }) => {
  await openBytes(page, 'twelve.pb', TWELVE);
  const whole = await summary(page);
  for (let press = 0; press < 5; press++) await page.keyboard.press('>');
  await untilField(page, 'step', '5');
  await page.keyboard.press('w');
  await untilField(page, 'w');
  const address = await page.evaluate(() => location.hash);
  const shown = await summary(page);
  const seen = await picture(page);
  await page.evaluate(() => location.replace('#'));
  await page.reload();
  await page.evaluate((hash) => history.replaceState(null, '', hash), address);
  await openBytes(page, 'twelve.pb', TWELVE);
  await waitForState(page, 'ready');
  assert.deepEqual(await summary(page), shown);
  assert.ok((await picture(page)) === seen, 'the same picture');
  await page.evaluate((hash) => history.replaceState(null, '', hash), `#k=${whole.ops}.${whole.span_ns}`);
  await openBytes(page, 'twelve.pb', TWELVE);
  assert.deepEqual(await summary(page), whole);
  // A step that is not there is no reason to show nothing.
  await page.evaluate((hash) => history.replaceState(null, '', hash), `#k=${whole.ops}.${whole.span_ns}&step=99&steps=odd`);
  await openBytes(page, 'twelve.pb', TWELVE);
  assert.deepEqual(await summary(page), whole);
});

onPage('a mark stays with its step, and leads back to it', async ({ page }) => {
  await openBytes(page, 'twelve.pb', TWELVE);
  await page.keyboard.press('>');
  await untilStep(page, 1);
  await page.keyboard.press('.');
  await untilField(page, 'op');
  await page.keyboard.press('m');
  await page.keyboard.press('Enter');
  const [note] = [await untilField(page, 'n')];
  await page.keyboard.press('Escape');
  await page.keyboard.press('>');
  await untilField(page, 'step', '2');
  assert.notEqual((await fields(page)).n, note);
  await page.$eval('#tab-marks', (tab) => tab.click());
  await page.waitForSelector('.note-when', { visible: true });
  await page.click('.note-when');
  await untilField(page, 'step', '1');
  assert.equal((await fields(page)).n, note);
});

test('what is shared holds all steps, and opens at the same one', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'steplens-steps-'));
  try {
    const { page } = await visit(browser, site.url);
    await openBytes(page, 'twelve.pb', TWELVE);
    await page.keyboard.press('>');
    await untilStep(page, 1);
    await page.keyboard.press('>');
    await untilField(page, 'step', '2');
    const shown = await summary(page);
    const file = path.join(folder, 'shared.html');
    await writeFile(file, await share(page));
    await page.close();
    const exported = await visit(browser, pathToFileURL(file).href);
    await waitForState(exported.page, 'ready');
    assert.deepEqual(await summary(exported.page), shown);
    await exported.page.keyboard.press('e');
    await untilStep(exported.page, null);
    assert.equal((await summary(exported.page)).ops, 23);
    assert.deepEqual(await exported.faults(), []);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

onPage('of more than 200 steps the critical paths are those of the first 200, and the panel says so', async ({ page }) => {
  const many = (count) => joined(...Array.from({ length: count }, (_, at) => step(START + at * 1100)));
  const sentence = async () => {
    await toTab(page, 'path');
    await until(page, () => document.querySelector('#panel-path .path-choices:not([hidden])'));
    await page.evaluate(() => [...document.querySelectorAll('#panel-path .path-choices button')].find((button) => button.textContent === 'Over steps').click());
    await until(page, () => (document.querySelector('#panel-path .path-over-steps .path-sentence')?.textContent ?? '').includes('step'));
    return page.$eval('#panel-path .path-over-steps .path-sentence', (own) => own.textContent);
  };
  await openBytes(page, 'many.pb', many(203));
  assert.match(await sentence(), / Of the first 200 of 203 steps\.$/);
  assert.equal(await page.$eval('#panel-path .path-over-steps tbody tr:not(.spacer)', (row) => row.innerText.includes('200')), true);
});

onPage('of 200 steps the critical paths are those of all', async ({ page }) => {
  await openBytes(page, 'just.pb', joined(...Array.from({ length: 200 }, (_, at) => step(START + at * 1100))));
  await toTab(page, 'path');
  await until(page, () => document.querySelector('#panel-path .path-choices:not([hidden])'));
  await page.evaluate(() => [...document.querySelectorAll('#panel-path .path-choices button')].find((button) => button.textContent === 'Over steps').click());
  await until(page, () => (document.querySelector('#panel-path .path-over-steps .path-sentence')?.textContent ?? '').includes('step'));
  assert.doesNotMatch(await page.$eval('#panel-path .path-over-steps .path-sentence', (own) => own.textContent), /Of the first/);
});
