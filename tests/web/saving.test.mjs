// Saving for other tools: the page writes the very bytes that the program writes, says how far it is, and can be stopped.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { faultsOf } from './axe.mjs';
import { chromium } from './browsers.mjs';
import { Session } from './core.mjs';
import { keepBlobs, lastOffered, offered, savedBy, testNothingIsCut, untilClosed } from './dialogs.mjs';
import { fields, until, untilField } from './hands.mjs';
import { DIST, ROOT, fixture, serveSite } from './site.mjs';
import { browser, onTrace, openedHere, site } from './stage.mjs';
import { clickButton, openFiles, share, visit, waitForReady, waitForState } from './steplens.mjs';

const program = process.env.STEPLENS_PROGRAM ?? path.join(ROOT, 'target/debug/steplens');
const FORMATS = ['session', 'chrome', 'perfetto', 'timeline', 'run-metadata', 'tfvis', 'tensorflow-tracer', 'csv', 'parquet', 'chakra'];
/** Their blocks are those of the file, which neither the page nor a session keeps. */
const IN_ORDER_OF_FILE = ['timeline', 'run-metadata', 'tfvis', 'tensorflow-tracer'];

let folder;
before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'steplens-saving-'));
});
after(() => rm(folder, { recursive: true, force: true }));

/** What the program writes of `file`. */
async function exported(file, format, ...options) {
  const out = path.join(folder, `program-${path.basename(file)}.${format}.zip`);
  // Perfetto draws arrows by any clocks: the program aligns them unless it is told not to.
  const clocks = format === 'perfetto' ? ['--clocks', 'recorded'] : [];
  execFileSync(program, ['export', file, '--format', format, '--output', out, ...clocks, ...options], { stdio: 'pipe' });
  return readFile(out);
}

/** The view that a session holds: the program is given it, to write the same. */
function viewIn(bytes) {
  const session = new Session([]);
  session.beginFile('saved.steplens');
  session.push(bytes);
  session.endFile();
  session.finish();
  assert.match(session.viewKept(), /(^|&)tab=/);
  return session.viewKept();
}

async function openDialog(page) {
  await page.focus('canvas.lanes');
  await page.keyboard.down('Control');
  await page.keyboard.press('s');
  await page.keyboard.up('Control');
  await page.waitForSelector('#save[open]');
}

async function saved(page, format) {
  await openDialog(page);
  await page.click(`#save input[value=${format}]`);
  const file = await savedBy(page, 'save');
  if (await page.$('#save[open]')) {
    // It stays open where something was left out.
    assert.match(await page.$eval('#save .save-status', (status) => status.innerText), /^Saved .*\n.+/);
    await page.keyboard.press('Escape');
  }
  await untilClosed(page);
  return file;
}

test('every format has the bytes that the program writes', async () => {
  const { page, faults } = await visit(browser, site.url, { prepare: keepBlobs });
  for (const name of ['ps4w.pb', 'mnist-adam.pb']) {
    await openFiles(page, fixture(name));
    const session = path.join(folder, `${name}.steplens`);
    await writeFile(session, await exported(fixture(name), 'session'));
    for (const format of FORMATS) {
      const file = await saved(page, format);
      if (format === 'chakra' && file.name.endsWith('.et')) {
        // One task is one file, which needs no ZIP.
        const out = path.join(folder, 'chakra');
        execFileSync(program, ['export', fixture(name), '--format', format, '--output', out], { stdio: 'pipe' });
        assert.ok(file.bytes.equals(await readFile(path.join(out, 'steplens.0.et'))), `${name} ${format}`);
        continue;
      }
      // A session has the view, too.
      const shown = format === 'session' ? ['--view', viewIn(file.bytes)] : [];
      const wanted = await exported(IN_ORDER_OF_FILE.includes(format) ? session : fixture(name), format, ...shown);
      assert.ok(file.bytes.equals(wanted), `${name} ${format}: ${file.bytes.length} bytes, the program writes ${wanted.length}`);
      const stem = path.basename(name, '.pb');
      const names = { session: `${stem}.steplens`, perfetto: `${stem}.perfetto-trace`, csv: `${stem}.csv.zip`, 'run-metadata': `${stem}.run-metadata.pb` };
      assert.equal(file.name, names[format] ?? file.name);
      assert.ok(file.name.startsWith(`${stem}.`));
    }
  }
  assert.deepEqual(await faults(), []);
  await page.close();
});

