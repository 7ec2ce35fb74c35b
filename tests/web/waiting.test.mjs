// What a slow network leaves to be seen: at once what is known of what is opened, then how much of Steplens and of the sample has come.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layoutFaults } from './layout_faults.mjs';
import { until } from './hands.mjs';
import { builtFile, fixture, serveSite } from './site.mjs';
import { browser } from './stage.mjs';
import { clickButton, visit, waitForState } from './steplens.mjs';

const figures = (page) => page.$eval('.loading-figures', (own) => own.textContent.replace(/\u00a0/g, ' '));
const share = (page) => page.$eval('.loading .progress', (bar) => Number(bar.getAttribute('aria-valuenow')));

/** The page from a host that stops after half of `held`. */
async function onSlowHost(held, body) {
  const site = await serveSite(undefined, { held, half: true });
  const { page, faults } = await visit(browser, site.url);
  try {
    await page.setViewport({ width: 1280, height: 800 });
    await body({ page, site });
    assert.deepEqual(await faults(), []);
  } finally {
    await page.close();
    await site.close();
  }
}

test('while half of the core is there, the page says what it opens, how large it is, and how much has come', async () => {
  await onSlowHost(builtFile('steplens', 'wasm'), async ({ page, site }) => {
    // Read in the very task in which the file is chosen: nothing is blank first.
    await (await page.$('#open-file')).uploadFile(fixture('ps4w.pb'));
    await waitForState(page, 'loading');
    assert.equal(await page.$eval('.loading-names', (own) => own.textContent), 'ps4w.pb');
    assert.equal(await page.$eval('.loading', (own) => getComputedStyle(own).animationName), 'none');
    assert.ok(await page.$eval('.skeleton', (own) => own.checkVisibility()));
    await until(page, () => document.querySelector('.loading-figures').textContent.includes('Steplens'));
    // The half that the host gives may come in pieces.
    await until(page, () => Number(document.querySelector('.loading .progress').getAttribute('aria-valuenow')) >= 49);
    assert.match(await figures(page), /^Loading Steplens itself: (49|50)\.\d % of \d+\.\d+ MiB$/);
    assert.ok([49, 50].includes(await share(page)));
    assert.deepEqual(await layoutFaults(page), []);
    site.release();
    await waitForState(page, 'ready');
  });
});

test('while half of the sample is there, that is what the bar shows', async () => {
  await onSlowHost('sample.steplens.gz', async ({ page, site }) => {
    await clickButton(page, 'Open the sample');
    await waitForState(page, 'loading');
    await until(page, () => document.querySelector('.loading-figures').textContent.startsWith('Loading the sample'));
    // The half that the host gives may come in pieces.
    await until(page, () => Number(document.querySelector('.loading .progress').getAttribute('aria-valuenow')) >= 49);
    assert.match(await figures(page), /^Loading the sample: \d+\.\d+ KiB$/);
    assert.ok([49, 50].includes(await share(page)));
    site.release();
    await waitForState(page, 'ready');
  });
});

test('until anything has come, the card says the size of the file', async () => {
  const site = await serveSite(undefined, { held: builtFile('steplens', 'wasm') });
  const { page } = await visit(browser, site.url);
  await (await page.$('#open-file')).uploadFile(fixture('ps4w.pb'));
  await waitForState(page, 'loading');
  assert.match(await figures(page), /^Starting · \d+(\.\d+)? [KM]iB$/);
  site.release();
  await waitForState(page, 'ready');
  await page.close();
  await site.close();
});
