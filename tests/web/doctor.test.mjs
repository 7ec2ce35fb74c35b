// What the doctor finds is told with its ops, repaired when asked, marked where it was, and taken back.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { picture } from './canvas.mjs';
import { toTab, until, untilField, untilSpoken } from './hands.mjs';
import { runMetadata } from './run_metadata.mjs';
import { fixture } from './site.mjs';
import { browser, openedHere, site } from './stage.mjs';
import { chooseBytes, summary, visit, waitForReady } from './steplens.mjs';

const START = 1_500_000_000_000_000;
const DAY = 86_400_000_000;
const ops = (start) => Array.from({ length: 20 }, (_, at) => ({ name: `op${at}`, start: start + at * 100, end: start + at * 100 + 90 }));
const CPU = '/job:worker/replica:0/task:0/device:CPU:0';
const PS = '/job:ps/replica:0/task:0/device:CPU:0';

/** A worker with one op that is a day late, and a parameter server that is right. */
const FAR = runMetadata([
  { device: CPU, ops: [...ops(START), { name: 'late', start: START + DAY, end: START + DAY + 50 }] },
  { device: PS, ops: ops(START + 30) },
]);

async function openFar(page, is_repaired = false) {
  await waitForReady(page, () => chooseBytes(page, [{ name: 'far.pb', bytes: FAR }]));
  // An axis that one op stretches over a day shows nothing else: the page turns to why.
  if (!is_repaired) await page.waitForSelector('#tab-problems[aria-selected="true"]');
  // The address may have turned to it already; another click would close the drawer.
  await page.$eval('#tab-problems[aria-selected="false"]', (tab) => tab.click()).catch(() => undefined);
  await page.waitForSelector('[data-finding="far-ops"]');
}

const finding = (page) => page.$eval('[data-finding="far-ops"]', (element) => element.innerText.replace(/\s+/g, ' '));
/** Found and asked in one go: rows are made anew in between. */
const repaired = (page) =>
  page.evaluate(() => [...document.querySelectorAll('.repaired:not([hidden])')].map((mark) => mark.closest('.device, .step-row, .facts').className.split(' ')[0]));

test('a finding is told, repaired, marked everywhere, and taken back', async () => {
  const { page, faults } = await visit(browser, site.url);
  await openFar(page);
  const before = await summary(page);
  assert.deepEqual([before.ops, before.span_ns > 8e13, before.view.repairs], [41, true, []]);
  assert.match(await finding(page), /^1 Times that cannot be far-ops 1 op runs .*worker 0 CPU:0.*late .*Repair Will leave these ops out\.$/);
  assert.match(await page.$eval('.facts', (facts) => facts.innerText), /1 problem/);
  assert.deepEqual(await repaired(page), []);
  // The op can be gone to.
  await page.click('[data-finding="far-ops"] .op-link');
  await untilSpoken(page, /^Selected late/);
  const wrong = await picture(page);
  await page.click('[data-finding="far-ops"] .repair');
  await untilSpoken(page, /repaired$/);
  const after_repair = await summary(page);
  assert.deepEqual([after_repair.ops, after_repair.view.repairs], [40, ['far-ops']]);
  assert.ok(after_repair.span_ns < 1e7);
  assert.deepEqual(after_repair.devices.map((device) => device.repaired), before.devices.map(({ name }) => name === CPU));
  assert.deepEqual((await repaired(page)).sort(), ['device', 'facts', 'step-row']);
  assert.match(await page.$eval('.device .repaired', (mark) => mark.getAttribute('aria-label')), /^Not as recorded\. Repaired: Times that cannot be/);
  assert.match(await page.$eval('.step-row .split-bar', (bar) => bar.getAttribute('aria-label')), /^Whole step, .*, repaired: /);
  assert.equal(await untilField(page, 'fix'), 'far-ops');
  // The op is named still, though it is not there to go to; the button keeps the keyboard.
  await until(page, () => document.querySelector('[data-finding="far-ops"] .op-unlinked')?.textContent === 'late');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Undo');
  assert.ok((await picture(page)) !== wrong);
  // The address brings the repair back.
  const address = await page.evaluate(() => location.hash);
  await page.evaluate((hash) => history.replaceState(null, '', hash), address);
  await openFar(page, true);
  assert.deepEqual(await summary(page), after_repair);
  await page.focus('[data-finding="far-ops"] .repair');
  await page.keyboard.press('Enter');
  await until(page, () => window.steplens.summary().view.repairs.length === 0);
  assert.deepEqual(await summary(page), before);
  await until(page, () => document.querySelectorAll('.repaired:not([hidden])').length === 0);
  assert.deepEqual(await faults(), []);
  await page.close();
});

test('where nothing is wrong nothing is said, or only noted', async () => {
  const { page } = await openedHere('', fixture('ps4w.pb'));
  await toTab(page, 'problems');
  await until(page, () => document.querySelector('.problem-file') !== null);
  assert.equal(await page.$$eval('.finding:not(.is-note)', (findings) => findings.length), 0);
  assert.equal(await page.$$eval('.repair', (buttons) => buttons.length), 0);
  await page.close();
});
