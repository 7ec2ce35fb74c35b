// Share: one file that opens from disk and from any host, asks for nothing, and shows the same trace, in Chromium and in Firefox.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { chromium, firefox } from './browsers.mjs';
import { fragment, picture } from './canvas.mjs';
import { open } from './core.mjs';
import { base85, olderExport, sessionOfVersion1, text128 } from './older_export.mjs';
import { runMetadata } from './run_metadata.mjs';
import { dataOf } from './shared_page.mjs';
import { ROOT, fixture, serveSite } from './site.mjs';
import { chooseBytes, openFiles, share, summary, textOfPage, visit, waitForReady, waitForState } from './steplens.mjs';

const HOSTILE = '</script><!--<script><img src=x onerror=alert(1)>';

/** The page as one file, without a trace. */
const SINGLE = path.join(ROOT, 'dist/steplens.html');

/** The program, which `cargo xtask test` builds with this page inside. */
const program = process.env.STEPLENS_PROGRAM ?? path.join(ROOT, 'target/debug/steplens');

let site;
let folder;
/** What is in `folder`, from a host that says of every page that it is UTF-8. */
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
async function openExport(browser, bytes, body, { from = pathToFileURL(`${folder}/`).href, encoding = 'UTF-16LE' } = {}) {
  await writeFile(path.join(folder, 'shared.html'), bytes);
  const url = `${from}shared.html`;
  const visited = await visit(browser, url);
  assert.equal(await visited.page.evaluate(() => document.characterSet), encoding);
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
      const [{ size: app }, { length: packed }] = await Promise.all([stat(SINGLE), readFile(fixture('ps4w.pb')).then((file) => gzipSync(file, { level: 9 }))]);
      assert.ok(bytes.length - app < packed, `the trace adds ${bytes.length - app} bytes; the file that was opened has ${packed} as gzip`);
      assert.deepEqual(await faults(), []);
      await page.close();
      // The byte order mark comes before what a host says.
      await openExport(browser, bytes, async (page) => assert.deepEqual(await summary(page), shown), { from: host.url });
      await openExport(browser, bytes, async (exported) => {
        assert.deepEqual(await summary(exported), shown);
        const again = await share(exported);
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

for (const [name, start] of Object.entries({ Chromium: chromium, Firefox: firefox })) {
  test(`${name} opens what the program's report writes`, async () => {
    const report = path.join(folder, 'report.html');
    execFileSync(program, ['report', fixture('multidev.pb'), '--include', 'all', '--communication', 'MatMul', '--output', report], { stdio: 'pipe' });
    const printed = JSON.parse(execFileSync(program, ['summary', fixture('multidev.pb'), '--communication', 'MatMul', '--json'], { encoding: 'utf8' }));
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
  const printed = JSON.parse(ask('summary', ...files, ...options, '--json'));
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

/** What earlier versions wrote, both in UTF-8: the session and the letters of its bytes. */
const OLDER = {
  'of the first version': { sessionOf: sessionOfVersion1, lettersOf: base85, mark: '' },
  'in letters of seven bits': { sessionOf: (session) => session, lettersOf: text128, mark: ' data-letters="128"' },
};

for (const [name, start] of Object.entries({ Chromium: chromium, Firefox: firefox })) {
  for (const [which, { sessionOf, lettersOf, mark }] of Object.entries(OLDER)) {
    test(`${name} opens an export ${which}, and shares it as this one does`, async () => {
      const recorded = await open(fixture('mnist-adam.pb'));
      recorded.session.totals();
      const wanted = JSON.parse(recorded.session.summary());
      // Earlier versions wrote sessions in sections.
      const session = await readFile(fixture('sessions/mnist-adam.version-2.steplens'));
      const older = sessionOf(session);
      if (sessionOf === sessionOfVersion1) assert.ok(older.length < session.length && older[8] === 1 && !older.includes('catg'));
      const page = textOfPage(await readFile(SINGLE));
      const text = olderExport(page, 'mnist-adam.steplens', older, lettersOf, mark);
      const browser = await start();
      try {
        const opened = async (exported) => {
          // All of it is there: categories are found again, by names.
          assert.deepEqual(await summary(exported), wanted);
          const again = await share(exported);
          assert.match(textOfPage(again), /data-letters="utf-16"/);
          await openExport(browser, again, async (page) => assert.equal((await summary(page)).ops, recorded.summary.ops));
        };
        // It is a UTF-8 file, and so the page's own letters come back from one that something has written anew.
        await openExport(browser, text, opened, { encoding: 'UTF-8' });
      } finally {
        await browser.close();
      }
    });
  }
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
