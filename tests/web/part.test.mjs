// Opening a part of what is too large: the line that says what is missing, the dialog, and what opens then.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fromMenu } from './hands.mjs';
import { fixture } from './site.mjs';
import { browser, site } from './stage.mjs';
import { openFiles, summary, visit, waitForReady } from './steplens.mjs';

const OPS = 4175;
const bar = (page) => page.$eval('#part-bar', (element) => (element.hidden ? '' : element.innerText));
const press = (page, root, label) =>
  page.evaluate((root, label) => [...document.querySelectorAll(`${root} button`)].find((button) => button.innerText === label).click(), root, label);
const asked = (page) => page.waitForSelector('#part[open] .part-device');
const rows = (page) =>
  page.$$eval('.part-device', (labels) => labels.map((label) => ({ name: label.title, checked: label.querySelector('input').checked })));

/** Opens the fixture through the page's own interface, with options that no button sets. */
async function openWith(page, options) {
  const bytes = (await readFile(fixture('ps4w.pb'))).toString('base64');
  await page.evaluate(
    async (bytes, options) => {
      const binary = Uint8Array.from(atob(bytes), (char) => char.charCodeAt(0));
      await window.steplens.openBytes('ps4w.pb', binary, options);
    },
    bytes,
    options,
  );
}

test('what does not fit into memory is told, and a part of it opens', async () => {
  const { page, faults } = await visit(browser, site.url);
  await waitForReady(page, () => openWith(page, { memory_bytes: 0 }));
  const first = await summary(page);
  assert.ok(first.ops > 0 && first.ops < OPS);
  const problem = first.files[0].problems.find(({ code }) => code === 'memory-limit');
  assert.equal(problem.count, OPS - first.ops);
  assert.match(await bar(page), new RegExp(`Memory is full: only the first ${first.ops.toLocaleString('en')} of 4,175 ops in the files are shown`));
  await press(page, '#part-bar', 'Open a subset…');
  await asked(page);
  // All devices of the file are there to choose from, those that did not fit among them.
  assert.deepEqual((await rows(page)).map(({ name }) => name.match(/job:(\w+).*task:(\d)/).slice(1).join(' ')), ['ps 0', 'worker 0', 'worker 1', 'worker 2', 'worker 3']);
  // The page's own keys do nothing while the sheet is open.
  await page.keyboard.press('?');
  assert.equal(await page.$('#help[open]'), null);
  await press(page, '#part', 'None');
  assert.equal(await page.$eval('#part button[type=submit]', (button) => button.disabled), true);
  const boxes = await page.$$('.part-device input');
  await boxes[1].click();
  await waitForReady(page, () => press(page, '#part', 'Open subset'));
  const part = await summary(page);
  assert.deepEqual(part.devices.map(({ name }) => name), ['/job:worker/replica:0/task:0/device:CPU:0']);
  assert.equal(part.ops, 749);
  assert.match(await bar(page), /Selected subset: 1 device\. 3,426 ops left out/);
  assert.deepEqual(await faults(), []);
  await page.close();
});

test('a window of time opens from the header, and everything again', async () => {
  const { page, faults } = await visit(browser, site.url);
  await openFiles(page, fixture('ps4w.pb'));
  assert.equal(await bar(page), '');
  const whole = await summary(page);
  await fromMenu(page, '#open-part');
  await asked(page);
  const fields = await page.$$('.part-ms');
  for (const [field, value] of [[fields[0], '100'], [fields[1], '150']]) {
    await field.click({ count: 3 });
    await field.type(value);
  }
  await waitForReady(page, () => press(page, '#part', 'Open subset'));
  const part = await summary(page);
  const left_out = part.files[0].problems.find(({ code }) => code === 'left-out-window').count;
  assert.ok(part.ops > 0 && left_out > 0);
  assert.equal(part.ops + left_out, OPS);
  // Every op of the part overlaps the window: none starts after it, and the first may have begun before.
  const shift = Number(BigInt(part.origin_unix_ns) - BigInt(whole.origin_unix_ns));
  assert.ok(shift < 150e6 && shift + part.span_ns > 100e6);
  assert.match(await bar(page), /Selected subset: 50.00\sms/);
  // The dialog keeps what was chosen, and still knows all of the file.
  await fromMenu(page, '#open-part');
  await asked(page);
  assert.deepEqual(await page.$$eval('.part-ms', (fields) => fields.map((field) => Number(field.value))), [100, 150]);
  await waitForReady(page, () => press(page, '#part', 'Open everything'));
  assert.equal((await summary(page)).ops, OPS);
  assert.equal(await bar(page), '');
  assert.deepEqual(await faults(), []);
  await page.close();
});

test('a part with no op is an error that leads to the choice again', async () => {
  const { page } = await visit(browser, site.url);
  await openWith(page, { devices: 'tpu' }).catch(() => undefined);
  await page.waitForFunction(() => document.querySelector('#error')?.dataset.code === 'nothing-selected');
  await press(page, '#error', 'Open a subset…');
  await asked(page);
  assert.equal((await rows(page)).filter(({ checked }) => checked).length, 5);
  await waitForReady(page, () => press(page, '#part', 'Open subset'));
  assert.equal((await summary(page)).ops, OPS);
  await page.close();
});