test('whoever gets a shared file saves the trace inside, and what was hidden stays hidden', async () => {
  const { page } = await openedHere('', fixture('ps4w.pb'));
  const [whole, hidden] = ['whole.html', 'hidden.html'].map((name) => path.join(folder, name));
  await writeFile(whole, await share(page));
  await page.close();
  const other = await visit(browser, site.url);
  await openFiles(other.page, fixture('ps4w.pb'));
  await writeFile(hidden, await share(other.page, (page) => page.evaluate(() => [...document.querySelectorAll('#share .part-all button')].at(1).click())));
  await other.page.close();

  for (const file of [whole, hidden]) {
    const { page, faults } = await visit(browser, pathToFileURL(file).href, { prepare: keepBlobs });
    await waitForState(page, 'ready');
    await openDialog(page);
    // Its module is no part of the file, which says so.
    assert.equal(await page.$('#save input[value=parquet]'), null);
    assert.match(await page.$eval('#save', (dialog) => dialog.innerText), /The hosted page and the program write Parquet, too: steplens export --format parquet/);
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => document.querySelector('dialog[open]') === null);
    for (const format of ['session', 'chrome', 'perfetto', 'csv']) {
      const { bytes } = await saved(page, format);
      const shown = format === 'session' ? ['--view', viewIn(bytes)] : [];
      if (file === whole) assert.ok(bytes.equals(await exported(fixture('ps4w.pb'), format, ...shown)), `${format} of a shared file`);
      else for (const word of ['tower_0', 'job:worker', 'ps4w', 'mixed_0']) assert.ok(!bytes.includes(word), `${format}: ${word}`);
    }
    assert.deepEqual(await faults(), []);
    await page.close();
  }
});

test('Parquet is loaded when it is first saved, and kept for when there is no network', async (t) => {
  const own = await serveSite();
  const other = await chromium();
  t.after(() => other.close());
  const first = await visit(other, own.url, { keep: true, prepare: keepBlobs });
  await first.page.evaluate(() => navigator.serviceWorker.ready.then(({ active }) => new Promise((resolve) => {
    if (active.state === 'activated') resolve();
    active.addEventListener('statechange', resolve);
  })));
  await openFiles(first.page, fixture('mnist-adam.pb'));
  const of_parquet = () => own.requested.filter((name) => /parquet/.test(name));
  assert.deepEqual(of_parquet(), []);
  const file = await saved(first.page, 'parquet');
  assert.equal(file.name, 'mnist-adam.parquet.zip');
  assert.equal(new Set(of_parquet()).size, 2);
  // A file after another has a memory of its own.
  assert.ok((await saved(first.page, 'parquet')).bytes.equals(file.bytes));
  await own.close();
  const again = await visit(other, own.url, { keep: true, prepare: keepBlobs });
  await openFiles(again.page, fixture('mnist-adam.pb'));
  assert.ok((await saved(again.page, 'parquet')).bytes.equals(file.bytes));
  assert.deepEqual(await first.faults(), []);
});

test('where what packs Parquet does not come, that is said', async () => {
  const without = (await readdir(DIST)).find((name) => /^steplens-parquet-\w+\.wasm$/.test(name));
  const own = await serveSite(DIST, { without });
  const { page } = await visit(browser, own.url, { prepare: keepBlobs });
  await openFiles(page, fixture('mnist-adam.pb'));
  await openDialog(page);
  await page.click('#save input[value=parquet]');
  await page.click('#save .primary');
  await page.waitForFunction(() => document.querySelector('#error').dataset.code === 'page-incomplete');
  assert.match(await page.$eval('#error', (error) => error.innerText), /Not saved[^]*steplens-parquet-\w+\.wasm/);
  // Anything else is saved all the same.
  await page.$eval('#error [aria-label="Dismiss"]', (button) => button.click());
  assert.equal((await saved(page, 'csv')).name, 'mnist-adam.csv.zip');
  await page.close();
  await own.close();
});

