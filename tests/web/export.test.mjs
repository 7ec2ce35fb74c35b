// Share: one file that opens from disk and from any host, asks for nothing, and shows the same trace, in Chromium and in Firefox.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { chromium, firefox } from './browsers.mjs';
import { fragment, picture } from './canvas.mjs';
import { runMetadata } from './run_metadata.mjs';
import { dataOf } from './shared_page.mjs';
import { ROOT, fixture, serveSite } from './site.mjs';
import { chooseBytes, openFiles, share, summary, textOfPage, visit, waitForReady, waitForState } from './steplens.mjs';

const HOSTILE = '</script><!--<script><img src=x onerror=alert(1)>';

/** The program, which `cargo xtask test` builds with this page inside. */
const program = process.env.STEPLENS_PROGRAM ?? path.join(ROOT, 'target/debug/steplens');

let site;
let folder;
/** What is in `folder`, from a host. */
let host;
before(async () => {
  site = await serveSite();
  folder = await mkdtemp(path.join(os.tmpdir(), 'steplens-export-'));
  host = await serveSite(folder);
});
after(async () => {
  await site?.close();
  await host?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Opens the bytes of an export, as a file on disk unless it is `from` elsewhere, and demands that it stays within itself. */
async function openExport(browser, bytes, body, { from = pathToFileURL(`${folder}/`).href } = {}) {
  await writeFile(path.join(folder, 'shared.html'), bytes);
  const url = `${from}shared.html`;
  const visited = await visit(browser, url);
  assert.equal(await visited.page.evaluate(() => document.characterSet), 'UTF-8');
  const dialogs = [];
  visited.page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  await waitForState(visited.page, 'ready');
  await body(visited.page);
  assert.deepEqual(await visited.faults(), []);
  assert.deepEqual(visited.requests.filter((asked) => asked.split('#')[0] !== url && !/^(blob|data):/.test(asked)), [], 'requests');
  assert.deepEqual(dialogs, []);
  await visited.page.close();
}

for (const [name, start] of Object.entries({ Chromium: chromium, Firefox: firefox })) {
  test(`${name} opens a file, shares it, and opens what it shared`, async () => {
    const browser = await start();
    try {
      const { page, faults } = await visit(browser, site.url);
      await openFiles(page, fixture('ps4w.pb'));
      const shown = await summary(page);
      const bytes = await share(page);
      assert.deepEqual(await faults(), []);
      await page.close();
      await openExport(browser, bytes, async (page) => assert.deepEqual(await summary(page), shown), { from: host.url });
      await openExport(browser, bytes, async (exported) => {
        assert.deepEqual(await summary(exported), shown);
        const again = await share(exported);
        // While it was open its title was that of the trace.
        assert.deepEqual(textOfPage(again).match(/<title>.*?<\/title>/g), textOfPage(bytes).match(/<title>.*?<\/title>/g));
        await openExport(browser, again, async (page) => assert.deepEqual(await summary(page), shown, 'an export of an export'));
      });
    } finally {
      await browser.close();
    }
  });
}

test('an export shows the view it was made with', async () => {
  const browser = await chromium();
  try {
    const { page } = await visit(browser, site.url);
    await openFiles(page, fixture('mnist-adam.pb'));
    const whole = await picture(page);
    const view = fragment(await summary(page), 100_000, 900_000);
    await page.close();
    const viewed = await visit(browser, `${site.url}${view}`);
    await openFiles(viewed.page, fixture('mnist-adam.pb'));
    const part = await picture(viewed.page);
    assert.notEqual(part, whole);
    const bytes = await share(viewed.page);
    await viewed.page.close();
    await openExport(browser, bytes, async (exported) => {
      await exported.waitForFunction((part) => document.querySelector('canvas.lanes').toDataURL() === part, {}, part);
    });
  } finally {
    await browser.close();
  }
});

/** The page has the verdict with its findings, and asks the doctor by itself: wasm.test.mjs compares both with the program's. */
function withoutVerdict({ verdict, verdict_main, verdict_figures, doctor, ...summary }) {
  assert.ok(verdict.length > 0 && verdict_figures.length_ns > 0);
  assert.ok(doctor === undefined || doctor.length > 0);
  return summary;
}

for (const [name, start] of Object.entries({ Chromium: chromium, Firefox: firefox })) {
  test(`${name} opens what the program's report writes`, async () => {
    const report = path.join(folder, 'report.html');
    execFileSync(program, ['report', fixture('multidev.pb'), '--include', 'all', '--communication', 'MatMul', '--output', report], { stdio: 'pipe' });
    const printed = withoutVerdict(JSON.parse(execFileSync(program, ['summary', fixture('multidev.pb'), '--communication', 'MatMul', '--json'], { encoding: 'utf8' })));
    printed.files[0].name = 'multidev.pb';
    const browser = await start();
    try {
      await openExport(browser, await readFile(report), async (page) => assert.deepEqual(await summary(page), printed));
    } finally {
      await browser.close();
    }
  });
}

test('a report opens at the step and with the corrections that the program was given, and so does one of a session', async () => {
  const files = ['ps4w.pb', 'ps4w-later.pb'];
  const options = ['--step', '2', '--clocks', 'estimated', '--communication', 'MatMul'];
  const ask = (...given) => execFileSync(program, given, { cwd: fixture('.'), encoding: 'utf8' });
  const printed = withoutVerdict(JSON.parse(ask('summary', ...files, ...options, '--json')));
  const [report, session] = ['of-step.html', 'of-step.steplens'].map((name) => path.join(folder, name));
  ask('report', ...files, ...options, '--include', 'all', '--output', report);
  const browser = await chromium();
  try {
    const { page } = await visit(browser, pathToFileURL(report).href);
    await waitForState(page, 'ready');
    assert.deepEqual(await summary(page), printed);
    await page.close();
    // The view of a session goes along, too.
    const view = 'k=8202.805456734&step=2&clocks=estimated&n=500000000,500000010,mine';
    ask('export', ...files, '--format', 'session', '--view', view, '--communication', 'MatMul', '--output', session);
    ask('report', session, '--include', 'all', '--output', report);
    const { page: again } = await visit(browser, pathToFileURL(report).href);
    await waitForState(again, 'ready');
    assert.deepEqual(await summary(again), printed);
    assert.equal(dataOf(await readFile(report)).note.view, view);
    await again.close();
  } finally {
    await browser.close();
  }
});

for (const [name, start] of Object.entries({ Chromium: chromium, Firefox: firefox })) {
  test(`${name} opens a page that was shared as a file, as it was left`, async () => {
    const browser = await start();
    try {
      const { page, faults } = await visit(browser, site.url);
      await openFiles(page, fixture('multidev.pb'));
      const shown = await summary(page);
      const copy = path.join(folder, 'to-open.html');
      await writeFile(copy, await share(page));
      await openFiles(page, fixture('ps4w.pb'));
      await openFiles(page, copy);
      assert.deepEqual(await summary(page), shown);
      assert.deepEqual(await faults(), []);
    } finally {
      await browser.close();
    }
  });
}

test('hostile names stay text in an export', async () => {
  const browser = await chromium();
  try {
    const { page } = await visit(browser, site.url);
    const bytes = runMetadata([{ device: `/device:${HOSTILE}`, ops: [{ name: HOSTILE, label: HOSTILE, start: 1000, end: 2000 }] }]);
    await waitForReady(page, () => chooseBytes(page, [{ name: `${HOSTILE}.pb`, bytes }]));
    const shared = await share(page);
    assert.ok(!textOfPage(shared).includes('<img'), 'the file name is escaped');
    await page.close();
    await openExport(browser, shared, async (exported) => {
      const shown = await summary(exported);
      assert.equal(shown.files[0].name, `${HOSTILE}.pb`);
      assert.equal(shown.devices[0].name, `/device:${HOSTILE}`);
      assert.equal(await exported.$$eval('img', (images) => images.length), 0);
    });
  } finally {
    await browser.close();
  }
});
