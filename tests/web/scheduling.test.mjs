// The tab Scheduling in Chromium: its tables say what the core says, follow to ops, and take a number of threads.

import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { faultsOf } from './axe.mjs';
import { open } from './core.mjs';
import { toTab, untilField, untilRead } from './hands.mjs';
import { runMetadata } from './run_metadata.mjs';
import { fixture } from './site.mjs';
import { onPage, onTrace } from './stage.mjs';
import { chooseBytes, clickButton, openFiles, waitForReady } from './steplens.mjs';

let core;
before(async () => {
  core = await open(fixture('ps4w.pb'));
});
after(() => core?.session.free());

const cells = (page) =>
  page.$$eval('#panel-scheduling .path-right tbody tr:not(.spacer)', (rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent)));
const untilRows = (page, count) =>
  page.waitForFunction((count) => document.querySelectorAll('#panel-scheduling .path-right tbody tr:not(.spacer)').length >= count, {}, count);

onPage('what ops spent before they ran, how many ran at once, and the longest queues', async ({ page }) => {
  const answer = JSON.parse(core.session.scheduling());
  await openFiles(page, fixture('ps4w.pb'));
  await toTab(page, 'scheduling');
  await untilRows(page, answer.by_device.length);
  assert.equal(await page.$eval('#panel-scheduling .path-sentence', (own) => own.textContent), answer.sentence);
  // The longest queue first; a click goes to the op that queued longest.
  const rows = await cells(page);
  assert.equal(rows[0][0], 'ps 0 CPU:0');
  assert.equal(rows.length, answer.by_device.length);
  await page.click('#panel-scheduling .path-right tbody tr:not(.spacer)');
  const first = answer.by_device.reduce((a, b) => (b.parts[1].sum_ns > a.parts[1].sum_ns ? b : a));
  await untilField(page, 'op', String(first.parts[1].most_op));
  assert.deepEqual(await faultsOf(page), []);

  await clickButton(page, 'Longest queues');
  await page.waitForFunction((name) => document.querySelector('#panel-scheduling .path-right tbody tr:not(.spacer)')?.cells[0].textContent === name, {}, answer.latest[0].op.name);
  await clickButton(page, 'Tiny ops');
  await page.waitForSelector('#panel-scheduling [aria-label="Devices"]');
  assert.deepEqual(await faultsOf(page), []);

  // A number of threads turns "queued" into "starved".
  await clickButton(page, 'Ops at once');
  await page.waitForSelector('#panel-scheduling .at-work');
  const said = () => page.$eval('#panel-scheduling .at-work .note', (own) => own.textContent);
  const { queued_ns, queued_at_most_ns, most } = answer.at_work[0];
  const share = ((100 * queued_at_most_ns) / queued_ns).toFixed(1);
  assert.ok((await said()).includes(`at least one more was queued, ${share}\u00a0% of that while ${most} ran`), await said());
  await page.type('#panel-scheduling .threads-field input', '2');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('#panel-scheduling .at-work .note')?.textContent.includes('With 2 threads'));
  const starved = JSON.parse(core.session.scheduling(2)).at_work[0].starved_ns;
  assert.ok((await said()).includes(`${(starved / 1e6).toFixed(1)}\u00a0ms`), await said());
  assert.deepEqual(await faultsOf(page), []);
});

onPage('a device without tiny ops has no row among them', async ({ page }) => {
  const device = (task, length) => ({
    device: `/job:worker/replica:0/task:${task}/device:CPU:0`,
    ops: [0, 1, 2].map((at) => ({ name: `op_${at}`, label: `op_${at} = MatMul(x)`, start: 1000 + 200 * at, end: 1000 + 200 * at + length })),
  });
  await waitForReady(page, () => chooseBytes(page, [{ name: 'tiny.pb', bytes: runMetadata([device(0, 2), device(1, 150)]) }]));
  await toTab(page, 'scheduling');
  await clickButton(page, 'Tiny ops');
  // The table before has devices, too, until the next frame.
  await untilRead(async () => (await cells(page)).map(([name]) => name).join(), (names) => names === 'worker 0 CPU:0');
});

onTrace(fixture('chrome/timeline-concat.ctf.json'), 'a trace that records no scheduling says so', async ({ page }) => {
  await toTab(page, 'scheduling');
  const answer = await open(fixture('chrome/timeline-concat.ctf.json'));
  const known = JSON.parse(answer.session.scheduling());
  answer.session.free();
  assert.deepEqual(known.not_recorded.includes('queue'), true);
  await page.waitForFunction(() => document.querySelector('#panel-scheduling .note:not(.failed-note)')?.textContent.includes('Not recorded here:'));
  assert.deepEqual(await faultsOf(page), []);
});
