// The data first: the lanes have most of the window, and what stands above them is little: a verdict, a split, a minimap.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until, untilRest } from './hands.mjs';
import { layoutFaults } from './layout_faults.mjs';
import { fixture } from './site.mjs';
import { browser, site } from './stage.mjs';
import { runMetadata } from './run_metadata.mjs';
import { chooseBytes, openFiles, visit } from './steplens.mjs';

/** A fresh page of this size, as somebody has it who has chosen nothing. */
async function sized(viewport, lang = 'en') {
  const { page } = await visit(browser, site.url, { fresh: true, viewport, prepare: `localStorage.clear(); localStorage.setItem('steplens.language', '${lang}')` });
  await openFiles(page, fixture('ps4w.pb'));
  await page.waitForSelector('.highlight');
  return page;
}

const heightOf = (page, selector) => page.$eval(selector, (own) => own.getBoundingClientRect().height);

/** What a user meets before the first op, and on the first screen: controls, the split and its menus as one, and words. */
const counted = (page) => page.evaluate(() => {
  const isSeen = (own) => {
    const { width, height, top, left } = own.getBoundingClientRect();
    return own.checkVisibility({ visibilityProperty: true }) && !own.matches('.visually-hidden') && width > 0 && height > 0 && top < innerHeight && left < innerWidth;
  };
  const controls = [...document.querySelectorAll('button, input, select, a[href], summary, [role="slider"], [role="separator"]')].filter(isSeen);
  const { top } = document.querySelector('canvas.lanes').getBoundingClientRect();
  const above = controls.filter((own) => own.getBoundingClientRect().bottom <= top + 4);
  return {
    controls: controls.length,
    above: new Set(above.map((own) => own.closest('.legend') ?? own)).size,
    words: document.body.innerText.split(/\s+/).filter(Boolean).length,
  };
});

for (const [lang, most_words] of [['en', 250], ['zh-CN', 250]])
  test(`${lang}: at 1600x900 the first op stands at 150 px, and the lanes have seven tenths of the height`, async () => {
    const page = await sized({ width: 1600, height: 900 }, lang);
    assert.ok(await page.$eval('canvas.lanes', (own) => own.getBoundingClientRect().top) + 3 <= 150);
    assert.ok(await heightOf(page, 'canvas.lanes') >= 0.7 * 900, `${await heightOf(page, 'canvas.lanes')}`);
    const { controls, above, words } = await counted(page);
    assert.ok(above <= 10 && controls <= 45 && words <= most_words, JSON.stringify({ controls, above, words }));
    assert.deepEqual(await layoutFaults(page), []);
    await page.close();
  });

test('several steps, and a GPU of few rows, have as little above the first op', async () => {
  const page = await sized({ width: 1600, height: 900 });
  for (const files of [['ps4w.pb', 'ps4w-later.pb'], ['gpu/kernels.pb']]) {
    await openFiles(page, ...files.map(fixture));
    await until(page, () => document.querySelector('.highlights').textContent !== '' && document.querySelector('.verdict').textContent !== '');
    const { controls, above, words } = await counted(page);
    assert.ok(above <= 10 && controls <= 45 && words <= 250, `${files}: ${JSON.stringify({ controls, above, words })}`);
  }
  assert.equal(await page.$eval('.filter', (own) => own.checkVisibility()), false);
  await page.close();
});

test('letters are larger on a screen of so many pixels that nothing enlarges them', async () => {
  const page = await sized({ width: 3840, height: 2160 });
  const sizeOf = (selector) => page.$eval(selector, (own) => parseFloat(getComputedStyle(own).fontSize));
  assert.deepEqual([await sizeOf('body'), await page.evaluate(() => parseFloat(getComputedStyle(document.documentElement).fontSize))], [15, 12]);
  await page.setViewport({ width: 1600, height: 900 });
  await until(page, () => parseFloat(getComputedStyle(document.body).fontSize) === 12.5);
  await page.close();
});

