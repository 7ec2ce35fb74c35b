// The accessibility engine axe-core finds nothing in what opens over the page or on demand: menus, dialogs, lists, lit paths, a report on paper.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inTurn } from './axe.mjs';
import { boxOf, searchFor, until, untilField } from './hands.mjs';
import { fixture } from './site.mjs';
import { browser, site } from './stage.mjs';
import { chooseBytes, clickButton, openFiles, visit, waitForReady } from './steplens.mjs';
import { thorough } from './thorough.mjs';

const LOOKS = [
  { name: 'dark', is_first: true, scheme: 'dark', viewport: { width: 1600, height: 900 } },
  { name: 'a phone', scheme: 'light', viewport: { width: 390, height: 844, hasTouch: true, isMobile: true } },
];
thorough(() => LOOKS.push({ name: 'light', scheme: 'light', viewport: { width: 1600, height: 900 } }));

/** A RunMetadata that ends in the middle: ops are lost, and the page says so. */
const CUT_SHORT = async () => {
  const { readFile } = await import('node:fs/promises');
  const bytes = await readFile(fixture('mnist-adam.pb'));
  return [{ name: 'short.pb', bytes: bytes.subarray(0, 12_000) }];
};

const press = (page, selector) => page.$eval(selector, (button) => button.click());
const closed = async (page) => {
  await page.keyboard.press('Escape');
  await page.$$eval('.menu-holder > [aria-expanded="true"]', (openers) => openers.forEach((opener) => opener.click()));
  await until(page, () => document.querySelector('.context-menu, dialog[open], .menu:not([hidden])') === null);
};
const rightClick = (page, selector) =>
  page.$eval(selector, (element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const at = { clientX: left + width / 2, clientY: top + height / 2, button: 2, bubbles: true, cancelable: true };
    element.dispatchEvent(new MouseEvent('contextmenu', at));
  });

const STATES = {
  'the menu of a device': async (page) => {
    await rightClick(page, '[data-device="1"] .device-head');
    await page.waitForSelector('.context-menu');
  },
  'the menu of an op type': async (page) => {
    await closed(page);
    await page.waitForSelector('#panel-range section[aria-label="Op types"] tbody tr:not(.spacer)');
    await rightClick(page, '#panel-range section[aria-label="Op types"] tbody tr:not(.spacer) th');
    await page.waitForSelector('.context-menu');
  },
  'the menu of columns': async (page) => {
    await closed(page);
    await press(page, '[aria-controls="columns-of-type"]');
    await until(page, () => !document.querySelector('#columns-of-type').hidden);
  },
  'what is to be shared': async (page) => {
    await closed(page);
    await clickButton(page, 'Share');
    await page.waitForSelector('#share[open]');
  },
  'what is to be saved for other tools': async (page) => {
    await page.click('#share .save-ways button:nth-child(2)');
    await page.waitForSelector('#save[open]');
  },
  'a picture that is to be saved': async (page) => {
    await page.click('#save .save-ways button:nth-child(3)');
    await page.waitForSelector('#picture[open]');
    await until(page, () => !document.querySelector('#picture .primary').disabled);
  },
  'recent traces': async (page) => {
    await closed(page);
    await until(page, () => !document.querySelector('#recent-menu').hidden);
    await press(page, '[aria-controls="more-menu"]');
    await page.waitForSelector('#recent-menu', { visible: true });
  },
  'colours by op type': async (page) => {
    await closed(page);
    await page.focus('canvas.lanes');
    await press(page, '[aria-controls="color-menu"]');
    await page.waitForSelector('#color-menu input', { visible: true });
    await page.$eval('#color-menu input[value="op_type"]', (by_type) => by_type.click());
    await until(page, () => document.querySelectorAll('.legend-item').length > 4);
  },
  'a filter that matches, with its histogram': async (page) => {
    await closed(page);
    await page.focus('canvas.lanes');
    await searchFor(page, 'type=ReluGrad');
    await page.keyboard.press('Enter');
    await untilField(page, 'q', 'type=ReluGrad');
    await press(page, '#tab-matches');
    await page.waitForSelector('#panel-matches tbody tr:not(.spacer)');
  },
  'why an op is late': async (page) => {
    await closed(page);
    // A worker that is slower than its peers: its row leads to the op where it fell behind.
    await press(page, '#tab-network');
    await page.waitForSelector('.straggler-why .chip', { visible: true });
    await press(page, '.straggler-why .chip');
    await until(page, () => document.querySelector('#panel-selection .why')?.innerText.length > 0);
  },
  'the path lit': async (page) => {
    await page.focus('canvas.lanes');
    await page.keyboard.press('l');
    await until(page, () => document.querySelector('.path-strip').checkVisibility());
  },
  'transfers opened': async (page) => {
    await press(page, '[data-device="1"] .device-transfers');
    await until(page, () => document.querySelector('[data-device="1"] .device-transfers').ariaExpanded === 'true');
  },
  'every question of the network': async (page, look) => {
    await press(page, '#tab-network');
    await page.waitForSelector('.network-question', { visible: true });
    for (const id of await page.$$eval('.network-question:not([hidden])', (all) => all.map(({ id }) => id))) {
      await press(page, `#${id}`);
      await until(page, (id) => document.getElementById(id).ariaSelected === 'true', id);
      await look(id);
    }
  },
  'a report on paper': async (page) => {
    await page.emulateMediaType('print');
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    await page.waitForSelector('.print-report');
  },
  'damage, said across the page': async (page) => {
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    await page.emulateMediaType('screen');
    await waitForReady(page, async () => chooseBytes(page, await CUT_SHORT()));
    await page.waitForSelector('#damage-bar', { visible: true });
  },
};

for (const { name, is_first, scheme, viewport } of LOOKS)
  test(`${name}: what opens on demand`, async () => {
    const faultsOf = inTurn(is_first);
    const { page } = await visit(browser, site.url, { viewport, scheme });
    assert.ok((await boxOf(page, '.empty')).width > 0);
    await press(page, '.record-head .chip:last-child');
    assert.deepEqual(await faultsOf(page), [], 'the empty page, with code for JAX');
    await openFiles(page, fixture('ps4w.pb'));
    for (const [state, arrange] of Object.entries(STATES)) {
      await arrange(page, async (part) => assert.deepEqual(await faultsOf(page), [], part));
      assert.deepEqual(await faultsOf(page), [], state);
    }
    await page.close();
  });
