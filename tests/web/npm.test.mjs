// The npm package: its tarball in an empty project, type-checked, run in Node and compared with the program, and shown in Chromium and Firefox.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { chromium, firefox } from './browsers.mjs';
import { open } from './core.mjs';
import { DIST, fixture, ROOT } from './site.mjs';

const TRACE = fixture('mnist-adam.pb');
/** The program, and the core as wasm-pack made it: `cargo xtask test` builds both. */
const PROGRAM = path.resolve(process.env.STEPLENS_PROGRAM ?? path.join(ROOT, 'target/debug/steplens'));
const CORE = path.resolve(process.env.STEPLENS_NPM_CORE ?? path.join(ROOT, 'target/npm/core'));
/** Fixtures of one device and many, with graphs, kernels, several steps, memory, clocks that differ; of every family of formats. */
const COMPARED = [
  'mnist-adam.pb',
  'collective.pb',
  'multidev-nograph.pb',
  'ps4w-skewed.pb',
  'ps2w6.pb.gz',
  'gpu/kernels.pb',
  'chrome/collective.memory.ctf.json.gz',
  'containers/events.out.tfevents.1795196999.host',
  'containers/tf2.xplane.pb',
  'containers/paddle-trainer0.profile',
];
const NPM = process.platform === 'win32' ? 'npm.cmd' : 'npm';
let folder;
let project;

/** What a program prints; a failure shows both. */
const run = (program, args, cwd) => execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'steplens-npm-'));
  const made = path.join(folder, 'made');
  run(process.execPath, [path.join(ROOT, 'npm/build.mjs'), '--core', CORE, '--page', DIST, '--out', made], ROOT);
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

test('two traces are compared as the program compares them', async () => {
  const [a, b] = ['ps4w.pb', 'ps4w-later.pb'].map(fixture);
  await inProject('compared', `
    const [a, b] = await Promise.all(['a.pb', 'b.pb'].map(async (name) => openTrace({ name, bytes: await readFile(name) })));
    const printed_both = JSON.parse(execFileSync(${JSON.stringify(PROGRAM)}, ['compare', '--json', 'a.pb', 'b.pb'], { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] }));
    const found = a.compare(b);
    assert.deepStrictEqual(found, printed_both);
    assert.equal(found.waterfall.reduce((sum, bar) => sum + bar.difference_ns, 0), found.difference_ns);
    assert.deepStrictEqual(a.exact('compare', b), printed_both);
    // With itself there is nothing to say.
    assert.equal(a.compare(a).difference_ns, 0);
    assert.deepEqual(a.compare(a).waterfall, []);
    a.free();
    b.free();
  `, { 'a.pb': a, 'b.pb': b });
});

test('its examples run in Node', async () => {
  const { summary } = await open(TRACE);
  const said = run(process.execPath, ['summary.mjs', 'step.pb'], project);
  assert.match(said, new RegExp(`^[\\d.]+ ms, ${summary.ops} ops\n`));
  const [first, columns] = examplesOf(await readFile(path.join(ROOT, 'npm/README.md'), 'utf8'));
  await writeFile(path.join(project, 'readme.mjs'), first);
  assert.match(run(process.execPath, ['readme.mjs'], project), new RegExp(`^${summary.span_ns} `));
  await writeFile(path.join(project, 'columns.mjs'), columns);
  assert.match(run(process.execPath, ['columns.mjs'], project), /'_MklMatMul' => \d+/);
});

/** Two ops in a Chrome trace, of which the later one starts 10^16 and some ns after the other: clocks that are 115 days apart. */
const FAR_APART = `{"traceEvents":[
  {"ph":"X","pid":1,"tid":1,"name":"a","ts":0,"dur":1},
  {"ph":"X","pid":1,"tid":1,"name":"b","ts":10000000000000.003,"dur":1.002}
]}`;

/** Runs a script in the project, of a folder with these files, that may use what is made here. */
async function inProject(name, script, files) {
  const own = path.join(project, name);
  await mkdir(own);
  for (const [file, from] of Object.entries(files)) await cp(from, path.join(own, file));
  const before = `
    import assert from 'node:assert/strict';
    import { execFileSync } from 'node:child_process';
    import { readFile } from 'node:fs/promises';
    import { openTrace } from 'steplens';
    const printed = (command, file) =>
      execFileSync(${JSON.stringify(PROGRAM)}, [command, '--json', file], { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] });
    import { QUESTIONS } from '../node_modules/steplens/answering.js';
    // The methods that answer, and the command that prints the same.
    const ANSWERS = Object.fromEntries(Object.entries(QUESTIONS).map(([method, [command]]) => [method, command]));
  `;
  await writeFile(path.join(own, 'script.mjs'), before + script);
  return run(process.execPath, ['script.mjs'], own);
}

for (const file of COMPARED) {
  test(`${file}: every answer is the object that the program prints`, async () => {
    const name = path.basename(file);
    await inProject(
      `same-${name}`,
      `
      const name = ${JSON.stringify(name)};
      const trace = await openTrace({ name, bytes: await readFile(name) });
      for (const [method, command] of Object.entries(ANSWERS)) {
        assert.deepStrictEqual(trace[method](), JSON.parse(printed(command, name)), method);
        assert.equal(trace.rounded, 0, method);
      }
      const { ops } = trace.ops();
      const columns = trace.opColumns();
      assert.equal(columns.length, ops.length);
      const texts = new Set(['device', 'task', 'name', 'op_type', 'category', 'reason', 'label']);
      const { length, rounded, texts: each, ...arrays } = columns;
      assert.deepEqual(Object.keys(arrays).sort(), Object.keys(ops[0]).sort());
      for (const [field, column] of Object.entries(arrays)) {
        assert.equal(column.length, length, field);
        const said = (op) => (texts.has(field) ? (each[column[op]] ?? null) : Number.isNaN(column[op]) ? null : column[op]);
        const wrong = ops.findIndex((op, row) => op[field] !== said(row));
        assert.equal(wrong, -1, field);
      }
      assert.equal(new Set(each).size, each.length);
      assert.equal(rounded, 0);
      trace.free();
      `,
      { [name]: fixture(file) },
    );
  });
}

