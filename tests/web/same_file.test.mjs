// The file that Share writes is, byte by byte, the one that `steplens report` writes of the same trace, options and view.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { chromium, firefox } from './browsers.mjs';
import { toTab, untilField } from './hands.mjs';
import { ROOT, fixture } from './site.mjs';
import { browser, site } from './stage.mjs';
import { clickButton, openFiles, share, textOfPage, visit, waitForReady, waitForState } from './steplens.mjs';

const program = process.env.STEPLENS_PROGRAM ?? path.join(ROOT, 'target/debug/steplens');
const KEY = '000102030405060708090a0b0c0d0e0f';

let folder;
before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'steplens-same-'));
});
after(() => rm(folder, { recursive: true, force: true }));

/** What the program writes of `files`. */
async function reported(files, ...options) {
  const out = path.join(folder, 'report.html');
  execFileSync(program, ['report', ...files, '--output', out, ...options], { stdio: 'pipe', env: { ...process.env, STEPLENS_REDACTION_KEY: KEY } });
  return readFile(out);
}

const noteOf = (page) => JSON.parse(textOfPage(page).split('id="steplens-export">')[1].split('</script>')[0]);

/** Demands that `page`, which all is included in, is what the program writes of `files`, given the view of the page. */
async function assertReported(page, files, ...options) {
  const { view } = noteOf(page);
  assert.match(view, /^k=\d+\.\d+&/);
  const wanted = await reported(files, '--include', 'all', '--view', view, ...options);
  assertSame(page, wanted);
  return view;
}

function assertSame(page, wanted) {
  const at = page.findIndex((byte, at) => byte !== wanted[at]);
  assert.ok(page.equals(wanted), `${page.length} and ${wanted.length} bytes, other from byte ${at} on: ${around(page, at)} | ${around(wanted, at)}`);
}

const around = (bytes, at) => JSON.stringify(bytes.subarray(Math.max(0, at - 80), at + 80).toString());

for (const [name, start] of Object.entries({ Chromium: chromium, Firefox: firefox })) {
  test(`in ${name}, and again from a shared file`, async () => {
    const browser = await start();
    try {
      for (const file of ['ps4w.pb', 'multidev.pb', 'chrome/mnist-adam.memory.ctf.json.gz']) {
        const { page } = await visit(browser, site.url);
        await openFiles(page, fixture(file));
        const shared = await share(page);
        await page.close();
        const view = await assertReported(shared, [fixture(file)]);
        const copy = path.join(folder, 'shared.html');
        await writeFile(copy, shared);
        const { page: opened } = await visit(browser, pathToFileURL(copy).href);
        await waitForState(opened, 'ready');
        const again = await share(opened);
        await opened.close();
        assert.equal(noteOf(again).view, view);
        // What is in it is called as it was called, and the session as the first file in it.
        assertSame(again, shared);
      }
    } finally {
      await browser.close();
    }
  });
}

test('with patterns, a part of the devices and of the time, and hostile names', async () => {
  const { page } = await visit(browser, site.url);
  await waitForReady(page, async () => {
    const bytes = [...(await readFile(fixture('ps4w.pb')))];
    await page.evaluate((bytes) => window.steplens.openBytes('ps4w.pb', Uint8Array.from(bytes), { communication: ['MatMul', '</script>'], devices: 'task:[01]' }), bytes);
  });
  const shared = await share(page);
  assert.deepEqual(noteOf(shared).options, { communication: ['MatMul', '</script>'], devices: 'task:[01]' });
  const view = await assertReported(shared, [fixture('ps4w.pb')], '--communication', 'MatMul', '--communication', '</script>', '--devices', 'task:[01]');
  await page.close();
  assert.ok(!textOfPage(shared).includes('"</script>'));
  const window = noteOf(await reported([fixture('ps4w.pb')], '--include', 'all', '--window', '1ms..20ms', '--view', view)).options.window_unix_ns;
  assert.equal(BigInt(window[1]) - BigInt(window[0]), 19_000_000n);
});

test('with hashes for names, under one key', async () => {
  const { page } = await visit(browser, site.url);
  await openFiles(page, fixture('ps4w-skewed.pb'));
  // The clocks of a view name tasks.
  await toTab(page, 'clocks');
  await page.waitForSelector('.clocks-table');
  await page.$eval('.clocks-table input[aria-label*="worker 1"], .clocks-table tbody tr:nth-child(3) input', (field) => {
    field.value = '8.3';
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await clickButton(page, 'Apply by hand');
  assert.match(await untilField(page, 'clocks'), /task:/);
  const view = noteOf(await share(page)).view;
  assert.match(view, /(^|&)clocks=[^&]/);
  await page.evaluate(() => {
    crypto.getRandomValues = (bytes) => {
      bytes.forEach((_, at) => (bytes[at] = at));
      return bytes;
    };
  });
  const hidden = await share(page, (page) => page.evaluate(() => [...document.querySelectorAll('#share .part-all button')].at(1).click()));
  await page.close();
  const wanted = await reported([fixture('ps4w-skewed.pb')], '--view', view);
  assertSame(hidden, wanted);
});

test('who waits for a large file sees how far it is, and stops it', async () => {
  const { page, faults } = await visit(browser, site.url);
  const large = path.join(folder, 'large.pb');
  const step = await readFile(fixture('ps4w.pb'));
  // A message after another is another step: 24 of them are 100,200 ops.
  await writeFile(large, Buffer.concat(Array.from({ length: 24 }, () => step)));
  await openFiles(page, large);
  await clickButton(page, 'Share');
  await page.waitForSelector('#share[open]');
  await page.evaluate(() => {
    const bar = document.querySelector('#share progress');
    window.seen = [];
    new MutationObserver(() => window.seen.push(bar.value)).observe(bar, { attributes: true });
    document.querySelector('#share .primary').click();
  });
  await page.waitForFunction(() => window.seen.some((value) => value > 0));
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => document.querySelector('#share progress').hidden);
  assert.equal(await page.$eval('#share .share-size', (size) => size.textContent), 'Stopped. Nothing was saved.');
  assert.ok(await page.$('#share[open]'), 'Esc stops the file first');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Save');
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => document.querySelector('dialog[open]') === null);
  await assertReported(await share(page), [large]);
  assert.deepEqual(await faults(), []);
  await page.close();
});
