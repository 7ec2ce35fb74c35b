// At every size of window, in every tab, in both languages: no text is cut, none lies over another, none is outside the window.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchFor, until, untilField } from './hands.mjs';
import { layoutFaults } from './layout_faults.mjs';
import { fixture } from './site.mjs';
import { browser, site } from './stage.mjs';
import { chooseBytes, openFiles, visit, waitForState } from './steplens.mjs';
import { is_thorough } from './thorough.mjs';

const SIZES = [
  { width: 390, height: 844, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
  { width: 900, height: 700 },
  { width: 1280, height: 720 },
  { width: 1600, height: 900 },
  { width: 3840, height: 2160 },
];
/** The sizes that one page can take one after the other: fingers are there or not from the start. */
const [PHONE, ...WINDOWS] = SIZES;

/** By what a trace shows, its files, and the widths of windows that a quick run looks at it in: each width is among them, and a thorough run takes all. */
const TRACES = {
  'a cluster': { files: ['ps4w.pb'], quick: [900, 3840] },
  'a cluster with clocks that differ': { files: ['ps4w-skewed.pb'], quick: [1280] },
  'two steps': { files: ['ps4w.pb', 'ps4w-later.pb'], quick: [900, 1600] },
  'a GPU': { files: ['gpu/kernels.pb'], quick: [1280, 1600] },
  'a TPU': { files: ['containers/tpu.xplane.pb'], quick: [900, 3840] },
};
const windowsFor = (quick) => WINDOWS.filter(({ width }) => is_thorough || quick.includes(width));

async function sized(viewport, language = 'en', prepare = '') {
  const { page } = await visit(browser, site.url, { viewport, prepare: `localStorage.setItem('steplens.language', '${language}'); ${prepare}` });
  return page;
}

/** Looks at the page in each of `sizes`; `settle` waits until it is laid out. */
async function faultsIn(page, sizes, place, settle = settled) {
  const found = [];
  for (const size of sizes) {
    if (sizes.length > 1) await page.setViewport(size);
    await settle(page);
    found.push(...(await layoutFaults(page)).map((fault) => `${size.width} px: ${place}: ${fault}`));
  }
  return found;
}

const widths = (sizes) => `${sizes.map(({ width }) => width).join(', ')} px`;

/** Answers that come late are there, and laid out. */
async function settled(page) {
  await until(page, () => {
    const panel = document.querySelector('[role=tabpanel]:not([hidden])');
    return panel !== null && panel.textContent !== '' && !panel.textContent.includes('Following every');
  });
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

/** Every tab, and every question of the tab Network. */
async function walk(page, look) {
  const tabs = await page.$$eval('[role=tab][aria-controls^=panel]:not([hidden])', (tabs) => tabs.map(({ id }) => id));
  assert.ok(tabs.length >= 10, `${tabs}`);
  for (const tab of tabs) {
    await page.$eval(`#${tab}`, (tab) => tab.ariaSelected === 'true' || tab.click());
    await settled(page);
    await look(tab);
    if (tab !== 'tab-network') continue;
    for (const question of await page.$$eval('.network-question:not([hidden])', (all) => all.map(({ id }) => id))) {
      await page.$eval(`#${question}`, (question) => question.click());
      await settled(page);
      await look(question);
    }
  }
}

for (const size of SIZES.filter(({ width }) => is_thorough || [390, 900, 3840].includes(width)))
  test(`${size.width} px: empty, error, loading`, async () => {
    const page = await sized(size);
    assert.deepEqual(await layoutFaults(page), [], 'empty');
    await chooseBytes(page, [{ name: 'noise.pb', bytes: new TextEncoder().encode('this is no trace at all') }]);
    await waitForState(page, 'error');
    assert.deepEqual(await layoutFaults(page), [], 'error');
    // A worker that never hears of the file leaves the page loading.
    await page.evaluate(() => {
      Worker.prototype.postMessage = () => {};
    });
    await chooseBytes(page, [{ name: 'long.pb', bytes: new Uint8Array(100) }]);
    await waitForState(page, 'loading');
    assert.deepEqual(await layoutFaults(page), [], 'loading');
    await page.close();
  });

for (const [trace, { files, quick }] of Object.entries(TRACES))
  for (const sizes of [[PHONE], windowsFor(quick)])
    test(`${widths(sizes)}: ${trace}`, async () => {
      const page = await sized(sizes[0]);
      await openFiles(page, ...files.map(fixture));
      const found = [];
      for (const size of sizes) {
        if (size !== sizes[0]) await page.setViewport(size);
        await walk(page, async (place) => found.push(...(await faultsIn(page, [size], place))));
      }
      assert.deepEqual(found, []);
      await page.close();
    });

for (const trace of ['a cluster', 'a GPU'])
  test(`1366 px, the drawer next to the timeline: ${trace}`, async () => {
    const { files } = TRACES[trace];
    const page = await sized({ width: 1366, height: 768 }, 'en', `localStorage.setItem('steplens.drawer-place', 'at-side')`);
    await openFiles(page, ...files.map(fixture));
    const found = [];
    await walk(page, async (place) => found.push(...(await layoutFaults(page)).map((fault) => `${place}: ${fault}`)));
    assert.deepEqual(found, []);
    await page.close();
  });

for (const size of is_thorough ? [PHONE, SIZES[3]] : [PHONE])
  test(`${size.width} px, in Chinese`, async () => {
    const page = await sized(size, 'zh-CN');
    await openFiles(page, fixture('ps4w.pb'));
    assert.equal(await page.evaluate(() => document.documentElement.lang), 'zh-CN');
    const found = [];
    await walk(page, async (place) => found.push(...(await layoutFaults(page)).map((fault) => `${place}: ${fault}`)));
    assert.deepEqual(found, []);
    await page.close();
  });

for (const [language, quick] of [['en', [900, 1600]], ['zh-CN', [390]]])
  for (const sizes of is_thorough ? [[PHONE], WINDOWS] : [SIZES.filter(({ width }) => quick.includes(width))])
    test(`${widths(sizes)}, ${language}: two traces compared`, async () => {
      const page = await sized(sizes[0], language);
      await openFiles(page, fixture('mnist-adam.pb'));
      const found = [];
      const look = async (place) => found.push(...(await faultsIn(page, sizes, place)));
      // Another graph is a reason, and has ops without a partner.
      await (await page.$('#compare-file')).uploadFile(fixture('ps4w.pb'));
      await page.waitForSelector('.cmp-waterfall summary', { visible: true });
      await look('another graph');
      await (await page.$('#compare-file')).uploadFile(fixture('collective.pb'));
      await until(page, () => document.querySelector('.cmp-side.is-b .cmp-name').textContent === 'collective.pb' && document.querySelector('.compare:not(.is-waiting)') !== null);
      await page.$$eval('.cmp-waterfall summary', (bars) => bars.forEach((bar) => bar.click()));
      await page.waitForSelector('.cmp-op-table .op-link', { visible: true });
      await look('the ops of each bar');
      for (const table of await page.$$eval('.cmp-choices [data-table]:not([hidden])', (all) => all.map((own) => own.dataset.table))) {
        await page.$eval(`[data-table="${table}"]`, (own) => own.click());
        await page.waitForSelector(`#${table}-0`);
        await look(table);
      }
      await page.$eval('.cmp-op-table .op-link', (own) => own.click());
      await until(page, () => document.querySelector('.cmp-pair .op-link') !== null);
      await look('a pair');
      assert.deepEqual(found, []);
      await page.close();
    });

/** What opens over the page. */
const OPENED = {
  'the menu, with recent traces': '[aria-controls="more-menu"]',
  'how lanes are shown': '[aria-controls="lanes-menu"]',
  'what colours mean': '[aria-controls="color-menu"]',
  'the columns of a table': '[aria-controls="columns-of-type"]',
  'patterns for communication': '[aria-controls="patterns"]',
  help: '#more-menu > .menu-item:last-child',
  share: '.header .primary',
  'a subset': '#open-part',
};

for (const [language, quick] of [['en', [390, 1600]], ['zh-CN', [900]]])
  for (const size of [SIZES[0], SIZES[1], SIZES[3]].filter(({ width }) => is_thorough || quick.includes(width)))
    test(`${size.width} px, ${language}: what opens over the page`, async () => {
      const page = await sized(size, language);
      await openFiles(page, fixture('ps4w.pb'));
      // The list of recent traces has something to list.
      await until(page, () => document.querySelectorAll('#recent-menu .recent-line').length > 0);
      const found = [];
      const look = async (place) => {
        await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
        found.push(...(await layoutFaults(page)).map((fault) => `${place}: ${fault}`));
      };
      for (const [place, opener] of Object.entries(OPENED)) {
        await page.$eval(opener, (button) => {
          button.scrollIntoView({ block: 'nearest' });
          button.click();
        });
        await until(page, () => document.querySelector('dialog[open], .menu:not([hidden])') !== null);
        await look(place);
        const outside = await page.$eval('dialog[open], .menu:not([hidden])', (own) => {
          const { left, top, right, bottom } = own.getBoundingClientRect();
          return left < 0 || top < 0 || right > innerWidth || bottom > innerHeight;
        });
        assert.ok(!outside, `${place} is outside the window`);
        await page.keyboard.press('Escape');
        await page.$$eval('.menu-holder > [aria-expanded="true"]', (openers) => openers.forEach((opener) => opener.click()));
        await until(page, () => document.querySelector('dialog[open], .menu:not([hidden])') === null);
      }
      await page.focus('canvas.lanes');
      await searchFor(page, '120ms-180ms');
      await look('a typed range');
      await page.keyboard.press('Enter');
      await untilField(page, 'r');
      // A place in time is no search that found nothing.
      assert.equal(await page.$eval('.search-count', (count) => count.textContent), '');
      await page.keyboard.press('Escape');
      await look('a range');
      assert.deepEqual(found, []);
      await page.close();
    });

test('a large window is filled: rows grow, and the drawer with them', async () => {
  const page = await sized(SIZES[4]);
  await openFiles(page, fixture('ps4w.pb'));
  const { rows, lanes, drawer } = await page.evaluate(() => {
    const heightOf = (selector) => document.querySelector(selector).getBoundingClientRect().height;
    const devices = [...document.querySelectorAll('.device')].map((device) => device.getBoundingClientRect());
    return { rows: devices.at(-1).bottom - devices[0].top, lanes: heightOf('canvas.lanes'), drawer: heightOf('.drawer') };
  });
  assert.ok(rows > lanes * 0.8, `rows ${rows} of ${lanes}`);
  assert.ok(drawer > 2160 * 0.3, `drawer ${drawer}`);
  await page.close();
});