for (const lang of ['en', 'zh-CN'])
  for (const [width, height] of [[1280, 720], [1366, 768]])
    test(`${lang}: at ${width}x${height} seven tenths of the page are lanes, and a third with a place open, which has eight rows of its table`, async () => {
      const page = await sized({ width, height }, lang);
      assert.ok(await heightOf(page, 'canvas.lanes') >= 0.7 * height, `${await heightOf(page, 'canvas.lanes')} of ${height}`);
      assert.deepEqual(await layoutFaults(page), []);
      for (const tab of ['range', 'table', 'path', 'scheduling', 'transfers', 'memory', 'flame']) {
        await page.$eval(`#tab-${tab}`, (own) => own.click());
        await page.waitForSelector(`#panel-${tab} [role="grid"] tbody tr`, { visible: true });
        await untilRest(page);
        assert.ok(await heightOf(page, 'canvas.lanes') >= height / 3, `${tab}: ${await heightOf(page, 'canvas.lanes')} of ${height}`);
        const rows = await page.$eval(`#panel-${tab} [role="grid"]`, (grid) => {
          const { bottom } = grid.closest('.table-scroll').getBoundingClientRect();
          return (Math.min(bottom, innerHeight) - grid.tHead.getBoundingClientRect().bottom) / 24;
        });
        assert.ok(rows >= 7.99, `${tab}: ${rows} rows`);
        const devices = await page.$$eval('.device', (rows) => rows.map((row) => row.offsetHeight));
        assert.equal(new Set(devices).size, 1, `${devices}`);
        assert.deepEqual(await layoutFaults(page), [], tab);
      }
      assert.deepEqual(await layoutFaults(page), []);
      await page.close();
    });

test('a window as wide as high has op types next to devices', async () => {
  const page = await sized({ width: 900, height: 700 });
  await page.$eval('#tab-range', (own) => own.click());
  const seen = await until(page, () => {
    const rows = [...document.querySelectorAll('.range-part:nth-child(2) tbody tr:not(.spacer)')];
    return rows.filter((own) => own.getBoundingClientRect().bottom <= innerHeight).length;
  });
  assert.ok(await seen.jsonValue() >= 5);
  assert.deepEqual(await layoutFaults(page), []);
  await page.close();
});

test('the verdict folds and unfolds by V, and stays so', async () => {
  const page = await sized({ width: 1600, height: 900 });
  const open = await heightOf(page, 'canvas.lanes');
  await page.focus('canvas.lanes');
  await page.keyboard.press('v');
  await until(page, (open) => document.querySelector('canvas.lanes').clientHeight > open + 40, open);
  assert.equal(await page.$eval('.verdict', (own) => own.checkVisibility()), false);
  assert.equal(await page.$eval('.legend', (own) => own.checkVisibility()), true);
  assert.equal(await page.evaluate(() => localStorage.getItem('steplens.overview-folded')), 'yes');
  await page.keyboard.press('v');
  await until(page, () => document.querySelector('.verdict').checkVisibility());
  assert.equal(await page.evaluate(() => localStorage.getItem('steplens.overview-folded')), 'no');
  await page.close();
});

test('the overview opens by itself where the lanes keep seven tenths of the height, and no lower window has it before somebody opens it', async () => {
  const page = await sized({ width: 1600, height: 1300 });
  for (const [width, height, is_open] of [[1600, 1300, true], [1920, 1080, true], [1920, 900, true], [1600, 1080, false], [1600, 900, false], [1280, 720, false]]) {
    await page.setViewport({ width, height });
    await page.reload();
    await openFiles(page, fixture('ps4w.pb'));
    await page.waitForSelector('.highlight');
    assert.equal(await page.$eval('.drawer', (own) => !own.classList.contains('closed')), is_open, `${width}x${height}`);
    assert.ok(await heightOf(page, 'canvas.lanes') >= 0.7 * height, `${width}x${height}: ${await heightOf(page, 'canvas.lanes')}`);
    if (is_open) await page.waitForSelector('#panel-findings', { visible: true });
    assert.deepEqual(await layoutFaults(page), []);
  }
  // What somebody opens has the height of a place.
  await page.setViewport({ width: 1600, height: 1300 });
  await page.reload();
  await openFiles(page, fixture('ps4w.pb'));
  await page.waitForSelector('#panel-findings', { visible: true });
  const modest = await heightOf(page, '.drawer');
  await page.click('#place-time');
  await until(page, (modest) => document.querySelector('.drawer').offsetHeight > modest + 40, modest);
  await page.close();
});

