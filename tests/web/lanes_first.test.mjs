// The data first: what stands above the timeline folds to a line, and a laptop has at least half of its height for the lanes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from './hands.mjs';
import { layoutFaults } from './layout_faults.mjs';
import { fixture } from './site.mjs';
import { browser, site } from './stage.mjs';
import { openFiles, visit } from './steplens.mjs';

/** A fresh page of this size, as somebody has it who has chosen nothing. */
async function sized(viewport, lang = 'en') {
  const { page } = await visit(browser, site.url, { prepare: `localStorage.clear(); localStorage.setItem('steplens.language', '${lang}')` });
  await page.setViewport(viewport);
  await page.reload();
  await openFiles(page, fixture('ps4w.pb'));
  await page.waitForSelector('.highlight');
  return page;
}

const heightOf = (page, selector) => page.$eval(selector, (own) => own.getBoundingClientRect().height);

for (const lang of ['en', 'zh-CN'])
  for (const [width, height] of [[1280, 720], [1366, 768]])
    test(`${lang}: at ${width}x${height} half of the page is lanes, with the drawer open`, async () => {
      const page = await sized({ width, height }, lang);
      assert.ok(await heightOf(page, 'canvas.lanes') >= height / 2, `${await heightOf(page, 'canvas.lanes')} of ${height}`);
      assert.ok(await heightOf(page, '.panels') > 120);
      assert.ok(await heightOf(page, '.glance') <= 32);
      const rows = await page.$$eval('.device', (rows) => rows.map((row) => row.offsetHeight));
      assert.equal(new Set(rows).size, 1, `${rows}`);
      assert.deepEqual(await layoutFaults(page), []);
      await page.close();
    });

test('what stands above the lanes folds and unfolds by its button and by V, and stays so', async () => {
  const page = await sized({ width: 1600, height: 900 });
  const open = await heightOf(page, 'canvas.lanes');
  await page.click('.overview-fold');
  await until(page, (open) => document.querySelector('canvas.lanes').clientHeight > open + 20, open);
  assert.equal(await page.$eval('.wait-row', (row) => row.checkVisibility()), false);
  assert.equal(await page.$$eval('.highlights > li', (all) => all.filter((one) => one.checkVisibility()).length), 1);
  assert.equal(await page.$eval('.overview-fold', (button) => button.getAttribute('aria-expanded')), 'false');
  await page.setViewport({ width: 1600, height: 700 });
  await page.focus('canvas.lanes');
  await page.keyboard.press('v');
  await until(page, () => document.querySelector('.wait-row').checkVisibility());
  assert.equal(await page.evaluate(() => localStorage.getItem('steplens.overview-folded')), 'no');
  await page.close();
});

test('a window that gets low folds what nobody has folded', async () => {
  const page = await sized({ width: 1600, height: 900 });
  assert.equal(await page.$eval('.wait-row', (row) => row.checkVisibility()), true);
  await page.setViewport({ width: 1600, height: 700 });
  await until(page, () => !document.querySelector('.wait-row').checkVisibility());
  assert.deepEqual(await layoutFaults(page), []);
  await page.close();
});