test('a large file shows how far it is, can be stopped, and leaves the page usable', async () => {
  const { page, faults } = await visit(browser, site.url, { prepare: keepBlobs });
  const large = path.join(folder, 'large.pb');
  // A message after another is another step: 24 of them are 100,200 ops, so that saving outlasts what is looked at meanwhile, also next to a busy browser.
  const step = await readFile(fixture('ps4w.pb'));
  await writeFile(large, Buffer.concat(Array.from({ length: 24 }, () => step)));
  await openFiles(page, large);
  if ((await page.evaluate(() => window.steplens.summary().ops)) < 100_000) {
    await page.focus('canvas.lanes');
    await page.keyboard.press('e');
    await page.waitForFunction(() => window.steplens.summary().ops > 100_000);
  }
  await openDialog(page);
  await page.click('#save input[value=chrome]');
  await page.click('#save .primary');
  await page.waitForFunction(() => document.querySelector('#save progress:not([hidden])')?.value > 0);
  const shares = [await page.$eval('#save progress', (bar) => bar.value)];
  await page.waitForFunction((before) => document.querySelector('#save progress').value > before, {}, shares[0]);
  assert.match(await page.$eval('#save .figure', (far) => far.textContent), /^\d+\.\d.% · [\d.]+.[KM]iB$/u);
  assert.ok(await page.$eval('#save fieldset', (choice) => choice.disabled));
  // The worker answers between two pieces.
  assert.ok(await page.evaluate(() => window.steplens.summary().ops > 0));
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => document.querySelector('#save progress').hidden);
  assert.match(await page.$eval('#save .save-status', (status) => status.textContent), /^Stopped\. Nothing was saved\.$/);
  assert.ok(await page.$('#save[open]'), 'Esc stops the file first');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Save');
  assert.equal(await offered(page), 0);
  // And then it can be saved after all, as another format.
  await page.click('#save input[value=session]');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => window.offered.length === 1);
  const { bytes } = await lastOffered(page);
  assert.ok(bytes.equals(await exported(large, 'session', '--view', viewIn(bytes))));
  // What is asked during a saving is answered before its end.
  await openDialog(page);
  await page.click('#save input[value=csv]');
  await page.click('#save .primary');
  await page.waitForFunction(() => document.querySelector('#save progress:not([hidden])')?.value > 0);
  await page.click('#save .part-actions .button:not(.primary)');
  await page.keyboard.press('Escape');
  await untilClosed(page);
  await page.focus('canvas.lanes');
  await page.keyboard.press('0');
  assert.equal(await offered(page), 1);
  assert.deepEqual(await faults(), []);
  await page.close();
});

test('another step that is shown meanwhile ends it without a word of failure', async () => {
  const { page, faults } = await visit(browser, site.url, { prepare: keepBlobs });
  await openFiles(page, fixture('ps4w.pb'));
  await openDialog(page);
  await page.click('#save input[value=chrome]');
  // The click and the new opening are one turn of the page: the core has not written much by then.
  const other = [...(await readFile(fixture('mnist-adam.pb')))];
  await waitForReady(page, () =>
    page.evaluate(async (bytes) => {
      document.querySelector('#save .primary').click();
      await window.steplens.openBytes('other.pb', Uint8Array.from(bytes));
    }, other),
  );
  await page.waitForFunction(() => !document.querySelector('#save progress:not([hidden])') || !document.querySelector('#save[open]'));
  assert.equal(await page.evaluate(() => document.body.dataset.state), 'ready');
  assert.deepEqual(await faults(), []);
  await page.close();
});

test('transfers without an arrow are counted, and the page says what to do', async () => {
  const { page } = await visit(browser, site.url, { prepare: keepBlobs });
  await openFiles(page, fixture('ps4w-skewed.pb'));
  await openDialog(page);
  await page.click('#save input[value=chrome]');
  await page.click('#save .primary');
  await page.waitForFunction(() => window.offered.length === 1);
  const status = await page.$eval('#save .save-status', (status) => status.innerText);
  assert.match(status, /^Saved ps4w-skewed\.chrome\.json, .*\n.*[1-9]\d* transfers? without an arrow: .* The tab Clocks/);
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Close');
  await page.keyboard.press('Enter');
  await untilClosed(page);
  await page.close();
});

test('what fails is said in a sentence, and the trace stays', async () => {
  const { page } = await visit(browser, site.url, { prepare: keepBlobs });
  await openFiles(page, fixture('mnist-adam.pb'));
  // What is kept of the trace that was opened is made of blobs, too.
  await until(page, () => document.querySelectorAll('#recent-menu .recent-line').length > 0);
  await page.evaluate(() => {
    window.Blob = class {
      constructor() {
        throw new Error('no room on this disk');
      }
    };
  });
  await openDialog(page);
  await page.click('#save input[value=chrome]');
  await page.click('#save .primary');
  await page.waitForSelector('#error:not([hidden])');
  assert.match(await page.$eval('#error', (error) => error.innerText), /Not saved[^]*no room on this disk/);
  assert.equal(await page.$('dialog[open]'), null);
  assert.ok(await page.evaluate(() => window.steplens.summary().ops > 0));
  await page.close();
});

