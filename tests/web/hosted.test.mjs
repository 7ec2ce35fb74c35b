// The hosted page: how heavy it is, that it works without a network after the first visit, and that a link restores a view.

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { chromium } from './browsers.mjs';
import { fragment, picture } from './canvas.mjs';
import { open } from './core.mjs';
import { metricsOf } from './metrics.mjs';
import { DIST, EVERY_FORMAT, fixture, serveSite } from './site.mjs';
import { clickButton, openFiles, summary, visit, waitForReady } from './steplens.mjs';

/** What the page loads to start. */
const MOST_BYTES = 900_000;
/** Loaded when they are asked for: the sample; the page as one file, for sharing. */
const MOST_ON_DEMAND = {
  'sample.steplens.gz': 100_000,
  'steplens.html': 900_000,
};

let browser;
before(async () => {
  browser = await chromium();
});
after(async () => {
  await browser?.close();
});

test('the page weighs at most 900 KB, compressed', async () => {
  const entries = await readdir(DIST, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
  const sizes = await Promise.all(names.map(async (name) => [name, gzipSync(await readFile(path.join(DIST, name)), { level: 9 }).length]));
  const at_start = sizes.filter(([name]) => !(name in MOST_ON_DEMAND));
  const total = at_start.reduce((sum, [, size]) => sum + size, 0);
  assert.ok(total <= MOST_BYTES, `${total} bytes: ${at_start.map(([name, size]) => `${name} ${size}`).join(', ')}`);
  for (const [name, most] of Object.entries(MOST_ON_DEMAND)) {
    const [, size] = sizes.find(([other]) => other === name);
    assert.ok(size <= most, `${name}: ${size} bytes`);
  }
});

test('after the first visit the page needs no network', async () => {
  const site = await serveSite();
  const first = await visit(browser, site.url);
  await first.page.evaluate(() => navigator.serviceWorker.ready.then(({ active }) => new Promise((resolve) => {
    if (active.state === 'activated') resolve();
    active.addEventListener('statechange', resolve);
  })));
  await site.close();
  const again = await visit(browser, site.url);
  for (const file of EVERY_FORMAT) {
    await openFiles(again.page, file);
    assert.deepEqual((await summary(again.page)).files, (await open(file)).summary.files, file);
  }
  await waitForReady(again.page, () => clickButton(again.page, 'Sample'));
  assert.equal((await summary(again.page)).ops, metricsOf('ps4w.pb').ops);
  await first.page.close();
  await again.page.close();
});

test('a link restores the view', async () => {
  const site = await serveSite();
  const { page } = await visit(browser, site.url);
  await openFiles(page, fixture('mnist-adam.pb'));
  const whole = await picture(page);
  // W zooms in as long as it is held; once the view rests, the address says where it is.
  await page.focus('canvas.lanes');
  await page.keyboard.down('w');
  await page.waitForFunction((whole) => document.querySelector('canvas.lanes').toDataURL() !== whole, {}, whole);
  await page.keyboard.up('w');
  await page.waitForFunction(() => new URLSearchParams(location.hash.slice(1)).has('w'));
  const link = await page.evaluate(() => location.href);
  const zoomed = await picture(page);
  assert.notEqual(zoomed, whole);
  await page.close();
  const other = await visit(browser, link);
  await openFiles(other.page, fixture('mnist-adam.pb'));
  await other.page.waitForFunction((zoomed) => document.querySelector('canvas.lanes').toDataURL() === zoomed, {}, zoomed);
  await other.page.close();
  await site.close();
});

test('a link to another trace does not disturb', async () => {
  const site = await serveSite();
  const { page } = await visit(browser, `${site.url}${fragment({ ops: 1, span_ns: 1 }, 5, 6)}`);
  await openFiles(page, fixture('mnist-adam.pb'));
  const plain = await visit(browser, site.url);
  await openFiles(plain.page, fixture('mnist-adam.pb'));
  assert.equal(await picture(page), await picture(plain.page));
  await page.close();
  await plain.page.close();
  await site.close();
});
