// The core in two parts: together they are the core, the first alone shows a trace, and what needs the second says so when it does not come.

import assert from 'node:assert/strict';
import { cp, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { until } from './hands.mjs';
import { DIST, ROOT, fixture, serveSite } from './site.mjs';
import { browser } from './stage.mjs';
import { openFiles, visit } from './steplens.mjs';

const moduleOf = async (file) => new WebAssembly.Module(await readFile(file));
const laterCore = async (folder) => (await readdir(folder)).find((name) => /^steplens-later-\w+\.wasm$/.test(name));
const namesOf = (module) => WebAssembly.Module.exports(module).map(({ name }) => name);

test('the two parts have every verb of the core once, and the start has those of its list', async () => {
  const whole = await moduleOf(path.join(ROOT, 'www/build/steplens_wasm_bg.wasm'));
  const start = await moduleOf(path.join(DIST, 'steplens.wasm'));
  const later = await moduleOf(path.join(DIST, await laterCore(DIST)));
  // The rest of what the start exports is for the later part only.
  const own = namesOf(start).filter((name) => !name.startsWith('$'));
  assert.deepEqual([...own, ...namesOf(later)].sort(), namesOf(whole).sort());
  const listed = (await readFile(path.join(ROOT, 'crates/steplens-wasm/start_verbs.txt'), 'utf8')).trim().split('\n');
  const verbs = own.filter((name) => name.startsWith('session_')).map((name) => name.slice('session_'.length));
  assert.deepEqual(verbs.sort(), listed.sort());
  const wanted = WebAssembly.Module.imports(later).filter(({ module }) => module === 'start').map(({ name }) => name);
  assert.deepEqual(wanted.filter((name) => !namesOf(start).includes(name)), []);
});

test('without the later part a trace is shown and moved in, what needs it fails aloud, and later it is loaded again', async (t) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'steplens-core-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await cp(DIST, folder, { recursive: true });
  const later = await laterCore(folder);
  await rename(path.join(folder, later), path.join(folder, 'away'));
  const site = await serveSite(folder);
  const { page, faults } = await visit(browser, site.url, { keep: false });
  await openFiles(page, fixture('ps4w.pb'));
  await site.asked(/^steplens-later-\w+\.wasm$/);
  await page.waitForFunction(() => document.querySelector('#error').dataset.code === 'page-incomplete');
  assert.match(await page.$eval('#error', (element) => element.innerText), /steplens-later-\w+\.wasm/);
  await page.$eval('#error [aria-label="Dismiss"]', (button) => button.click());
  const before = await page.evaluate(() => location.hash);
  await page.focus('canvas.lanes');
  await page.keyboard.press('w', { delay: 200 });
  await until(page, (before) => location.hash !== before, before);
  const said = (await faults()).filter((fault) => !/404|page-incomplete/.test(fault));
  await rename(path.join(folder, 'away'), path.join(folder, later));
  await page.$eval('#tab-network', (tab) => tab.click());
  await page.waitForSelector('#panel-network table', { visible: true });
  assert.deepEqual(said, []);
  await page.close();
  await site.close();
});
