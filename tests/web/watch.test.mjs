// Watched folders in Chromium: a script writes one as a recorder does, while the page watches it through `steplens serve` and through the
// picker. What the page says equals what the script counted.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdir, mkdtemp, readFile, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { faultsOf } from './axe.mjs';
import { DIST, ROOT, fixture } from './site.mjs';
import { browser, site } from './stage.mjs';
import { share, visit, waitForReady } from './steplens.mjs';

const program = process.env.STEPLENS_PROGRAM ?? path.join(ROOT, 'target/debug/steplens');
const env = {
  ...process.env,
  STEPLENS_PAGE: path.join(DIST, 'steplens.html'),
  LANGUAGE: 'en',
};

let home;
let trace;
before(async () => {
  home = await mkdtemp(path.join(os.tmpdir(), 'steplens-watch-'));
  trace = await readFile(fixture('mnist-adam.pb'));
});
after(() => rm(home, { recursive: true, force: true }));

const MS = 1_000_000;

/** A process that records, by what `folder` can do: `write` whole files, `append`, `list` and `read`. It counts what it writes. */
class Recorder {
  constructor(folder, process) {
    Object.assign(this, {
      folder,
      process,
      runs: 0,
      lengths: new Map(),
      traced: 0,
      last: null,
    });
  }

  line(length_ms, { fetches = ['train_op'], traced = false, request = null, start_ns = 1_796_195_999_000_000_000n } = {}) {
    const run = this.runs++;
    const key = fetches.join(', ');
    const own = this.lengths.get(key) ?? { plain: [], traced: [] };
    this.lengths.set(key, own);
    (traced ? own.traced : own.plain).push(length_ms * MS);
    if (traced) this.traced++;
    const named = this.last === key ? {} : { fetches, feeds: ['x:0'] };
    this.last = key;
    const said = {
      run,
      length_ns: length_ms * MS,
      step: 1000 + run,
      ...named,
      trace: traced ? `traces/${run}-${this.process}.pb` : null,
      request,
    };
    // Larger than a number of JavaScript holds.
    return `{"start_ns": ${start_ns}, ${JSON.stringify(said).slice(1)}\n`;
  }

  async record(length_ms, options = {}) {
    if (options.traced) await this.folder.write(`traces/${this.runs}-${this.process}.pb`, trace);
    await this.folder.append(`runs-${this.process}.jsonl`, this.line(length_ms, options));
  }

  /** Waits for a request, traces one run for it and answers. */
  async answerRequest(length_ms) {
    const name = await until(async () => (await this.folder.list('requests')).find((name) => !name.startsWith('.')));
    const request = JSON.parse(await until(() => this.folder.read(`requests/${name}`)));
    const run = this.runs;
    await this.record(length_ms, { traced: true, request: request.id });
    const answer = {
      id: request.id,
      process: this.process,
      state: 'done',
      runs: [run],
      reason: null,
      at_ns: 1,
    };
    await this.folder.write(`answers/${request.id}-${this.process}.json`, JSON.stringify(answer));
    return request;
  }
}

