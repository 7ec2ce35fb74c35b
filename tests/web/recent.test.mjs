// Recent traces in Chromium: a reload, Back, Forward and a crashed tab bring the trace back at its view; nothing is kept where it must not be.

import assert from 'node:assert/strict';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { test } from 'node:test';
import { fields, toTab, until, untilField, untilRead } from './hands.mjs';
import { DIST, fixture } from './site.mjs';
import { browser, site } from './stage.mjs';
import { clickButton, openFiles, state, summary, visit, waitForReady, waitForState } from './steplens.mjs';

const kept = (page) =>
  page.evaluate(async () => {
    if (!(await indexedDB.databases()).some(({ name }) => name === 'steplens')) return null;
    const database = await new Promise((resolve, reject) => {
      const request = indexedDB.open('steplens');
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    const transaction = database.transaction(['traces', 'sessions']);
    const all = (request) => new Promise((resolve) => (request.onsuccess = () => resolve(request.result)));
    const [traces, sessions] = await Promise.all([all(transaction.objectStore('traces').getAll()), all(transaction.objectStore('sessions').getAllKeys())]);
    database.close();
    return { traces, sessions };
  });

/** Waits until this many traces are kept with their bytes. */
async function untilKept(page, count) {
  const began = Date.now();
  for (;;) {
    const found = await kept(page);
    if (found?.sessions.length === count) return found;
    if (Date.now() - began > 60_000) {
      const names = found?.traces.map(({ name, bytes }) => `${name} of ${bytes} bytes`);
      assert.fail(`kept: ${names}; want ${count}; the page is ${await state(page)} with ${await fileName(page)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const fileName = (page) => page.$eval('.file-name', (element) => element.textContent);
const untilFile = (page, name) => until(page, (name) => document.body.dataset.state === 'ready' && document.querySelector('.file-name').textContent === name, name);

/** A page whose storage is empty. */
async function fresh() {
  const visited = await visit(browser, site.url);
  await visited.page.evaluate(async () => {
    localStorage.clear();
    await new Promise((resolve) => (indexedDB.deleteDatabase('steplens').onsuccess = resolve));
  });
  await visited.page.goto('about:blank');
  await visited.page.goto(site.url, { waitUntil: 'load' });
  return visited;
}

test('a reload shows the same trace at the same view, and so does a tab that crashed', async () => {
  const { page, faults } = await fresh();
  await openFiles(page, fixture('ps4w.pb'));
  await toTab(page, 'transfers');
  await page.focus('canvas.lanes');
  await page.keyboard.press('w');
  await untilField(page, 'w');
  await untilField(page, 'tab', 'transfers');
  const before = await fields(page);
  const { traces } = await untilKept(page, 1);
  assert.equal(traces[0].name, 'ps4w.pb');
  assert.equal(traces[0].ops, 4175);

  await page.reload({ waitUntil: 'load' });
  await waitForState(page, 'ready');
  assert.equal(await fileName(page), 'ps4w.pb');
  assert.deepEqual(await fields(page), before);
  assert.deepEqual(await faults(), []);

  const session = await page.createCDPSession();
  session.send('Page.crash').catch(() => {
    // The page that would answer is gone.
  });
  await new Promise((resolve) => page.once('error', resolve));
  await page.reload({ waitUntil: 'load' });
  await waitForState(page, 'ready');
  assert.equal(await fileName(page), 'ps4w.pb');
  assert.deepEqual(await fields(page), before);
  // What is kept is kept once, however often it is opened.
  assert.equal((await kept(page)).traces.length, 1);
  await page.close();
});

test('Back and Forward lead from trace to trace, the sample too', async () => {
  const { page, faults } = await fresh();
  await openFiles(page, fixture('mnist-adam.pb'));
  await untilKept(page, 1);
  await waitForReady(page, () => clickButton(page, 'Open the sample'));
  const sample = await fileName(page);
  assert.notEqual(sample, 'mnist-adam.pb');
  await page.evaluate(() => history.back());
  await untilFile(page, 'mnist-adam.pb');
  await page.evaluate(() => history.forward());
  await untilFile(page, sample);
  await page.reload({ waitUntil: 'load' });
  await untilFile(page, sample);
  assert.deepEqual(await faults(), []);
  await page.close();
});

test('the list opens, removes and switches off', async () => {
  const { page, faults } = await fresh();
  await openFiles(page, fixture('ps4w.pb'));
  await untilKept(page, 1);
  await openFiles(page, fixture('mnist-adam.pb'));
  await untilKept(page, 2);
  await page.goto('about:blank');
  await page.goto(site.url, { waitUntil: 'load' });
  await page.waitForSelector('.empty .recent-line', { visible: true });
  assert.equal(await state(page), 'empty', 'a new tab opens nothing by itself');
  assert.deepEqual(await page.$$eval('.empty .recent-name', (names) => names.map((name) => name.textContent)), ['mnist-adam.pb', 'ps4w.pb']);
  await waitForReady(page, () => page.click('.empty .recent-line:nth-child(2) .recent-open'));
  assert.equal(await fileName(page), 'ps4w.pb');

  await page.focus('canvas.lanes');
  await page.keyboard.press('w');
  // An address with a view opens the trace that it is a view of.
  await untilField(page, 'k');
  const address = page.url();
  await page.goto('about:blank');
  await page.goto(address, { waitUntil: 'load' });
  await untilFile(page, 'ps4w.pb');

  await page.click('[aria-controls="more-menu"]');
  await page.waitForSelector('#recent-menu', { visible: true });
  await page.click('#recent-menu [aria-label="Remove mnist-adam.pb from the recent traces"]');
  await untilKept(page, 1);
  await page.click('#recent-menu input');
  await untilKept(page, 0);
  await page.reload({ waitUntil: 'load' });
  await page.waitForSelector('.address-note', { visible: true });
  assert.equal(await state(page), 'empty');
  await openFiles(page, fixture('ps4w.pb'));
  assert.equal((await fields(page)).k, new URLSearchParams(new URL(address).hash.slice(1)).get('k'));
  // Longer than it takes to keep a trace while that is on.
  await new Promise((resolve) => setTimeout(resolve, 2500));
  assert.deepEqual((await kept(page)).traces, []);
  assert.deepEqual(await faults(), []);
  await page.close();
});

test('the list opens a trace at the view that it was left at', async () => {
  const { page, faults } = await fresh();
  await openFiles(page, fixture('mnist-adam.pb'));
  await untilKept(page, 1);
  await page.focus('canvas.lanes');
  await page.keyboard.press('w');
  await untilField(page, 'w');
  await untilRead(() => kept(page), ({ traces }) => traces[0].view.includes('w='));
  const before = await fields(page);
  await page.goto('about:blank');
  await page.goto(site.url, { waitUntil: 'load' });
  await page.waitForSelector('.empty .recent-line', { visible: true });
  await waitForReady(page, () => page.click('.empty .recent-open'));
  await untilField(page, 'w', before.w);
  assert.deepEqual(await faults(), []);
  await page.close();
});

test('a recent trace is added to the one that is open', async () => {
  const { page, faults } = await fresh();
  await openFiles(page, fixture('mnist-adam.pb'));
  await untilKept(page, 1);
  const { ops } = await summary(page);
  await openFiles(page, fixture('ps4w.pb'));
  await untilKept(page, 2);
  const before = await summary(page);
  await page.click('[aria-controls="more-menu"]');
  await page.waitForSelector('#recent-menu', { visible: true });
  // Nothing is added to itself.
  const offers = await page.$$eval('#recent-menu .recent-add', (buttons) => buttons.map((button) => button.ariaLabel));
  assert.deepEqual(offers, ['Add mnist-adam.pb to this trace']);
  await waitForReady(page, () => page.click('#recent-menu .recent-add'));
  await untilFile(page, 'ps4w.pb and 1 more');
  await page.focus('canvas.lanes');
  if ((await summary(page)).view.step !== null) await page.keyboard.press('e');
  const { files } = await summary(page);
  assert.deepEqual(files.map((file) => file.ops), [before.ops, ops]);
  assert.deepEqual(await faults(), []);
  await page.close();
});

test('the open trace is compared with a recent one', async () => {
  const { page, faults } = await fresh();
  await openFiles(page, fixture('ps4w-later.pb'));
  await untilKept(page, 1);
  await openFiles(page, fixture('ps4w.pb'));
  await page.click('[aria-controls="more-menu"]');
  await page.waitForSelector('#recent-menu .recent-compare', { visible: true });
  await page.click('#recent-menu .recent-compare');
  await page.waitForFunction(() => document.querySelector('.cmp-sentence')?.textContent.startsWith('B takes '));
  assert.equal((await summary(page)).files[0].name, 'ps4w.pb');
  assert.deepEqual(await faults(), []);
  await page.close();
});

test('a page from disk keeps nothing', async () => {
  const { page } = await visit(browser, pathToFileURL(path.join(DIST, 'steplens.html')).href);
  await openFiles(page, fixture('ps4w.pb'));
  await openFiles(page, fixture('mnist-adam.pb'));
  assert.equal(await fileName(page), 'mnist-adam.pb');
  await new Promise((resolve) => setTimeout(resolve, 2500));
  assert.equal(await page.evaluate(async () => (await indexedDB.databases()).length), 0);
  assert.equal(await page.$eval('#recent-menu', (list) => list.hidden), true);
  await page.close();
});

test('where the browser refuses storage, traces open all the same', async () => {
  const { page, faults } = await visit(browser, site.url, {
    prepare: () => {
      IDBFactory.prototype.open = () => {
        throw new DOMException('refused', 'SecurityError');
      };
    },
  });
  await new Promise((resolve) => setTimeout(resolve, 600));
  await openFiles(page, fixture('ps4w.pb'));
  await new Promise((resolve) => setTimeout(resolve, 2500));
  assert.equal(await state(page), 'ready');
  assert.deepEqual(await faults(), []);
  await page.close();
});
