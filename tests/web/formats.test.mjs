// One core reads every format: the page loads it once, however the host sends it, and what it shares has it, too.

import assert from 'node:assert/strict';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { chromium, firefox } from './browsers.mjs';
import { open } from './core.mjs';
import { builtFile, DIST, EVERY_FORMAT, fixture, serveSite } from './site.mjs';
import { clickButton, errorCode, openFiles, share, summary, visit, waitForReady, waitForState } from './steplens.mjs';

const CORE = builtFile('steplens', 'wasm');
const PB = fixture('mnist-adam.pb');
const CHROME = fixture('chrome/timeline-hook.json');
const TEXT = fixture('containers/mnist-adam.pbtxt');
const XSPACE = fixture('containers/tf2.xplane.pb');

let folder;
before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'steplens-formats-'));
});
after(() => rm(folder, { recursive: true, force: true }));

/** A browser that ends with the test, however the test ends. */
async function started(t, start) {
  const browser = await start();
  t.after(() => browser.close());
  return browser;
}

/** What the page that is open says of its files, and what it should say. */
const filesShown = async (page) => (await summary(page)).files;
const filesOf = async (file) => (await open(file)).summary.files;

/** The page without one of its files. */
async function siteWithout(name) {
  const copy = path.join(folder, `without-${name}`);
  await cp(DIST, copy, { recursive: true });
  await rm(path.join(copy, name));
  return serveSite(copy);
}

for (const [name, start] of Object.entries({ Chromium: chromium, Firefox: firefox })) {
  test(`${name} opens files of every format, one after the other and together, and loads nothing for it but the sample`, async (t) => {
    // A service worker would load each file a second time, for days without a network.
    const site = await serveSite();
    const browser = await started(t, start);
    const { page, faults, requests } = await visit(browser, site.url);
    // Once a trace is open, all that the page needs is there, or asked for.
    await openFiles(page, PB);
    await site.asked(/^later-/);
    const at_start = [site.requested.length, requests.length];
    assert.equal(site.requested.filter((asked) => asked.endsWith(CORE)).length, 1);
    for (const file of EVERY_FORMAT) {
      await openFiles(page, file);
      assert.deepEqual(await filesShown(page), await filesOf(file), file);
    }
    assert.deepEqual([site.requested.length, requests.length], at_start, 'requests');
    await waitForReady(page, () => clickButton(page, 'Open the sample'));
    assert.deepEqual(site.requested.slice(at_start[0]).map((asked) => path.basename(asked)), ['sample.steplens.gz']);
    const other = await visit(browser, site.url);
    await openFiles(other.page, fixture('multidev.pb'), CHROME);
    const { files } = await summary(other.page);
    assert.deepEqual(files.map(({ format }) => format), ['run-metadata', 'chrome-trace']);
    assert.deepEqual([await faults(), await other.faults()], [[], []]);
    await site.close();
  });

  for (const [how, type] of Object.entries({ 'as what it is': 'application/wasm', 'as bytes': 'application/octet-stream', 'with a parameter': 'application/wasm; charset=binary' })) {
    test(`${name} starts the core that a host sends ${how}`, async (t) => {
      const site = await serveSite(DIST, { types: { '.wasm': type } });
      const browser = await started(t, start);
      const { page, faults, warnings } = await visit(browser, site.url);
      await openFiles(page, PB);
      assert.deepEqual(await filesShown(page), await filesOf(PB));
      assert.deepEqual([await faults(), warnings], [[], []]);
      await site.close();
    });
  }

  test(`${name} starts the core where nothing is compiled as it arrives`, async (t) => {
    const site = await serveSite();
    const browser = await started(t, start);
    const page = await browser.newPage();
    await page.evaluateOnNewDocument(() => {
      delete WebAssembly.compileStreaming;
    });
    await page.goto(site.url);
    await openFiles(page, XSPACE);
    assert.deepEqual(await filesShown(page), await filesOf(XSPACE));
    await site.close();
  });

  test(`${name} opens from disk what was shared of other formats, and other formats in it`, async (t) => {
    const site = await serveSite();
    const browser = await started(t, start);
    for (const file of [CHROME, XSPACE]) {
      const { page, faults } = await visit(browser, site.url);
      await openFiles(page, file);
      const shown = await summary(page);
      const shared = path.join(folder, `${path.basename(file)}.html`);
      await writeFile(shared, await share(page));
      const exported = await visit(browser, pathToFileURL(shared).href);
      await waitForState(exported.page, 'ready');
      assert.deepEqual(await summary(exported.page), shown);
      await openFiles(exported.page, TEXT);
      assert.deepEqual(await filesShown(exported.page), await filesOf(TEXT));
      const outside = exported.requests.filter((asked) => asked.split('#')[0] !== pathToFileURL(shared).href && !/^(blob|data):/.test(asked));
      assert.deepEqual([await faults(), await exported.faults(), outside], [[], [], []]);
      await page.close();
      await exported.page.close();
    }
    await site.close();
  });
}

test('once the core is there, every format opens without a network', async (t) => {
  const site = await serveSite();
  const browser = await started(t, chromium);
  const { page } = await visit(browser, site.url);
  await openFiles(page, PB);
  await site.sent(/^later-/);
  await site.close();
  for (const file of EVERY_FORMAT) {
    await openFiles(page, file);
    assert.equal(await errorCode(page), null, file);
  }
});

test('where the core does not load, the page says so', async (t) => {
  const site = await siteWithout(CORE);
  const browser = await started(t, chromium);
  const { page } = await visit(browser, site.url);
  const input = await page.$('#open-file');
  await input.uploadFile(PB);
  await waitForState(page, 'error');
  assert.equal(await errorCode(page), 'page-incomplete');
  assert.match(await page.$eval('#error', (element) => element.innerText), /steplens-\w+\.wasm gave status 404, and not the WebAssembly of the page/);
  await site.close();
});

test('opening can be cancelled while the core is on its way', async (t) => {
  const site = await serveSite(DIST, { held: CORE });
  const browser = await started(t, chromium);
  const { page, faults } = await visit(browser, site.url);
  const input = await page.$('#open-file');
  await input.uploadFile(CHROME);
  await page.waitForFunction(() => document.querySelector('.loading').innerText.includes('Starting'));
  await clickButton(page, 'Cancel');
  await waitForState(page, 'empty');
  assert.equal(await errorCode(page), null, 'cancelling is no error');
  site.release();
  await openFiles(page, fixture('collective.pb'));
  assert.deepEqual(await filesShown(page), await filesOf(fixture('collective.pb')));
  assert.deepEqual(await faults(), []);
  await site.close();
});
