// Share hides texts: the file that the dialog makes has none of the trace's names, says so, and keeps every figure.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { faultsOf } from './axe.mjs';
import { chromium } from './browsers.mjs';
import { dataOf } from './shared_page.mjs';
import { ROOT, fixture, serveSite } from './site.mjs';
import { clickButton, openFiles, share, summary, visit, waitForState } from './steplens.mjs';

const program = process.env.STEPLENS_PROGRAM ?? path.join(ROOT, 'target/debug/steplens');
const KEY = '000102030405060708090a0b0c0d0e0f';

let site, folder, browser;
before(async () => {
  site = await serveSite();
  folder = await mkdtemp(path.join(os.tmpdir(), 'steplens-redaction-'));
  browser = await chromium();
});
after(async () => {
  await browser?.close();
  await site?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Every text of a value becomes the same, so that figures are compared. */
const figures = (value) => JSON.parse(JSON.stringify(value, (key, own) => (key === 'files' || typeof own === 'string' ? '' : own)));

test('a shared file has hashes for names, and every figure', async () => {
  const { page, faults } = await visit(browser, site.url);
  await openFiles(page, fixture('ps4w.pb'));
  const shown = await summary(page);
  // The key of every hash is fixed, so that the program can make the same.
  await page.evaluate(() => {
    crypto.getRandomValues = (bytes) => {
      bytes.forEach((_, at) => (bytes[at] = at));
      return bytes;
    };
  });
  const html = await share(page, async (page) => {
    // Nothing is included until somebody decides so.
    assert.equal(await page.$$eval('#share input:checked', (boxes) => boxes.length), 0);
    await page.waitForFunction(() => document.querySelector('.share-examples span')?.textContent.includes('→'));
  });
  assert.deepEqual(await faults(), []);
  await page.close();
  const { note, session, around } = dataOf(html);
  const text = session.toString('latin1') + JSON.stringify(note);
  for (const hidden of ['ps4w', 'job:worker', 'job:ps', 'mixed_0', 'tower_0']) assert.ok(!text.includes(hidden), hidden);

  const report = path.join(folder, 'report.html');
  execFileSync(program, ['report', fixture('ps4w.pb'), '--output', report], {
    stdio: 'pipe',
    env: { ...process.env, STEPLENS_REDACTION_KEY: KEY },
  });
  const program_made = dataOf(await readFile(report));
  assert.ok(session.equals(program_made.session), 'page and program write the same session');
  assert.equal(around, program_made.around, 'in the same page');
  assert.equal(note.files[0].name, program_made.note.files[0].name);

  const file = path.join(folder, 'shared.html');
  await writeFile(file, html);
  const { page: shared } = await visit(browser, pathToFileURL(file).href);
  await waitForState(shared, 'ready');
  const after = await summary(shared);
  assert.deepEqual(figures(after), figures(shown));
  assert.ok(JSON.stringify(after.files).includes('redacted'), 'the file says that it is redacted');
  await shared.close();
});

test('who wants to share a part is led to where it is chosen', async () => {
  const { page, faults } = await visit(browser, site.url);
  await openFiles(page, fixture('ps4w.pb'));
  await clickButton(page, 'Share');
  await page.waitForSelector('#share[open]');
  await page.$$eval('#share button', (buttons) => buttons.find(({ textContent }) => textContent.startsWith('Open a subset')).click());
  await page.waitForSelector('dialog[open]:not(#share)');
  assert.deepEqual(await faults(), []);
  await page.close();
});

test('a file in which a hidden word is found is not offered', async () => {
  const { page } = await visit(browser, site.url);
  await openFiles(page, fixture('ps4w.pb'));
  await page.evaluate(() => {
    const { text } = Blob.prototype;
    Blob.prototype.text = async function () {
      return (await text.call(this)).replace('"view":"', '"view":"q=tower_0&');
    };
  });
  await clickButton(page, 'Share');
  await page.waitForFunction(() => document.querySelector('#share .share-size')?.textContent.includes('Not offered'));
  assert.match(await page.$eval('#share .share-size', (element) => element.textContent), /“tower_0”/);
  assert.ok(await page.$eval('#share .primary', (save) => save.disabled));
  // Once it is included, it may be there.
  await page.click('#share input[name=share-names]');
  await page.waitForFunction(() => document.querySelector('#share .share-size').textContent.includes('MiB'));
  await page.click('#share input[name=share-names]');
  await page.close();
});

test('the boxes work by keyboard, on a phone, for everybody', async () => {
  const { page } = await visit(browser, site.url);
  await page.setViewport({ width: 390, height: 844 });
  await openFiles(page, fixture('mnist-adam.pb'));
  const html = await share(page, async (page) => {
    await page.waitForFunction(() => document.querySelector('.share-examples span')?.textContent.includes('→'));
    const { wide, view } = await page.$eval('#share', (dialog) => ({
      wide: dialog.scrollWidth - dialog.clientWidth,
      view: dialog.getBoundingClientRect().right - innerWidth,
    }));
    assert.ok(wide <= 0 && view <= 0, `${wide} px too wide, ${view} px out of sight`);
    assert.deepEqual(await faultsOf(page), []);
    await page.focus('#share input[name=share-names]');
    await page.keyboard.press('Space');
    await page.waitForFunction(() => !document.querySelector('.share-examples span')?.textContent.includes('→'));
    assert.equal(await page.evaluate(() => document.activeElement.name), 'share-names');
  });
  const names = dataOf(html).session.toString('latin1');
  assert.ok(names.includes('Adam') && !names.includes('mnist-adam.pb'));
  // The choice is kept.
  await page.reload();
  await openFiles(page, fixture('mnist-adam.pb'));
  await share(page, async (page) => {
    assert.deepEqual(await page.$$eval('#share input:checked', (boxes) => boxes.map(({ name }) => name)), ['share-names']);
  });
  await page.close();
});