test('integers that no number holds are rounded and counted, or bigints', async () => {
  const file = path.join(folder, 'far.json');
  await writeFile(file, FAR_APART);
  await inProject(
    'far',
    `
    const trace = await openTrace({ name: 'far.json', bytes: await readFile('far.json') });
    let counted = 0;
    for (const [method, command] of Object.entries(ANSWERS)) {
      const text = printed(command, 'far.json');
      // JSON.parse rounds, too, and says nothing.
      assert.deepStrictEqual(trace[method](), JSON.parse(text), method);
      const wide = (text.match(/(?<=[:,[])-?\\d{16,}(?=[,}\\]])/g) ?? []).filter((digits) => !Number.isSafeInteger(Number(digits)));
      assert.equal(trace.rounded, wide.length, method);
      counted += wide.length;
      const exact = trace.exact(method);
      const found = [];
      JSON.stringify(exact, (_, value) => (typeof value === 'bigint' ? void found.push(String(value)) : value));
      assert.deepEqual(found, wide, method);
    }
    assert.ok(counted > 10);
    assert.equal(trace.summary().span_ns, 10000000000001004);
    assert.equal(trace.exact('summary').span_ns, 10000000000001005n);
    assert.equal(typeof trace.exact('summary').ops, 'number');
    assert.equal(trace.opColumns().rounded, trace.rounded);
    assert.ok(trace.rounded > 0);
    assert.deepEqual([...trace.opColumns().start_ns], [0, 10000000000000004]);
    `,
    { 'far.json': file },
  );
});

test('its session opens again, a view is shown, and faults have codes', async () => {
  const said = await inProject(
    'codes',
    `
    const bytes = await readFile('step.pb');
    let read = 0;
    const trace = await openTrace({ name: 'mnist-adam.pb', bytes }, { onProgress: (so_far) => (read = so_far) });
    assert.equal(read, bytes.length);
    const again = await openTrace({ name: 'again', bytes: new Blob([trace.sessionBytes()]) });
    assert.deepEqual(again.transfers(), trace.transfers());
    const codes = [];
    const code = async (doing) => codes.push(await Promise.resolve().then(doing).then(() => 'none', ({ name, code }) => name + ' ' + code));
    await code(() => openTrace({ name: 'empty', bytes: new Uint8Array() }));
    await code(() => openTrace({ name: 'x', bytes }, { devices: '(' }));
    await code(() => openTrace({ name: 'x', bytes }, { communication: ['('] }));
    await code(() => openTrace({ name: 'x', bytes }, { signal: AbortSignal.abort() }));
    await code(() => trace.show({ rule: 'nothing' }));
    await code(() => trace.steps('nothing'));
    assert.equal(trace.show({ rule: 'content', step: 1 }).view.step, 1);
    assert.deepEqual([trace.show({ communication: ['MatMul'] }).ops, trace.show({}).ops], [again.summary().ops, again.summary().ops]);
    console.log(codes.join(', '));
    `,
    { 'step.pb': TRACE },
  );
  const codes = ['empty-file', 'bad-option', 'bad-option', 'cancelled', 'bad-option', 'bad-option'];
  assert.equal(said.trim(), codes.map((code) => `SteplensError ${code}`).join(', '));
});

test('a program of TypeScript that uses it is checked', async () => {
  await writeFile(path.join(project, 'good.ts'), `
    import { openTrace, SteplensError, type CriticalPath, type OpColumns, type Summary } from 'steplens';
    import 'steplens/element';
    const trace = await openTrace([{ name: 'a', bytes: new Blob() }], { communication: ['x'] });
    const summary: Summary = trace.summary();
    const path: CriticalPath = trace.criticalPath();
    const schema: 'steplens.summary/1' = summary.schema;
    const sent: number | null | undefined = trace.transfers().transfers[0]?.sent_ns;
    const span: number | bigint = trace.exact('summary').span_ns;
    const rule: string = trace.exact('steps', 'file').rule;
    const columns: OpColumns = trace.opColumns();
    const last: number = Math.max(...columns.end_ns) + trace.rounded;
    const shown = trace.show({ step: 3, clocks: ['estimated', '/job:worker/replica:0/task:2=-5'] }).view.step;
    const element = document.querySelector('steplens-timeline');
    element?.addEventListener('steplens-ready', ({ detail }) => detail.devices.length);
    element?.open('a', new Uint8Array()).then(({ ops }) => ops, (why: SteplensError) => why.code);
    export { schema, sent, span, rule, last, shown, path };
  `);
  await writeFile(path.join(project, 'bad.ts'), `
    import { openTrace } from 'steplens';
    const trace = await openTrace({ name: 'a', bytes: new Uint8Array() });
    export const nothing = trace.summary().no_such_field;
    trace.show({ rule: 'none' });
    export const no_number = trace.exact('summary').span_ns - 1;
    trace.exact('nothing');
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
  assert.equal(faults?.length, 4, String(faults));
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
