// What TensorFlow's host profiler recorded, in Chromium: folded away, counted nowhere, and said of the op whose thread it is.

import assert from 'node:assert/strict';
import { before } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { faultsOf } from './axe.mjs';
import { toTab } from './hands.mjs';
import { fixture } from './site.mjs';
import { onPage } from './stage.mjs';
import { openFiles, summary } from './steplens.mjs';

let queue;
let concurrent;
before(() => {
  const folder = mkdtempSync(join(tmpdir(), 'steplens-'));
  const unpack = (name) => {
    const path = join(folder, name);
    writeFileSync(path, gunzipSync(readFileSync(fixture(`releases/${name}.gz`))));
    return path;
  };
  queue = unpack('queue-1.14.0.pb');
  concurrent = unpack('concurrent-2.2.3.pb');
});

const textOf = (page, selector) => page.$eval(selector, (own) => own.textContent);
const rows = (page) => page.$$eval('.device', (all) => all.map((own) => [own.querySelector('.device-name, .fold')?.textContent ?? '', own.classList.contains('folded')]));

onPage('it is one folded row below the devices, and no figure counts it', async ({ page }) => {
  await openFiles(page, queue);
  const said = await summary(page);
  assert.equal(said.ops, 852);
  assert.equal(said.step.compute_ns, said.devices[0].compute_ns, 'the step bar is the mean of the real devices');
  assert.deepEqual([said.host_profile.joined, said.host_profile.unjoined], [228, 0]);
  assert.match(await textOf(page, 'header'), /852/);
  const shown = await rows(page);
  assert.deepEqual(shown.map(([, folded]) => folded), [false, true]);
  assert.equal(await page.$eval('.device-filter', (own) => own.placeholder), '1 device');
  // Tab Range has a row for each real device.
  assert.ok(!(await textOf(page, '#panel-range')).includes('host profiler'));
  await toTab(page, 'problems');
  await page.waitForFunction(() => document.querySelector('#panel-problems')?.textContent.includes('joined: 228 of 228'));
  assert.deepEqual(await faultsOf(page), []);
});

onPage('unfolded it has the threads, and other runs by themselves; an op says its thread', async ({ page }) => {
  await openFiles(page, concurrent);
  await page.$$eval('.device', (all) => all.at(-1).querySelector('button[aria-expanded]').click());
  await page.waitForFunction(() => document.querySelectorAll('.device.folded').length === 0);
  await page.waitForFunction(() => [...document.querySelectorAll('.group-names')].some((own) => own.textContent.includes('other runs of sessions')));
  const names = await page.$$eval('.group-names', (all) => all.map((own) => own.textContent).join(' '));
  assert.match(names, /tf_Compute \(\d+\)/);
  assert.deepEqual(await faultsOf(page), []);

  // The first of the longest ops was joined: its thread, the kernel on it and the executor's own time stand in its panel.
  await page.focus('#search');
  await page.keyboard.type('gradients/Conv2D_grad/Conv2DBackpropFilter');
  await page.keyboard.press('Enter');
  await toTab(page, 'selection');
  await page.waitForFunction(() => document.querySelector('#panel-selection')?.textContent.includes('On its thread'));
  const panel = await textOf(page, '#panel-selection');
  assert.match(panel, /tf_Compute \(\d+\)/);
  assert.match(panel, /executor≈ \d+ µs/);
  assert.deepEqual(await faultsOf(page), []);
});
