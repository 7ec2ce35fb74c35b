// The hosted page: that it works without a network after the first visit, and that a link restores a view.

import assert from 'node:assert/strict';
import { cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { chromium, firefox } from './browsers.mjs';
import { fragment, picture } from './canvas.mjs';
import { open } from './core.mjs';
import { metricsOf } from './metrics.mjs';
import { DIST, EVERY_FORMAT, fixture, serveSite } from './site.mjs';
import { clickButton, openFiles, summary, visit, waitForReady } from './steplens.mjs';

/** Files with a hash of what is in them: a folder holds one of each, or a page and a part of it that do not fit. */
const HASHED = [/^app-\w+\.js$/, /^worker-\w+\.js$/, /^later-\w+\.js$/, /^steplens-(?!parquet-)\w+\.wasm$/, /^parquet-\w+\.js$/, /^steplens-parquet-\w+\.wasm$/];

let browser;
before(async () => {
  browser = await chromium();
});
after(async () => {
  await browser?.close();
});

test('the hosted page has one of each file with a hash in its name', async () => {
  const names = await readdir(DIST);
  for (const pattern of HASHED) {
    assert.equal(names.filter((name) => pattern.test(name)).length, 1, `${pattern}: ${names.join(', ')}`);
  }
});

for (const [name, start] of Object.entries({ Chromium: chromium, Firefox: firefox })) {
  test(`${name} says when the later part of the page does not come, and tries again`, async (t) => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'steplens-hosted-'));
    t.after(() => rm(folder, { recursive: true, force: true }));
    await cp(DIST, folder, { recursive: true });
    const later = (await readdir(folder)).find((name) => name.startsWith('later-'));
    await rename(path.join(folder, later), path.join(folder, 'away'));
    const site = await serveSite(folder);
    const other = await start();
    t.after(() => other.close());
    const { page, faults } = await visit(other, site.url, { complete: false });
    await openFiles(page, fixture('mnist-adam.pb'));
    const note = await page.waitForSelector('.panels > .failed-note', { visible: true });
    await clickButton(page, 'Share');
    await page.waitForFunction(() => document.querySelector('#error').dataset.code === 'page-incomplete');
    await page.keyboard.press('?');
    await page.$eval('#error [aria-label="Dismiss"]', (button) => button.click());
    await rename(path.join(folder, 'away'), path.join(folder, later));
    await note.$eval('button', (button) => button.click());
    await page.waitForSelector('.panels > [role="tabpanel"]:not([hidden]) *', { visible: true });
    assert.equal(await note.isVisible(), false);
    await page.keyboard.press('?');
    await page.waitForSelector('#help[open]');
    // The browser, and the page where the user asked for the help, say that the file did not come.
    assert.deepEqual((await faults()).filter((fault) => !/404|dynamically imported module|disallowed MIME type|page-incomplete/.test(fault)), []);
    await site.close();
  });
}

/** Waits until the page's service worker has taken over. */
const untilKept = (page) => page.evaluate(() => navigator.serviceWorker.ready.then(({ active }) => new Promise((resolve) => {
  if (active.state === 'activated') resolve();
  active.addEventListener('statechange', resolve);
})));

test('after the first visit the page needs no network', async () => {
  const site = await serveSite();
  const first = await visit(browser, site.url, { keep: true });
  await untilKept(first.page);
  await site.close();
  const again = await visit(browser, site.url, { keep: true });
  for (const file of EVERY_FORMAT) {
    await openFiles(again.page, file);
    assert.deepEqual((await summary(again.page)).files, (await open(file)).summary.files, file);
  }
  await waitForReady(again.page, () => clickButton(again.page, 'Open the sample'));
  assert.equal((await summary(again.page)).ops, metricsOf('ps4w.pb').ops);
  await first.page.close();
  await again.page.close();
});

test('a tab that is open across a deployment keeps its later scripts, until it is loaded again', async (t) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'steplens-hosted-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await cp(DIST, folder, { recursive: true });
  const site = await serveSite(folder);
  const other = await chromium();
  t.after(() => Promise.all([other.close(), site.close()]));
  const { page } = await visit(other, site.url, { keep: true });
  await untilKept(page);
  const caches_now = () => page.evaluate(() => caches.keys());
  const [before] = await caches_now();
  const later = (await readdir(folder)).find((name) => name.startsWith('later-'));
  // The next build has another name for it, and the host has the files of that build only.
  const worker = await readFile(path.join(folder, 'sw.js'), 'utf8');
  const hash = before.slice('steplens-'.length);
  await rename(path.join(folder, later), path.join(folder, 'later-0123abcd.js'));
  await writeFile(path.join(folder, 'sw.js'), worker.replaceAll(hash, 'another').replaceAll(later, 'later-0123abcd.js'));
  await page.evaluate(() => navigator.serviceWorker.getRegistration().then((registration) => registration.update()));
  // It notes which tabs there are once it takes over.
  await page.waitForFunction(() => caches.match('./tabs-before', { cacheName: 'steplens-another' }).then(Boolean));
  const status = (name) => page.evaluate((name) => fetch(name, { cache: 'reload' }).then(({ status }) => status), name);
  assert.equal(await status(later), 200, 'the host has it no more');
  assert.equal(await status('no-such-file.js'), 404);
  assert.deepEqual((await caches_now()).sort(), [before, 'steplens-another'].sort());
  // Loaded again it is a tab of the new build, and nothing asks for the old one.
  await page.reload();
  await page.waitForFunction(() => caches.keys().then((names) => names.join() === 'steplens-another'));
});

/** Which share of the pixels of two pictures of a canvas differ visibly. */
async function differingPixels(one, other) {
  const page = await browser.newPage();
  const share = await page.evaluate(async (urls) => {
    const [a, b] = await Promise.all(
      urls.map(async (url) => {
        const image = new Image();
        image.src = url;
        await image.decode();
        const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
        canvas.drawImage(image, 0, 0);
        return canvas.getImageData(0, 0, image.width, image.height).data;
      }),
    );
    let differing = a.length === b.length ? 0 : Infinity;
    for (let at = 0; at < a.length; at += 4) if ([0, 1, 2, 3].some((byte) => Math.abs(a[at + byte] - b[at + byte]) > 8)) differing += 4;
    return differing / a.length;
  }, [one, other]);
  await page.close();
  return share;
}

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
  // Marks that were asked for on the way there are drawn up to a fifth of a percent larger or smaller: ops of less than a pixel then
  // cover other parts of two columns. The link itself gives the same picture each time.
  const opened = [];
  for (let time = 0; time < 2; time++) {
    const other = await visit(browser, link);
    await openFiles(other.page, fixture('mnist-adam.pb'));
    // The address is written once the view rests.
    await other.page.waitForFunction((link) => location.href === link, {}, link);
    opened.push(await picture(other.page));
    await other.page.close();
  }
  assert.equal(opened[0], opened[1]);
  const differing = await differingPixels(zoomed, opened[0]);
  assert.ok(differing < 0.002, `${differing * 100} % of the pixels differ`);
  assert.ok((await differingPixels(whole, opened[0])) > 0.02);
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
