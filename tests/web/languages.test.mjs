// The page in another language: chosen by the browser or by hand, whole in every tab, in what the core says, and in what is shared.

import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { test } from 'node:test';
import { faultsOf } from './axe.mjs';
import { toTab } from './hands.mjs';
import { fixture, serveSite } from './site.mjs';
import { browser, site } from './stage.mjs';
import { chooseBytes, openFiles, share, visit, waitForState } from './steplens.mjs';

/** As a browser of a reader of Chinese. */
const readsChinese = () => Object.defineProperty(Navigator.prototype, 'languages', { get: () => ['zh-CN', 'zh', 'en'] });
const HAN = /\p{Script=Han}/u;
const language = (page) => page.evaluate(() => document.documentElement.lang);
const bodyText = (page) => page.evaluate(() => document.body.innerText);

test('a browser that prefers Chinese gets the page in Chinese, every tab of it, and nothing is cut', async () => {
  const { page } = await visit(browser, site.url, { prepare: readsChinese });
  await page.setViewport({ width: 1600, height: 900 });
  assert.equal(await language(page), 'zh-CN');
  assert.match(await page.$eval('.empty h2', (title) => title.textContent), HAN);
  await openFiles(page, fixture('ps4w.pb'));
  await page.waitForSelector('.highlight');
  const tabs = await page.$$eval('[role="tab"][id^="tab-"]', (tabs) => tabs.filter((tab) => !tab.hidden).map((tab) => tab.id));
  assert.ok(tabs.length > 8, tabs.join());
  for (const tab of tabs) {
    await toTab(page, tab.slice(4));
    const panel = await page.$eval(`#${tab}`, (own) => own.getAttribute('aria-controls'));
    await page.waitForFunction((panel) => /\p{Script=Han}/u.test(document.getElementById(panel).innerText), {}, panel);
    const cut = await page.$$eval('button, [role="tab"], th', (all) =>
      all.filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1 && !one.matches('.highlight, .cut-middle, .op-link, tr *')).map((one) => one.textContent),
    );
    assert.deepEqual(cut, [], tab);
  }
  assert.deepEqual(await faultsOf(page), []);
  await page.close();
});

test('what the core says is in the language of the page', async () => {
  const { page } = await visit(browser, site.url, { prepare: readsChinese });
  await chooseBytes(page, [{ name: 'image.png', bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13] }]);
  await page.waitForSelector('#error:not([hidden])');
  const said = await page.$eval('#error', (error) => error.innerText);
  assert.match(said, HAN);
  assert.match(said, /image\.png 是一张 PNG 图片，不是 trace。/);
  await page.close();
});

test('the language is chosen by hand, and kept', async () => {
  const { page } = await visit(browser, site.url);
  assert.equal(await language(page), 'en');
  await page.keyboard.press('?');
  await page.waitForSelector('.help-language select');
  await page.select('.help-language select', 'zh-CN');
  await Promise.all([page.waitForNavigation(), page.click('.help-language button')]);
  assert.equal(await language(page), 'zh-CN');
  assert.match(await bodyText(page), HAN);
  await page.keyboard.press('?');
  await page.waitForSelector('.help-language select');
  await page.select('.help-language select', 'en');
  await Promise.all([page.waitForNavigation(), page.click('.help-language button')]);
  assert.equal(await language(page), 'en');
  assert.doesNotMatch(await bodyText(page), HAN);
  await page.evaluate(() => localStorage.removeItem('steplens.language'));
  await page.close();
});

test('a page without the file of the language is in English', async () => {
  const bare = await serveSite(undefined, { without: 'zh-CN.js' });
  const { page } = await visit(browser, bare.url, { prepare: readsChinese });
  assert.equal(await language(page), 'en');
  await openFiles(page, fixture('multidev.pb'));
  assert.doesNotMatch(await bodyText(page), HAN);
  await page.close();
  await bare.close();
});

test('a shared page has every language in it', async () => {
  const { page } = await visit(browser, site.url);
  await openFiles(page, fixture('multidev.pb'));
  const file = path.join(os.tmpdir(), `steplens-zh-${process.pid}.html`);
  await writeFile(file, await share(page));
  await page.close();
  const { page: shared } = await visit(browser, pathToFileURL(file).href, { prepare: readsChinese });
  await waitForState(shared, 'ready');
  assert.equal(await language(shared), 'zh-CN');
  // Its texts come without the ids of their messages: all are where those of the hosted page are.
  const { page: hosted } = await visit(browser, site.url, { prepare: readsChinese });
  await openFiles(hosted, fixture('multidev.pb'));
  const textsOf = async (page) => {
    await page.waitForFunction(() => /\p{Script=Han}/u.test(document.getElementById('panel-range').innerText));
    // Steps and transfers are counted in their tabs once they are known.
    await page.waitForFunction(() => [...document.querySelectorAll('[role="tab"]')].filter((tab) => /\d/.test(tab.textContent)).length > 1);
    await page.keyboard.press('?');
    await page.waitForSelector('#help[open]');
    return page.$$eval('#help, [role="tab"]', (all) => all.map((one) => one.textContent));
  };
  const texts = await textsOf(hosted);
  assert.ok(texts.filter((text) => HAN.test(text)).length > 10, texts.join());
  assert.deepEqual(await textsOf(shared), texts);
  await hosted.close();
  await shared.close();
  await rm(file);
});