const until = async (find) => {
  for (;;) {
    const found = await find();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

/** A folder on disk, as the recorder writes it. */
async function onDisk(name, processes) {
  const folder = path.join(home, name);
  for (const inner of ['traces', 'requests', 'answers']) await mkdir(path.join(folder, inner), { recursive: true });
  await writeFile(path.join(folder, 'steplens.json'), JSON.stringify({ schema: 'steplens.watched-folder/1', processes }));
  return {
    folder,
    async write(file, content) {
      const unfinished = path.join(folder, path.dirname(file), `.${path.basename(file)}`);
      await writeFile(unfinished, content);
      await rename(unfinished, path.join(folder, file));
    },
    append: (file, text) => appendFile(path.join(folder, file), text),
    list: (inner) => readdir(path.join(folder, inner)),
    read: (file) => readFile(path.join(folder, file), 'utf8'),
  };
}

/** The same within the browser: the folder that the stub of the picker gives. */
async function inBrowser(page, processes) {
  const write = (file, content) =>
    page.evaluate(
      async (file, base64) => {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        const [first, second] = file.split('/');
        let folder = await navigator.storage.getDirectory();
        if (second !== undefined) folder = await folder.getDirectoryHandle(first, { create: true });
        const handle = await folder.getFileHandle(`.${second ?? first}`, {
          create: true,
        });
        const stream = await handle.createWritable();
        await stream.write(bytes);
        await stream.close();
        await handle.move(second ?? first);
      },
      file,
      Buffer.from(content).toString('base64'),
    );
  await write('steplens.json', JSON.stringify({ schema: 'steplens.watched-folder/1', processes }));
  return {
    write,
    append: (file, text) =>
      page.evaluate(
        async (file, text) => {
          const root = await navigator.storage.getDirectory();
          const handle = await root.getFileHandle(file, { create: true });
          const stream = await handle.createWritable({
            keepExistingData: true,
          });
          await stream.seek((await handle.getFile()).size);
          await stream.write(text);
          await stream.close();
        },
        file,
        text,
      ),
    list: (inner) =>
      page.evaluate(async (inner) => {
        const root = await navigator.storage.getDirectory();
        const folder = await root.getDirectoryHandle(inner, { create: true });
        return Array.fromAsync(folder.keys());
      }, inner),
    read: (file) =>
      page.evaluate(async (file) => {
        const [first, second] = file.split('/');
        const root = await navigator.storage.getDirectory();
        return (await (await (await root.getDirectoryHandle(first)).getFileHandle(second)).getFile()).text();
      }, file),
  };
}

/** What `steplens serve` says when it is ready, and the address in it. */
async function served(folder) {
  const child = spawn(program, ['serve', folder, '--port', '0'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (bytes) => (said += bytes));
  const url = await until(() => said.match(/http:\S+token=\S+/)?.[0]);
  const end = async () => {
    child.kill('SIGINT');
    const [code] = await once(child, 'exit');
    assert.equal(code, 0, 'Ctrl+C ends it cleanly');
  };
  return { url, end };
}

const facts = (page) => page.$eval('.watch-facts', (element) => element.textContent);
const untilFacts = (page, wanted) =>
  page.waitForFunction((wanted) => document.querySelector('.watch-facts')?.textContent === wanted, {}, wanted);

/** The rows of the table of fetches, without the process where it stands in the row before. */
const callRows = (page) =>
  page.$$eval('.watch-column:first-child tbody tr', (rows) =>
    rows.map((row) => [...row.cells].map((cell) => cell.textContent.replaceAll('\u00a0', ' '))),
  );

/** How the page writes a length. */
function written(ns) {
  const [value, unit] = ns >= 1e9 ? [ns / 1e9, 's'] : ns >= 1e6 ? [ns / 1e6, 'ms'] : [ns / 1e3, 'µs'];
  return `${value.toFixed(value >= 100 ? 1 : value >= 10 ? 2 : 3)} ${unit}`;
}

/** The rows that the script counted itself. */
function counted(recorder) {
  const mean = (lengths) => (lengths.length === 0 ? '–' : written(lengths.reduce((a, b) => a + b, 0) / lengths.length));
  return [...recorder.lengths].map(([key, { plain, traced }], at) => [
    at === 0 ? recorder.process : '',
    key,
    String(plain.length + traced.length),
    mean(plain),
    String(traced.length),
    mean(traced),
  ]);
}

/** What the folder must show while two processes write, one is killed while it writes, and a clock jumps. */
async function follows(page, folder) {
  const [first, second] = [new Recorder(folder, 'ps.0'), new Recorder(folder, 'worker.0')];
  await untilFacts(page, '2 processes, 0 runs, 0 traced');
  for (const length of [5, 7, 9]) await first.record(length);
  await first.record(100, { fetches: ['summary', 'loss'] });
  await second.record(20);
  await untilFacts(page, '2 processes, 5 runs, 0 traced');
  assert.deepEqual(await callRows(page), [...counted(first), ...counted(second)]);

  await page.click('#ask-go');
  const request = await first.answerRequest(40);
  assert.deepEqual([request.kind, request.count, request.processes], ['now', 1, null]);
  await page.waitForFunction(() => document.querySelector('.file-name')?.textContent === '4-ps.0.pb');
  await page.waitForFunction(() => document.body.dataset.state === 'ready');
  assert.equal(await page.evaluate(() => window.steplens.summary().ops), 79);
  await untilFacts(page, '2 processes, 6 runs, 1 traced');
  await page.waitForFunction(() => document.querySelector('.watch-asked')?.textContent.includes('ps.0 done (runs 4)'));
  assert.deepEqual(await callRows(page), [...counted(first), ...counted(second)]);

  // The clock jumps back for an hour: order and figures are those of the lines.
  await second.record(30, { start_ns: 1_796_192_399_000_000_000n });
  await untilFacts(page, '2 processes, 7 runs, 1 traced');
  assert.deepEqual(await callRows(page), [...counted(first), ...counted(second)]);

  // Killed while it wrote a line; then it begins again.
  await folder.append('runs-worker.0.jsonl', '{"run": 2, "start_n');
  await first.record(11, { fetches: ['train_op'] });
  await untilFacts(page, '2 processes, 8 runs, 1 traced');
  assert.equal(await page.$eval('.watch-problems', (list) => list.hidden), true, 'a line that is not whole yet is no fault');
  second.last = null;
  await folder.append('runs-worker.0.jsonl', '\n');
  await second.record(25);
  await untilFacts(page, '2 processes, 9 runs, 1 traced');
  assert.deepEqual(await callRows(page), [...counted(first), ...counted(second)]);
  await page.waitForFunction(() => document.querySelector('.watch-problems')?.textContent.includes('runs-worker.0.jsonl'));
}

test('the page that serve gives follows the folder and asks', async () => {
  const folder = await onDisk('served', ['ps.0', 'worker.0']);
  const { url, end } = await served(folder.folder);
  const { page, faults, requests } = await visit(browser, url);
  try {
    assert.ok(!page.url().includes('token'), page.url());
    await spread(page, () => follows(page, folder));
    assert.deepEqual(await faultsOf(page), []);
    const origin = new URL(url).origin;
    assert.deepEqual(
      requests.filter((asked) => !asked.startsWith(origin) && !/^(blob|data):/.test(asked)),
      [],
    );
    assert.match(await page.$eval('meta[http-equiv]', (meta) => meta.content), /^connect-src 'self'; default-src 'none'/);
    // Shared from here, the page asks nobody, and does not say which folder it was served with.
    const shared = String(await share(page));
    assert.ok(shared.includes('Content-Security-Policy" content="default-src \'none\'; script-src'), shared.slice(0, 500));
    assert.ok(!shared.includes('steplens-served') && !shared.includes("connect-src 'self'; default-src"));
    assert.deepEqual(await faults(), []);
  } finally {
    await page.close();
    await end();
  }
});

/** Keeps the whole folder in sight while a trace is open, too. */
async function spread(page, body) {
  const watcher = page.evaluate(() => {
    new MutationObserver(() => {
      const toggle = document.querySelector('.watch-line [aria-controls=watch-body]');
      if (toggle?.getAttribute('aria-expanded') === 'false') toggle.click();
    }).observe(document.body, { attributes: true });
  });
  await watcher;
  await body();
}

/** The rows of the table of traces below a folder: name, size, steps and verdict. */
const belowRows = (page) =>
  page.$$eval('#watch-below tbody tr', (rows) =>
    rows.map(({ cells: [name, , size, steps, verdict] }) =>
      [name.querySelector('.watch-open'), size, steps, verdict].map((cell) => cell.textContent.replaceAll('\u00a0', ' ')),
    ),
  );

test('a folder of other tools is a list of its traces, which open and are compared', async () => {
  const folder = path.join(home, 'log <b>dir');
  const run = path.join(folder, 'plugins', 'profile', '2026_11_28');
  await mkdir(run, { recursive: true });
  const { url, end } = await served(folder);
  const { page, faults } = await visit(browser, url);
  try {
    await page.waitForFunction(() => document.querySelector('.watch-body')?.textContent.includes('plugins/profile/RUN/HOST.xplane.pb'));
    await writeFile(path.join(run, 'host.xplane.pb'), await readFile(fixture('containers/tf2.xplane.pb')));
    await writeFile(path.join(folder, '<img src=x>&.pb'), trace);
    await writeFile(path.join(folder, 'package.json'), '{"name": "none"}');
    await utimes(path.join(run, 'host.xplane.pb'), 1_700_000_000, 1_700_000_000);
    await page.reload();
    await page.waitForFunction(() => document.querySelectorAll('#watch-below tbody tr').length === 2);
    await page.waitForFunction(() => [...document.querySelectorAll('#watch-below tbody .figure')].every((cell) => cell.textContent !== ''));
    const said = (file) => JSON.parse(execFileSync(program, ['summary', '--json', file], { env }));
    const rows = await belowRows(page);
    assert.deepEqual(
      rows.map(([name]) => name),
      ['<img src=x>&.pb', 'plugins/profile/2026_11_28/host.xplane.pb'],
    );
    for (const [name, , steps, verdict] of rows) {
      assert.equal(verdict, said(path.join(folder, name)).verdict);
      assert.ok(Number(steps) >= 1, steps);
    }
    assert.match(await page.$eval('.watch-body', (body) => body.textContent), /1 file that is called like one holds none/);
    assert.equal(await page.$('#watch-below img'), null, 'names are text');
    assert.deepEqual(await faultsOf(page), []);

    await page.click('#watch-below tbody tr:first-child .watch-open');
    await page.waitForFunction(() => document.body.dataset.state === 'ready');
    assert.equal(await page.evaluate(() => window.steplens.summary().ops), 79);
    await page.evaluate(() => document.querySelector('.watch-line button[aria-controls="watch-body"]').click());
    await page.click('#watch-below tbody tr:nth-child(2) .watch-compare');
    await page.waitForFunction(() => (document.querySelector('.cmp-sentence')?.textContent ?? '') !== '');
    assert.deepEqual(await faults(), []);
  } finally {
    await page.close();
    await end();
  }
});

test('a folder that is picked is followed, and asked', async () => {
  const prepare = () => {
    window.showDirectoryPicker = () => navigator.storage.getDirectory();
  };
  const { page, faults } = await visit(browser, site.url, { prepare });
  try {
    const folder = await inBrowser(page, ['ps.0', 'worker.0']);
    await page.click('#watch-folder');
    await spread(page, () => follows(page, folder));
    assert.deepEqual(await faultsOf(page), []);
    await page.click('#watch-end');
    await page.waitForFunction(() => document.querySelector('#watch').hidden);
    assert.deepEqual(await faults(), []);
  } finally {
    await page.evaluate(async () => {
      const root = await navigator.storage.getDirectory();
      for await (const name of root.keys()) await root.removeEntry(name, { recursive: true });
    });
    await page.close();
  }
});

test('traces of other runs open by a click, and none by itself where that is not wanted', async () => {
  const folder = await onDisk('clicked', ['w']);
  const recorder = new Recorder(folder, 'w');
  await recorder.record(5, { traced: true });
  const { url, end } = await served(folder.folder);
  const { page, faults } = await visit(browser, url);
  try {
    await untilFacts(page, '1 process, 1 run, 1 traced');
    assert.equal(await page.evaluate(() => document.body.dataset.state), 'empty', 'what was there before is not opened by itself');
    await page.click('#watch-opens');
    await recorder.record(6, { traced: true });
    await untilFacts(page, '1 process, 2 runs, 2 traced');
    assert.equal(await page.evaluate(() => document.body.dataset.state), 'empty');
    await waitForReady(page, () => page.click('.watch-open'));
    assert.equal(await page.$eval('.file-name', (name) => name.textContent), '1-w.pb');
    // The open one is compared with the one before.
    assert.equal((await page.$$('.watch-compare')).length, 1);
    // The panel folds when a trace is open.
    await page.$eval('.watch-compare', (button) => button.click());
    await page.waitForFunction(
      () => document.querySelector('.cmp-name')?.checkVisibility() && document.querySelectorAll('.cmp-waterfall li').length > 0,
    );
    assert.deepEqual(await page.$$eval('.cmp-name', (names) => names.map((own) => own.textContent)), ['1-w.pb', '0-w.pb']);
    await rm(path.join(folder.folder, 'traces/0-w.pb'));
    await page.waitForFunction(() => document.querySelector('#watch')?.textContent.includes('deleted'));
    assert.match(await facts(page), /2 runs/);
    assert.deepEqual(await faults(), []);
  } finally {
    await page.close();
    await end();
  }
});

test('without a picker the files of a folder are read again by a click, and the command is shown', async () => {
  const prepare = () => {
    delete window.showDirectoryPicker;
  };
  const { page, faults } = await visit(browser, site.url, { prepare });
  try {
    const folder = await onDisk('listed', ['w']);
    const recorder = new Recorder(folder, 'w');
    await recorder.record(5);
    const choose = async (button) => {
      const [chooser] = await Promise.all([page.waitForFileChooser(), page.click(button)]);
      await chooser.accept([folder.folder]);
    };
    await choose('#watch-folder');
    await untilFacts(page, '1 process, 1 run, 0 traced, as it was when you opened it');
    assert.match(await page.$eval('.watch-command code', (code) => code.textContent), /^steplens request listed --now$/);
    await recorder.record(6, { traced: true });
    await waitForReady(page, () => choose('#watch-again'));
    assert.equal(await page.$eval('.file-name', (name) => name.textContent), '1-w.pb');
    await untilFacts(page, '1 process, 2 runs, 1 traced, as it was when you opened it');
    assert.deepEqual(await faults(), []);
  } finally {
    await page.close();
  }
});
