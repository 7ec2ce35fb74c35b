// The critical paths in Chromium: the bar, the tab, and the timeline lit along the path.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { faultsOf } from './axe.mjs';
import { open } from './core.mjs';
import { fixture } from './site.mjs';
import { browser, site } from './stage.mjs';
import { openFiles, visit } from './steplens.mjs';

let core;
before(async () => {
  core = await open(fixture('ps4w.pb'));
});
after(() => core?.session.free());

test('what the step waited for is summed, listed, followed to ops and lit', async () => {
  const path = JSON.parse(core.session.criticalPath());
  const { page } = await visit(browser, site.url);
  await openFiles(page, fixture('ps4w.pb'));

  // The bar comes after the first frame, by itself.
  await page.waitForSelector('.wait-row .split-bar:not(.unknown)');
  const parts = await page.$$eval('.wait-row .part', (parts) => parts.map((part) => part.title));
  assert.equal(parts.length, path.by_category.length);
  assert.match(parts[0], /^queued behind ops: /);

  await page.click('.wait-open');
  await page.waitForSelector('#panel-path .path-sums tbody tr', { visible: true });
  assert.equal(await page.$eval('#panel-path .path-sentence', (own) => own.textContent), path.sentence);
  const rows = () => page.$$eval('#panel-path .path-sums tbody tr', (rows) => rows.map((row) => row.cells[0].textContent));
  assert.equal((await rows()).length, path.by_category.length);
  await page.evaluate(() => [...document.querySelectorAll('#panel-path .path-choices button')].find((button) => button.textContent === 'By device').click());
  await page.waitForFunction((count) => document.querySelectorAll('#panel-path .path-sums tbody tr').length === count, {}, path.by_device.length);

  // A segment selects its op.
  await page.waitForSelector('#panel-path .path-right tbody tr:not(.spacer)');
  await page.click('#panel-path .path-right tbody tr:not(.spacer)');
  await page.waitForFunction((op) => location.hash.includes(`op=${op}`), {}, path.ops[0]);
  assert.deepEqual(await faultsOf(page), []);

  // One key lights the timeline: the rest stands back.
  const ink = () =>
    page.$eval('canvas.lanes', (canvas) => {
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      let sum = 0;
      for (let at = 0; at < data.length; at += 4) sum += Math.max(data[at], data[at + 1], data[at + 2]) - Math.min(data[at], data[at + 1], data[at + 2]);
      return sum;
    });
  const before = await ink();
  await page.focus('canvas.lanes');
  await page.keyboard.press('l');
  await page.waitForSelector('.path-light[aria-pressed="true"]');
  await page.waitForFunction(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true)))));
  const lit = await ink();
  assert.ok(lit < 0.8 * before, `${lit} of ${before}: nothing stands back`);
  await page.keyboard.press('l');
  await page.waitForSelector('.path-light[aria-pressed="false"]');
});
