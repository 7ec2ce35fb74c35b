// Real TensorFlow trains while Chromium watches its folder twice: through `steplens serve`, and through the picker, which here gives a
// handle of the same folder that was dropped on the page. A trace that the page asks for arrives and opens on both; the training is killed;
// what the pages say equals what this script counts in the files.
//
// Usage: STEPLENS_PROGRAM=... STEPLENS_PYTHON=python-with-tensorflow node tests/interop/recording/chromium.mjs   (after cargo xtask page)

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { DIST, ROOT } from '../../web/site.mjs';
import { browser, site } from '../../web/stage.mjs';
import { visit } from '../../web/steplens.mjs';

const { STEPLENS_PROGRAM: program, STEPLENS_PYTHON: python } = process.env;
const env = { ...process.env, LANGUAGE: 'en', STEPLENS_PAGE: path.join(DIST, 'steplens.html') };

/** What a child has printed that matches. */
function said(child, pattern) {
  return new Promise((resolve, reject) => {
    let all = '';
    child.stdout.on('data', (bytes) => {
      all += bytes;
      const found = all.match(pattern);
      if (found) resolve(found[0]);
    });
    child.once('exit', (code) => reject(new Error(`ended with ${code}: ${all}`)));
  });
}

function train(folder, name) {
  const script = path.join(ROOT, 'tests/interop/recording/live.py');
  const child = spawn(python, ['-W', 'ignore', script, 'train', folder, name, '600'], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  return said(child, /begins \S+/).then(() => child);
}

/** The page of the hosted site, with `folder` dropped on it, and then chosen in the picker. */
async function picked(folder) {
  const prepare = () => {
    window.dropped = new Promise((resolve) => {
      addEventListener('dragover', (event) => event.preventDefault(), true);
      addEventListener('drop', (event) => {
        event.preventDefault();
        event.stopImmediatePropagation();
        resolve(event.dataTransfer.items[0].getAsFileSystemHandle());
      }, true);
    });
    window.showDirectoryPicker = () => window.dropped;
  };
  const visited = await visit(browser, site.url, { prepare });
  const client = await visited.page.createCDPSession();
  const data = { items: [], files: [folder], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop']) await client.send('Input.dispatchDragEvent', { type, x: 300, y: 300, data });
  await visited.page.evaluate(() => window.dropped);
  await visited.page.click('#watch-folder');
  return visited;
}

/** What is in the files: the runs of each process, and the mean of those that are not traced. */
async function counted(folder) {
  const processes = {};
  for (const name of (await readdir(folder)).filter((name) => name.startsWith('runs-')).sort()) {
    const text = await readFile(path.join(folder, name), 'utf8');
    const lines = text.split('\n').slice(0, -1).map((line) => JSON.parse(line)).filter(({ run }) => run !== undefined);
    const plain = lines.filter(({ trace }) => trace === null);
    const sum = plain.reduce((sum, { length_ns }) => sum + length_ns, 0);
    processes[name.slice('runs-'.length, -'.jsonl'.length)] = { runs: lines.length, traced: lines.length - plain.length, mean_ns: sum / plain.length };
  }
  return processes;
}

const shown = (page) => page.evaluate(() => document.querySelector('.watch-facts')?.textContent ?? '');
const runsOf = (facts) => Number(facts.match(/([\d,]+) runs/)?.[1].replaceAll(',', '') ?? 0);

/** Waits until the page says `wanted` runs and traces. */
const untilCounted = (page, wanted) =>
  page.waitForFunction((wanted) => document.querySelector('.watch-facts')?.textContent.replaceAll(',', '').includes(wanted), {}, wanted);

test('a training with TensorFlow is followed, asked and killed', { timeout: 300_000 }, async (t) => {
  const folder = path.join(await mkdtemp(path.join(os.tmpdir(), 'steplens-live-')), 'watched');
  const training = await train(folder, 'worker.0');
  t.after(() => training.kill('SIGKILL'));
  const server = spawn(program, ['serve', folder, '--port', '0'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => server.kill('SIGKILL'));
  const address = await said(server, /http:\S+token=\S+/);
  const pages = [await visit(browser, address), await picked(folder)];
  for (const { page } of pages) {
    await page.bringToFront();
    await page.waitForFunction(() => /\d+ runs/.test(document.querySelector('.watch-facts')?.textContent ?? ''));
    const before = runsOf(await shown(page));
    await page.waitForFunction((before) => {
      const runs = document.querySelector('.watch-facts').textContent.match(/([\d,]+) runs/);
      return Number(runs[1].replaceAll(',', '')) > before;
    }, {}, before);
  }

  const [{ page: asking }, { page: watching }] = pages;
  await asking.bringToFront();
  await asking.click('#ask-go');
  const traced = async () => (await readdir(path.join(folder, 'traces'))).filter((name) => !name.startsWith('.'));
  while ((await traced()).length === 0) await new Promise((resolve) => setTimeout(resolve, 100));
  const [name] = await traced();
  const { ops, span_ns } = JSON.parse(execFileSync(program, ['summary', '--json', path.join(folder, 'traces', name)]));
  for (const page of [asking, watching]) {
    await page.bringToFront();
    await page.waitForFunction((name) => document.querySelector('.file-name')?.textContent === name, {}, name);
    await page.waitForFunction(() => document.body.dataset.state === 'ready');
    const summary = await page.evaluate(() => window.steplens.summary());
    assert.deepEqual([summary.ops, summary.span_ns], [ops, span_ns]);
  }

  training.kill('SIGKILL');
  await once(training, 'exit');
  // A second one of another name, which ends by itself being killed, too.
  const second = await train(folder, 'worker.1');
  t.after(() => second.kill('SIGKILL'));
  await new Promise((resolve) => setTimeout(resolve, 5000));
  second.kill('SIGKILL');
  await once(second, 'exit');
  const files = await counted(folder);
  const [runs, traces] = ['runs', 'traced'].map((what) => Object.values(files).reduce((sum, own) => sum + own[what], 0));
  // The request asks every process that is there within a minute: each traces one run.
  assert.deepEqual(Object.values(files).map(({ traced }) => traced), [1, 1]);
  for (const { page, faults } of pages) {
    await page.bringToFront();
    await untilCounted(page, `2 processes, ${runs} runs, ${traces} traced`.replaceAll(',', ''));
    const rows = await page.evaluate(() => {
      const toggle = document.querySelector('.watch-line [aria-controls=watch-body]');
      if (toggle.getAttribute('aria-expanded') === 'false') toggle.click();
      return new Promise((resolve) =>
        requestAnimationFrame(() =>
          resolve([...document.querySelectorAll('.watch-column:first-child tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent))),
        ),
      );
    });
    for (const [process, own] of Object.entries(files)) {
      const [, , count, mean] = rows.find(([name]) => name === process);
      assert.equal(Number(count.replaceAll(',', '')), own.runs, process);
      const [, value, unit] = mean.match(/^([\d.,]+)\s*(\S+)$/);
      const ns = Number(value) * { ns: 1, µs: 1e3, ms: 1e6, s: 1e9 }[unit];
      assert.ok(Math.abs(ns / own.mean_ns - 1) < 0.001, `${process}: ${mean} is not ${own.mean_ns} ns`);
    }
    assert.deepEqual(await faults(), []);
    await page.close();
  }
  console.log(`${runs} runs of ${Object.keys(files).join(' and ')}, ${traces} of them traced, the first with ${ops} ops`);
  server.kill('SIGINT');
  await once(server, 'exit');
  await rm(path.dirname(folder), { recursive: true });
});
