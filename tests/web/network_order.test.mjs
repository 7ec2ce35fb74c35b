// The question of the transfer order in Chromium: figures, the tensors that came late, and the better order for a script.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { faultsOf } from './axe.mjs';
import { open } from './core.mjs';
import { toTab } from './hands.mjs';
import { fixture } from './site.mjs';
import { openedHere, site } from './stage.mjs';

let core;
before(async () => {
  core = await open(fixture('ps4w.pb'));
});
after(() => core?.session.free());

test('the order of transfers is told, followed to ops, and copied', async () => {
  const { order } = JSON.parse(core.session.network());
  const { page } = await openedHere('', fixture('ps4w.pb'));
  await page.browserContext().overridePermissions(new URL(site.url).origin, ['clipboard-read', 'clipboard-write', 'clipboard-sanitized-write']);
  await toTab(page, 'network');
  await page.waitForSelector('#network-order', { visible: true });
  await page.click('#network-order');
  const section = '#network-of-order';
  await page.waitForSelector(section, { visible: true });
  const rows = () => page.$$eval(`${section} tbody`, ([devices]) => [...devices.rows].map((row) => [...row.cells].map((cell) => cell.textContent)));
  const shown = await rows();
  assert.equal(shown.length, order.length);
  shown.forEach(([, parameters, inverted], at) => {
    const { tensors, inversions } = order[at];
    assert.equal(parameters, tensors.toLocaleString('en-US'));
    assert.equal(inverted, inversions === null ? 'fewer than two parameters arrived' : inversions.toLocaleString('en-US'));
  });

  // Another device by keyboard, which keeps the focus.
  const device = order[3];
  await page.$eval(`${section} tr:nth-child(4) button`, (button) => button.focus());
  await page.keyboard.press('Enter');
  await page.waitForFunction((section) => document.querySelector(`${section} tr:nth-child(4) button[aria-pressed="true"]`) === document.activeElement, {}, section);
  const { better, worst, tensors } = device.worst_step;
  assert.equal(await page.$$eval(`${section} .order-dot`, (dots) => dots.length), tensors);

  await page.evaluate(() => navigator.clipboard.writeText(''));
  await page.evaluate((section) => [...document.querySelectorAll(`${section} button`)].find((button) => button.textContent === 'Copy').click(), section);
  await page.waitForFunction(async () => (await navigator.clipboard.readText()) !== '');
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.deepEqual(copied.trimEnd().split('\n'), better.map(({ tensor }) => tensor.replace(/^edge_\d+_/, '')));

  assert.deepEqual(await faultsOf(page), []);

  // What came late, in the timeline.
  const { late } = worst[0];
  await page.evaluate((section, name) => [...document.querySelectorAll(`${section} button`)].find((button) => button.textContent === name).click(), section, late.name);
  await page.waitForFunction((op) => location.hash.includes(`op=${op}`), {}, late.op);
});
