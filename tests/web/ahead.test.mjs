// What tabs show when they are first opened is asked ahead, while nobody has a hand on the page.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from './hands.mjs';
import { fixture } from './site.mjs';
import { browser, site } from './stage.mjs';
import { openFiles, visit } from './steplens.mjs';

/** Runs in the page before its script: keeps which questions were asked, and which were answered. */
function listen() {
  window.asked = [];
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (message, ...rest) {
    if (message.query) window.asked.push(message.query);
    return post.call(this, message, ...rest);
  };
}

test('the figures of Network, Memory and Scheduling are there before their tabs are opened, each asked for once', async () => {
  const { page, faults } = await visit(browser, site.url, { ahead: true, prepare: listen });
  await openFiles(page, fixture('ps4w.pb'));
  await until(page, () => ['network', 'memory', 'scheduling'].every((verb) => window.asked.includes(verb)));
  for (const tab of ['network', 'scheduling', 'memory']) {
    await page.$eval(`#tab-${tab}`, (button) => button.click());
    await until(page, (tab) => document.querySelector(`#panel-${tab}`).innerText.length > 40, tab);
    assert.equal(await page.evaluate((verb) => window.asked.filter((one) => one === verb).length, tab), 1);
  }
  assert.deepEqual(await faults(), []);
  await page.close();
});

test('nothing is asked ahead while a hand is on the page', async () => {
  const { page } = await visit(browser, site.url, { prepare: listen });
  await openFiles(page, fixture('ps4w.pb'));
  await until(page, () => document.querySelector('.highlight') !== null);
  // The findings come well after the pause would have been over.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 1500)));
  assert.deepEqual(await page.evaluate(() => window.asked.filter((verb) => ['network', 'memory', 'scheduling'].includes(verb))), []);
  await page.close();
});
