// The npm package: its tarball in an empty project, type-checked, run in Node, and shown in Chromium and Firefox.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { chromium, firefox } from './browsers.mjs';
import { open } from './core.mjs';
import { DIST, fixture, ROOT } from './site.mjs';

const TRACE = fixture('mnist-adam.pb');
const NPM = process.platform === 'win32' ? 'npm.cmd' : 'npm';
let folder;
let project;

/** What a program prints; a failure shows both. */
const run = (program, args, cwd) => execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'steplens-npm-'));
  const made = path.join(folder, 'made');
  run(process.execPath, [path.join(ROOT, 'npm/build.mjs'), '--wasm-dir', path.join(ROOT, 'www/build'), '--page', DIST, '--out', made], ROOT);
  const tarball = run(NPM, ['pack', '--pack-destination', folder, '--loglevel=error'], made).trim().split('\n').at(-1);
  project = path.join(folder, 'project');
  await cp(path.join(ROOT, 'npm/examples'), project, { recursive: true });
  await writeFile(path.join(project, 'package.json'), JSON.stringify({ name: 'empty', private: true, type: 'module' }));
  // It has no dependencies: nothing is asked of a registry.
  run(NPM, ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', path.join(folder, tarball)], project);
  await cp(TRACE, path.join(project, 'step.pb'));
});
after(async () => {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** The scripts among the examples of a document. */
const examplesOf = (text) => [...text.matchAll(/```js\n([^]*?)```/g)].map(([, script]) => script);

test('its version is that of everything else', async () => {
  const { version } = JSON.parse(await readFile(path.join(project, 'node_modules/steplens/package.json'), 'utf8'));
  const manifest = await readFile(path.join(ROOT, 'Cargo.toml'), 'utf8');
  assert.equal(version, manifest.match(/^version = "(.*)"$/m)[1]);
  await writeFile(path.join(project, 'version.mjs'), "import { version } from 'steplens'; console.log(await version());");
  assert.equal(run(process.execPath, ['version.mjs'], project).trim(), version);
});

test('its examples run in Node', async () => {
  const { summary } = await open(TRACE);
  const said = run(process.execPath, ['summary.mjs', 'step.pb'], project);
  assert.match(said, new RegExp(`^[\\d.]+ ms, ${summary.ops} ops\n`));
  const [script] = examplesOf(await readFile(path.join(ROOT, 'npm/README.md'), 'utf8'));
  await writeFile(path.join(project, 'readme.mjs'), script);
  assert.match(run(process.execPath, ['readme.mjs'], project), new RegExp(`^${summary.span_ns} `));
});

test('it answers what the program prints', async () => {
  await writeFile(path.join(project, 'answers.mjs'), `
    import { readFile } from 'node:fs/promises';
    import { openTrace } from 'steplens';
    const bytes = await readFile('step.pb');
    let read = 0;
    const trace = await openTrace({ name: 'mnist-adam.pb', bytes }, { onProgress: (so_far) => (read = so_far) });
    const whole = Object.fromEntries(
      ['summary', 'ops', 'transfers', 'memory', 'criticalPath', 'scheduling', 'steps', 'clocks', 'doctor', 'highlights'].map((name) => [name, trace[name]()]),
    );
    const again = await openTrace({ name: 'again', bytes: new Blob([trace.sessionBytes()]) });
    const codes = [];
    const code = async (doing) => codes.push(await Promise.resolve().then(doing).then(() => 'none', ({ name, code }) => name + ' ' + code));
    await code(() => openTrace({ name: 'empty', bytes: new Uint8Array() }));
    await code(() => openTrace({ name: 'x', bytes }, { devices: '(' }));
    await code(() => openTrace({ name: 'x', bytes }, { signal: AbortSignal.abort() }));
    await code(() => trace.show({ rule: 'nothing' }));
    const stepped = trace.show({ rule: 'content', step: 1 });
    console.log(JSON.stringify({ whole, read: read === bytes.length, again: again.summary().ops, codes, stepped: stepped.view.step }));
  `);
  const said = JSON.parse(run(process.execPath, ['answers.mjs'], project));
  const { session, summary } = await open(TRACE);
  assert.deepEqual(said.whole.summary, summary);
  for (const [name, verb] of Object.entries({ ops: 'opsJson', transfers: 'transfersJson', memory: 'memoryJson', criticalPath: 'criticalPathJson' })) {
    assert.deepEqual(said.whole[name], JSON.parse(session[verb]()), name);
  }
  assert.deepEqual(said.whole.steps.schema, 'steplens.steps/1');
  assert.deepEqual([said.read, said.again, said.stepped], [true, summary.ops, 1]);
  const codes = ['empty-file', 'bad-option', 'cancelled', 'bad-option'].map((code) => `SteplensError ${code}`);
  assert.deepEqual(said.codes, codes);
});

test('a program of TypeScript that uses it is checked', async () => {
  await writeFile(path.join(project, 'good.ts'), `
    import { openTrace, SteplensError, type Summary, type CriticalPath } from 'steplens';
    import 'steplens/element';
    const trace = await openTrace([{ name: 'a', bytes: new Blob() }], { communication: ['x'] });
    const summary: Summary = trace.summary();
    const path: CriticalPath = trace.criticalPath();
    const schema: 'steplens.summary/1' = summary.schema;
    const sent: number | null | undefined = trace.transfers().transfers[0]?.sent_ns;
    const shown = trace.show({ step: 3, clocks: ['estimated', '/job:worker/replica:0/task:2=-5'] }).view.step;
    const element = document.querySelector('steplens-timeline');
    element?.addEventListener('steplens-ready', ({ detail }) => detail.devices.length);
    element?.open('a', new Uint8Array()).then(({ ops }) => ops, (why: SteplensError) => why.code);
    export { schema, sent, shown, path };
  `);
  await writeFile(path.join(project, 'bad.ts'), `
    import { openTrace } from 'steplens';
    const trace = await openTrace({ name: 'a', bytes: new Uint8Array() });
    export const nothing = trace.summary().no_such_field;
    trace.show({ rule: 'none' });
  `);
  const compiler = path.join(ROOT, 'www/node_modules/typescript-7/bin/tsc');
  const check = (file) => {
    const options = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--lib', 'es2022,dom,dom.iterable,dom.asynciterable,esnext.disposable'];
    try {
      return run(process.execPath, [compiler, ...options, '--types', '', '--skipLibCheck', 'false', file], project);
    } catch (thrown) {
      return thrown.stdout;
    }
  };
  assert.equal(check('good.ts'), '');
  const faults = check('bad.ts').match(/bad\.ts\(\d+,\d+\): error TS\d+/g);
  assert.equal(faults?.length, 2, String(faults));
});

/** The project's folder on a host, with what the page in it needs. */
async function served() {
  const types = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm', '.svg': 'image/svg+xml' };
  const server = http.createServer(async (request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const file = path.join(project, path.normalize(pathname));
    try {
      const body = await readFile(file);
      response.writeHead(200, { 'Content-Type': types[path.extname(file)] ?? 'application/octet-stream' }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

for (const [name, start] of Object.entries({ Chromium: chromium, Firefox: firefox })) {
  test(`${name} shows the element, and answers questions without it`, async (t) => {
    const host = await served();
    const browser = await start();
    t.after(() => Promise.all([browser.close(), host.close()]));
    const page = await browser.newPage();
    const { summary } = await open(TRACE);
    await page.goto(`${host.url}element.html`);
    await page.waitForFunction(() => document.querySelector('#said').textContent !== 'Opening');
    assert.equal(await page.$eval('#said', (said) => said.textContent), `${summary.ops} ops in ${summary.span_ns} ns`);
    const got = await page.evaluate(async () => {
      const timeline = document.querySelector('steplens-timeline');
      const heard = [];
      for (const type of ['steplens-ready', 'steplens-error', 'steplens-loaded']) {
        timeline.addEventListener(type, ({ detail }) => heard.push([type, detail.code ?? detail.ops ?? 'version']));
      }
      const until = (type) => new Promise((resolve) => {
        timeline.addEventListener(type, resolve, { once: true });
      });
      const own = await timeline.summary();
      const bytes = new Uint8Array(await (await fetch('step.pb')).arrayBuffer());
      const opened = await timeline.open('again.pb', bytes);
      const refused = await timeline.open('empty.pb', new Uint8Array()).catch(({ code }) => code);
      let shown = until('steplens-error');
      timeline.src = 'nothing.pb';
      await shown;
      shown = until('steplens-ready');
      timeline.src = 'step.pb';
      await shown;
      const alone = document.createElement('steplens-timeline');
      const unconnected = await alone.summary().catch(({ code }) => code);
      timeline.remove();
      return { own: own.ops, opened: opened.files[0].name, refused, heard, unconnected };
    });
    assert.deepEqual(got, {
      own: summary.ops,
      opened: 'again.pb',
      refused: 'empty-file',
      heard: [['steplens-ready', summary.ops], ['steplens-error', 'empty-file'], ['steplens-error', 'src-status'], ['steplens-ready', summary.ops]],
      unconnected: 'not-connected',
    });
    const alone = await page.evaluate(async () => {
      const { openTrace, version } = await import('./node_modules/steplens/index.js');
      const response = await fetch('step.pb');
      const trace = await openTrace({ name: 'step.pb', bytes: await response.blob() });
      return [trace.summary().ops, trace.transfers().transfers.length, await version()];
    });
    assert.deepEqual(alone.slice(0, 2), [summary.ops, summary.transfers]);
  });
}
