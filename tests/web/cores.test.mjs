// Two cores: the page starts with the lean one, and gets the whole one when a file needs another reader.

import assert from 'node:assert/strict';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { chromium, firefox } from './browsers.mjs';
import { open } from './core.mjs';
import { DIST, fixture, serveSite } from './site.mjs';
import { clickButton, errorCode, openFiles, share, summary, visit, waitForState } from './steplens.mjs';

const WHOLE = 'steplens_whole.bin';
const PB = fixture('mnist-adam.pb');
const CHROME = fixture('chrome/timeline-hook.json');
const TEXT = fixture('containers/mnist-adam.pbtxt');

let folder;
before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'steplens-cores-'));
});
after(() => rm(folder, { recursive: true, force: true }));

/** The page without one of its files. */
async function siteWithout(name) {
  const copy = path.join(folder, `without-${name}`);
  await cp(DIST, copy, { recursive: true });
  await rm(path.join(copy, name));
  return serveSite(copy);
}

/** Opens a file that needs the whole core where there is none, and gives the sentence that says so. */
async function refused(page, file) {
  const input = await page.$('#open-file');
  await input.uploadFile(file);
  // The sentence about an earlier file stands until this one is begun.
  const tells = (name) => document.querySelector('#error[data-code]')?.innerText.includes(name);
  await page.waitForFunction(tells, {}, path.basename(file));
  assert.equal(await errorCode(page), 'reader-elsewhere');
  return page.$eval('#error', (element) => element.innerText);
}

for (const [name, start] of Object.entries({ Chromium: chromium, Firefox: firefox })) {
  test(`${name} opens files of every format, one after the other and together`, async () => {
    const site = await serveSite();
    const browser = await start();
    const { page, faults } = await visit(browser, site.url);
    for (const file of [PB, CHROME, TEXT, fixture('collective.pb'), fixture('chrome/ps4w.ctf.json.gz')]) {
      await openFiles(page, file);
      assert.deepEqual(await summary(page), (await open(file)).summary, file);
    }
    const other = await visit(browser, site.url);
    await openFiles(other.page, fixture('multidev.pb'), CHROME);
    const { files } = await summary(other.page);
    assert.deepEqual(files.map(({ format }) => format), ['run-metadata', 'chrome-trace']);
    assert.deepEqual([await faults(), await other.faults()], [[], []]);
    await browser.close();
    await site.close();
  });
}

test('the whole core is loaded when a file needs it, and once', async () => {
  // The service worker would fetch a copy for days without a network.
  const site = await siteWithout('sw.js');
  const browser = await chromium();
  const { page } = await visit(browser, site.url);
  const loads = () => site.requested.filter((name) => name.endsWith(WHOLE)).length;
  await openFiles(page, PB);
  assert.equal(loads(), 0);
  for (const file of [CHROME, PB, TEXT]) {
    await openFiles(page, file);
    assert.equal(loads(), 1);
  }
  await browser.close();
  await site.close();
});

test('where the whole core does not load, the page says what the file is, and goes on', async () => {
  const site = await siteWithout(WHOLE);
  const browser = await chromium();
  const { page } = await visit(browser, site.url);
  await openFiles(page, PB);
  const before = await summary(page);
  assert.match(await refused(page, CHROME), /timeline-hook\.json: .*got JSON, such as a Chrome trace.*the program `steplens`.*status 404/);
  assert.deepEqual(await summary(page), before);
  await site.close();
  // Without any network not even another worker starts.
  assert.match(await refused(page, TEXT), /mnist-adam\.pbtxt: .*got a RunMetadata as text.*did not load/);
  await openFiles(page, fixture('collective.pb'));
  assert.equal(await errorCode(page), null);
  await browser.close();
});

test('opening can be cancelled while the whole core is on its way', async () => {
  const site = await serveSite(DIST, { never: WHOLE });
  const browser = await chromium();
  const { page, faults } = await visit(browser, site.url);
  await openFiles(page, PB);
  const before = await summary(page);
  const input = await page.$('#open-file');
  await input.uploadFile(CHROME);
  await page.waitForFunction(() => document.querySelector('.loading').innerText.includes('Loading the reader'));
  await clickButton(page, 'Cancel');
  await waitForState(page, 'ready');
  assert.equal(await errorCode(page), null, 'cancelling is no error');
  assert.deepEqual(await summary(page), before);
  await openFiles(page, fixture('collective.pb'));
  assert.deepEqual(await faults(), []);
  await browser.close();
  await site.close();
});

test('an export has no other reader, and says so', async () => {
  const site = await serveSite();
  const browser = await chromium();
  const { page } = await visit(browser, site.url);
  await openFiles(page, CHROME);
  const shown = await summary(page);
  const file = path.join(folder, 'shared.html');
  await writeFile(file, await share(page));
  const exported = await visit(browser, pathToFileURL(file).href);
  await waitForState(exported.page, 'ready');
  assert.deepEqual(await summary(exported.page), shown);
  assert.match(await refused(exported.page, TEXT), /mnist-adam\.pbtxt: .*got a RunMetadata as text.*open it in the hosted page/);
  assert.deepEqual(await summary(exported.page), shown);
  assert.deepEqual(await exported.faults(), []);
  await browser.close();
  await site.close();
});