for (const lang of ['en', 'zh-CN'])
  test(`${lang}: the verdict is whole at every width, and what the legend has no room for is in a menu that counts it`, async () => {
    const { page } = await visit(browser, site.url, { fresh: true, prepare: `localStorage.clear(); localStorage.setItem('steplens.language', '${lang}')` });
    for (const file of ['ps4w.pb', 'gpu/kernels.pb', 'counters/viztracer.json.gz']) {
      await openFiles(page, fixture(file));
      await until(page, () => document.querySelector('.verdict').textContent !== '' && !!document.querySelector('.legend-item .figure')?.textContent);
      for (const by of ['category', 'op_type'])
        for (const width of [390, 900, 1280, 1600]) {
          await page.setViewport({ width, height: 800 });
          await page.$eval(`#color-menu input[value=${by}]`, (own) => own.checked || own.click());
          await page.waitForFunction((by) => document.querySelector('.legend').dataset.by === by && window.steplens.summary() !== null, {}, by);
          await untilRest(page);
          const said = await page.evaluate(() => {
            const { scrollHeight, clientHeight, textContent } = document.querySelector('.verdict-said');
            const labels = [...document.querySelectorAll('.legend-item, .legend-idle')];
            const seen = labels.filter((own) => own.checkVisibility());
            const cut = seen.filter((own) => {
              const holder = own.closest('.part, .legend-items').getBoundingClientRect();
              const { left, right } = own.getBoundingClientRect();
              const name = own.querySelector('.legend-name');
              if (name.textContent.length < 20 && name.scrollWidth > name.clientWidth + 1) return true;
              return left < holder.left - 1 || right > holder.right + 1 || own.scrollWidth > own.clientWidth + 1;
            });
            const more = document.querySelector('.legend-more');
            const counted = more.hidden ? 0 : Number(/\d+/.exec(more.querySelector('button').textContent)[0]);
            const overlap = [...document.querySelectorAll('.legend .menu-holder')].some((own) => seen.some((label) => {
              const [a, b] = [own.getBoundingClientRect(), label.getBoundingClientRect()];
              return a.width > 0 && Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
            }));
            const numberless = seen.filter((own) => own.querySelector('.part-share').textContent === '' && own.parentElement.querySelector(':scope > .note') === null);
            return { numberless: numberless.map((own) => own.textContent), verdict: scrollHeight <= clientHeight + 1 && textContent !== '', cut: cut.map((own) => own.textContent), left_out: labels.length - seen.length - counted, overlap };
          });
          assert.deepEqual(said, { numberless: [], verdict: true, cut: [], left_out: 0, overlap: false }, `${file}, ${by}, ${width} px`);
        }
    }
    await page.setViewport({ width: 900, height: 700 });
    await untilRest(page);
    await page.click('[aria-controls="legend-more"]');
    const items = await page.$$('#legend-more .legend-item');
    assert.ok(items.length > 1);
    await items[0].click();
    await page.waitForFunction((own) => own.getAttribute('aria-pressed') === 'true', {}, items[0]);
    assert.deepEqual(await layoutFaults(page), []);
    await page.close();
  });

test('what was not recorded is hatched, and is not said to be idle: where no kernel was recorded, and on the path', async () => {
  const page = await sized({ width: 1600, height: 900 });
  await until(page, () => document.querySelector('.path-strip:not([aria-valuemax="1"])'));
  const ops = [{ name: 'MatMul', label: 'MatMul = MatMul(a, b)', start: 0, end: 400 }, { name: 'Add', label: 'Add = Add(MatMul)', start: 600, end: 900 }];
  await chooseBytes(page, [{ name: 'dispatched.pb', bytes: runMetadata([{ device: '/job:localhost/replica:0/task:0/device:GPU:0', ops }]) }]);
  await until(page, () => document.querySelector('.legend .part-unknown') !== null && document.querySelector('.device .part-unknown:not([hidden])') !== null);
  const said = await page.$eval('.legend', (own) => own.innerText);
  assert.ok(said.includes('idle or not recorded') && !/idle [\d.]+/.test(said), said);
  assert.match(await page.$eval('.device .split-bar', (own) => own.ariaLabel), /idle or not recorded 22\.2\s%/);
  assert.match(await page.$eval('.legend .part-unknown', (own) => getComputedStyle(own).backgroundImage), /repeating-linear-gradient/);
  // Of CPUs it is known.
  await openFiles(page, fixture('mnist-adam.pb'));
  await until(page, () => document.querySelector('.legend .part-idle') !== null);
  assert.equal(await page.$('.legend .part-unknown'), null);
  await page.close();
});