onTrace(fixture('mnist-adam.pb'), 'the keyboard alone goes from Share to a format, and back', async ({ page }) => {
  await clickButton(page, 'Share');
  await page.waitForSelector('#share[open]');
  await page.focus('#share .save-ways button:nth-child(2)');
  await page.keyboard.press('Enter');
  await page.waitForSelector('#save[open]');
  assert.equal(await page.$('#share[open]'), null);
  assert.equal(await page.evaluate(() => document.activeElement.name), 'save-format');
  const chosen = () => page.$eval('#save input:checked', (box) => box.value);
  await page.keyboard.press('ArrowDown');
  assert.notEqual(await chosen(), 'session');
  while ((await chosen()) !== 'timeline') await page.keyboard.press('ArrowDown');
  assert.match(await page.$eval('#save', (dialog) => dialog.innerText), /The program keeps it: steplens export --format timeline/);
  assert.deepEqual(await faultsOf(page), []);
  await page.keyboard.press('Escape');
  await untilClosed(page);
});

testNothingIsCut('save', openDialog);

test('a saved session opens where it was left, with its marks', async (t) => {
  const first = await visit(browser, site.url, { prepare: keepBlobs });
  await openFiles(first.page, fixture('ps4w.pb'));
  await first.page.focus('canvas.lanes');
  await first.page.keyboard.press('.');
  await untilField(first.page, 'op');
  await first.page.keyboard.press('m');
  await first.page.waitForFunction(() => document.activeElement.matches('.note-field'));
  await first.page.keyboard.type('starts late');
  await first.page.keyboard.press('Enter');
  await first.page.$eval('#tab-network', (tab) => tab.click());
  await untilField(first.page, 'n');
  await untilField(first.page, 'tab', 'network');
  const left = await fields(first.page);
  const session = path.join(folder, 'left.steplens');
  await writeFile(session, (await saved(first.page, 'session')).bytes);
  // A browser that has not seen the trace: nothing but the file says where it was left.
  const other = await chromium();
  t.after(() => other.close());
  const second = await visit(other, site.url);
  await openFiles(second.page, session);
  await untilField(second.page, 'n', left.n);
  assert.deepEqual(await fields(second.page), left);
  assert.deepEqual([await first.faults(), await second.faults()], [[], []]);
  await first.page.close();
});

test('Share says what was saved and where, and calls the file as its trace is called', async () => {
  const { page, faults } = await visit(browser, site.url, { prepare: keepBlobs });
  await openFiles(page, fixture('ps4w.pb'));
  const sharedWith = async (chip) => {
    await clickButton(page, 'Share');
    await page.waitForSelector('#share[open]');
    await page.$$eval('#share .part-all button', (chips, chip) => chips[chip].click(), chip);
    const { name } = await savedBy(page, 'share');
    await untilClosed(page);
    await page.waitForSelector('.status-line', { visible: true });
    return [name, await page.$eval('.status-text', (text) => text.textContent.replaceAll('\u00a0', ' '))];
  };
  const [ALL, NONE] = [0, 1];
  const [name, said] = await sharedWith(ALL);
  assert.equal(name, 'ps4w.steplens.html');
  assert.match(said, /^Saved ps4w\.steplens\.html, [\d.]+ [KM]iB: it is where your browser puts downloads$/);
  assert.equal(await page.$eval('.status-line .button:not(.square)', (button) => button.hidden), true, 'nothing can be taken back');
  await page.focus('canvas.lanes');
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => document.querySelector('.status-line').hidden);
  const [hidden] = await sharedWith(NONE);
  assert.equal(hidden, 'trace.steplens.html', 'a hash says nothing');
  assert.deepEqual(await faultsOf(page), []);
  assert.deepEqual(await faults(), []);
  await page.close();
});

test('the view that Share speaks of is within the step', async () => {
  const { page } = await openedHere('', fixture('ps4w.pb'));
  const span_ms = (await page.evaluate(() => window.steplens.summary().span_ns)) / 1e6;
  await clickButton(page, 'Share');
  await page.waitForSelector('#share[open]');
  const lines = await page.$$eval('#share .share-contents li', (lines) => lines.map((line) => line.textContent.replaceAll('\u00a0', ' ')));
  const length = span_ms.toFixed(1);
  assert.ok(lines.includes(`The view: 0.0 ms to ${length} ms of ${length} ms`), lines.join());
  await page.close();
});
