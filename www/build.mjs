// Assembles the static page: bundles the front-end, and writes it both as a folder and as one self-contained file.
//
//   node www/build.mjs --wasm-dir DIR --out DIR --sample FILE
//
// DIR of --wasm-dir holds the bindings generator's output: steplens_wasm.js, steplens_parquet_wasm.js, and their modules.

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build, transform } from 'esbuild';
import { languages, messages, messagesIn, textsOf } from './messages.mjs';

const WWW = import.meta.dirname;
const TARGET = 'es2022';
/**
 * Asks the browser to compile all functions of a script while it arrives, away from the page's thread: Chromium from 136 on, others ignore
 * it. Most of what is loaded to start is called before the first frame; compiling it there took 14 ms.
 */
const CALLED_AT_START = '//# allFunctionsCalledOnLoad';
/** Files whose names change with what is in them; and as builds before called them. */
const HASHED = /^(?:app|worker|steplens|(?:steplens-)?(?:later|shared|parquet))(?:-\w+)?\.(?:js|wasm)$/;

const { values: args } = parseArgs({
  options: {
    'wasm-dir': { type: 'string' },
    out: { type: 'string' },
    sample: { type: 'string' },
  },
});
for (const name of ['wasm-dir', 'out', 'sample']) {
  if (!args[name]) throw new Error(`build.mjs needs --${name}`);
}
const wasmDir = path.resolve(args['wasm-dir']);
const CRATES = path.join(WWW, '..', 'crates');
/** The op types that are public: one list for page and program. */
const OP_TYPES = path.join(CRATES, 'steplens-core', 'src', 'redact', 'op_types.txt');

/** What all scripts have in common. Without a `texts` they have all texts. */
const scripts = (texts = {}, define = {}) => ({
  bundle: true,
  write: false,
  platform: 'browser',
  target: TARGET,
  minify: true,
  charset: 'utf8',
  legalComments: 'none',
  metafile: true,
  alias: {
    'steplens-wasm': path.join(wasmDir, 'steplens_wasm.js'),
    'steplens-parquet-wasm': path.join(wasmDir, 'steplens_parquet_wasm.js'),
    'steplens-op-types': OP_TYPES,
  },
  loader: { '.txt': 'text' },
  define,
  plugins: [messages(texts)],
  logLevel: 'warning',
});

/** The files that an output is made of, and those it loads before it starts. */
function madeOf(outputs, name) {
  const { inputs, imports } = outputs[name];
  const own = Object.keys(inputs).filter((file) => inputs[file].bytesInOutput > 0);
  const loaded = imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => path);
  return [...own, ...loaded.flatMap((other) => madeOf(outputs, other))];
}

/** Bundles an entry point into one classic script with the texts that its files name, and says which; or a call of one of its functions. */
async function bundleWithTexts(entry, { define = {}, call = null } = {}) {
  const file = path.join(WWW, 'src', entry);
  const code = `import { ${call} } from ${JSON.stringify(file)}; ${call}();`;
  const options = {
    ...(call ? { stdin: { contents: code, resolveDir: WWW, loader: 'ts' } } : { entryPoints: [file] }),
    format: 'iife',
    absWorkingDir: WWW,
  };
  // A classic script has no import.meta; the page always hands the module's bytes to the bindings itself.
  const defined = { 'import.meta.url': '""', ...define };
  const { outputs } = (await build({ ...options, ...scripts({}, defined) })).metafile;
  const texts = textsOf(madeOf(outputs, Object.keys(outputs)[0]).map((name) => path.resolve(WWW, name)));
  const result = await build({ ...options, ...scripts({ start: texts }, defined) });
  return { script: result.outputFiles[0].text, texts };
}

const bundle = async (...entry) => (await bundleWithTexts(...entry)).script;

/**
 * The scripts of the hosted page, by name: the one that starts it, what it shares with its later part, and that part. Each of the first has the texts
 * that the page starts with, the last has the others.
 */
async function hostedScripts(worker_file) {
  const options = {
    entryPoints: { app: path.join(WWW, 'src', 'hosted.ts'), later: path.join(WWW, 'src', 'later.ts') },
    format: 'esm',
    splitting: true,
    outdir: WWW,
    absWorkingDir: WWW,
    chunkNames: 'shared-[hash]',
  };
  const files = { LATER_FILE: '"later.js"', WORKER_FILE: JSON.stringify(worker_file) };
  const { outputs } = (await build({ ...options, ...scripts({}, files) })).metafile;
  const filesOf = (name) => madeOf(outputs, name).map((file) => path.resolve(WWW, file));
  const start = textsOf(filesOf('app.js'));
  const later = new Set([...textsOf(filesOf('later.js'))].filter((id) => !start.has(id)));
  const { outputFiles } = await build({ ...options, ...scripts({ start, later }, files) });
  const made = new Map(outputFiles.map((file) => [path.basename(file.path), file.text]));
  const part = made.get('later.js');
  const name = hashed('later', part, 'js');
  const app = replaceOne(made.get('app.js'), /"later\.js"/, JSON.stringify(name), 'name of the later part in app.js');
  for (const unnamed of ['later.js', 'app.js']) made.delete(unnamed);
  made.set(hashed('app', app, 'js'), app);
  const at_start = [...made].map(([file, text]) => [file, `${CALLED_AT_START}\n${text}`]);
  return new Map([...at_start, [name, part]]);
}

/** A name for a file that changes with what is in it. */
const hashed = (name, content, extension) => `${name}-${createHash('sha256').update(content).digest('hex').slice(0, 8)}.${extension}`;

/** Where each tab has a folder, with its own looks if it has any. */
const TABS = path.join(WWW, 'src', 'views', 'drawer');

/** The parts of the page's looks in their order: a later one may refine an earlier one. `null` is the place of those of tabs. */
const STYLE_PARTS = [
  'theme',
  'ground',
  'controls',
  'frame',
  'step',
  'timeline',
  'legend',
  'tree',
  'column',
  'drawer',
  'tables',
  'steps',
  'path',
  'network',
  null,
  'notes',
  'states',
  'watched',
  'fleet',
  'help',
  'part',
  'narrow',
  'touch',
  'print',
];

async function bundleStyle(names = STYLE_PARTS) {
  const of_tabs = (await readdir(TABS, { recursive: true })).filter((name) => name.endsWith('.css')).sort();
  const files = names.flatMap((name) =>
    name === null ? of_tabs.map((file) => path.join(TABS, file)) : path.join(WWW, 'style', `${name}.css`),
  );
  const parts = files.map((file) => readFile(file, 'utf8'));
  const style = (await Promise.all(parts)).join('\n');
  return (await transform(style, { loader: 'css', target: TARGET, minify: true })).code;
}

const sha256 = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Bytes as `www/src/engine/base64.ts` reads them, packed. */
const packed = (bytes) => gzipSync(bytes, { level: 9 }).toString('base64');

/** Replaces exactly one match, so that a changed source breaks the build and not the page. */
function replaceOne(html, pattern, replacement, what) {
  const matches = html.match(new RegExp(pattern, 'g'))?.length ?? 0;
  if (matches !== 1) throw new Error(`found ${matches} of ${what}, want 1`);
  return html.replace(pattern, () => replacement);
}

const CSP = /(?<=<meta\s+http-equiv="Content-Security-Policy"\s+content=")[^"]*(?="\s*\/?>)/;
const STYLE = /\s*<link\s+rel="stylesheet"\s+href="style\.css"\s*\/?>/;
const EARLY = /\s*<script\s+id="steplens-early"><\/script>/;
const APP = /\s*<script\s[^>]*src="app\.js"[^>]*><\/script>/;
const TRUNK = /\s*<link\s[^>]*data-trunk[^>]*>/g;
const ICON = /(?<=<link\s[^>]*rel="icon"[^>]*href=")[^"]*(?=")/;
const OUTER_FILES = /\s*<link\s[^>]*rel="(?:manifest|apple-touch-icon|preload)"[^>]*>/g;

/** The page as a folder of files: the script that starts first is in it, named by its hash. What the script `app` imports is asked for with it. */
function hostedPage(html, early, app, shared) {
  const csp = html.match(CSP)?.[0].replace("script-src 'self'", `script-src 'self' ${sha256(early)}`) ?? '';
  const links = shared.map((name) => `\n    <link rel="modulepreload" href="${name}">`);
  let page = replaceOne(html, CSP, csp, 'Content-Security-Policy');
  page = replaceOne(page, EARLY, `\n    <script>${early}</script>${links.join('')}`, 'place of the early script');
  return replaceOne(page, APP, `\n    <script type="module" src="${app}"></script>`, 'script app.js');
}

/** What open.html may ask, which index.html may not: any host by https, and this machine. It runs no core and has no trace. */
const OPEN_CSP = [
  "default-src 'none'",
  "connect-src 'self' https: http://localhost:* http://127.0.0.1:*",
  "frame-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** open.html?url=…: the same document with another script and another policy. */
function openPage(html, early) {
  const csp = `${OPEN_CSP}; script-src 'self' ${sha256(early)}`;
  const style = '\n    <link rel="stylesheet" href="style.css" />\n    <link rel="stylesheet" href="open.css" />';
  let page = replaceOne(html, CSP, csp, 'Content-Security-Policy');
  page = replaceOne(page, STYLE, style, 'link to style.css');
  page = replaceOne(page, EARLY, `\n    <script>${early}</script>`, 'place of the early script');
  return replaceOne(page, APP, '\n    <script defer src="open.js"></script>', 'script app.js');
}

/** The texts of every language but English, by its tag: of the page, and of the core as `xtask` packed them. */
async function otherTexts() {
  const others = languages().filter((language) => language !== 'en');
  const texts = others.map(async (language) => {
    const core = await readFile(path.join(wasmDir, 'languages', `${language}.texts`), 'utf8');
    return [language, { language, page: messagesIn(language), core }];
  });
  return new Map(await Promise.all(texts));
}

/** The same for a script that has the English texts `named`: `www/src/base/other_texts.ts` says how they go without their ids. */
function textsWithoutIds(all, named) {
  const ids = Object.keys(messagesIn('en', named));
  return new Map([...all].map(([language, texts]) => [language, { ...texts, page: ids.map((id) => texts.page[id] ?? null) }]));
}

/** A picture within an attribute: a text where base64 would take a third more. Not all browsers write `<` in an attribute as it was. */
const dataUrl = (svg) =>
  `data:image/svg+xml,${svg.trim().replace(/>\s+</g, '><').replaceAll('"', "'").replace(/[#<>]/g, encodeURIComponent)}`;

/** A document as browsers write it, so that a shared page, which has no other text of itself than that, shares the same bytes again. */
function asBrowsersWrite(html) {
  const heads = replaceOne(html.replace(/\s*\/>/g, '>'), /(?<=<html [^>]*>)\s+(?=<head>)/, '', 'space before the head');
  return replaceOne(heads, /<\/body>\s*<\/html>\s*$/, '</body></html>', 'end of the document');
}

/** The same page as one file. Everything it runs is named by its hash, and it may load nothing. */
function singleFile(html, starter, app, style, wasm, icon, texts, licences) {
  const csp = [
    "default-src 'none'",
    `script-src ${sha256(starter)} ${sha256(app)} 'wasm-unsafe-eval'`,
    `style-src ${sha256(style)}`,
    'worker-src blob:',
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const scripts = [
    `<script type="application/gzip" id="steplens-wasm">${packed(wasm)}</script>`,
    '<!--steplens:data-->',
    ...[...texts].map(
      ([language, own]) => `<script type="application/gzip" id="steplens-packed-texts-${language}">${packed(JSON.stringify(own))}</script>`,
    ),
    `<script type="application/gzip" id="steplens-packed-licences">${packed(licences)}</script>`,
    `<script type="application/gzip" id="steplens-packed-style">${packed(style)}</script>`,
    `<script type="application/gzip" id="steplens-packed-app">${packed(app)}</script>`,
    `<script id="steplens-app">${starter}</script>`,
  ].join('\n');
  let page = asBrowsersWrite(html.replace(OUTER_FILES, ''));
  page = replaceOne(page, CSP, csp, 'Content-Security-Policy');
  page = replaceOne(page, ICON, dataUrl(icon), 'link to the icon');
  page = replaceOne(page, STYLE, '', 'link to style.css');
  page = replaceOne(page, EARLY, '', 'place of the early script');
  page = replaceOne(page, APP, '', 'script app.js');
  return replaceOne(page, /(?=<\/body>)/, `${scripts}\n`, '</body>');
}

/** The sample as Share would keep it: the same trace as in the file, in a quarter of the bytes. */
async function sampleSession(file, wasm) {
  const core = await import(pathToFileURL(path.join(wasmDir, 'steplens_wasm.js')));
  core.initSync({ module: wasm });
  const session = new core.Session([]);
  session.beginFile(path.basename(file));
  session.push(await readFile(file));
  session.endFile();
  session.finish();
  return gzipSync(session.sessionBytes('', []), { level: 9 });
}

const source = await readFile(path.join(WWW, '..', 'index.html'), 'utf8');
const html = source.replace(TRUNK, '');
const whole = await bundleWithTexts('main.ts', { define: { WORKER_FILE: '""' } });
const style = await bundleStyle();
const wasm = await readFile(path.join(wasmDir, 'steplens_wasm_bg.wasm'));
const core_file = hashed('steplens', wasm, 'wasm');
const parquet = await readFile(path.join(wasmDir, 'steplens_parquet_wasm_bg.wasm'));
const parquet_core = hashed('steplens-parquet', parquet, 'wasm');
const parquet_script = await bundle('parquet.ts');
const parquet_file = hashed('parquet', parquet_script, 'js');
const icon = await readFile(path.join(WWW, 'icon.svg'), 'utf8');
const texts = await otherTexts();
const licences = await readFile(path.join(WWW, 'licences.txt'));
const hosted_files = {
  CORE_FILE: JSON.stringify(core_file),
  CORE_BYTES: String(wasm.length),
  PARQUET_CORE: JSON.stringify(parquet_core),
  PARQUET_FILE: JSON.stringify(parquet_file),
};
const worker = await bundle('worker.ts', { call: 'startHostedWorker', define: hosted_files });
const worker_file = hashed('worker', worker, 'js');
const early = (await bundle('early.ts', { define: { WORKER_FILE: JSON.stringify(worker_file) } })).trim();
const hosted = await hostedScripts(worker_file);
const named = (start) => [...hosted.keys()].filter((name) => name.startsWith(start));

const files = new Map([
  ['index.html', hostedPage(html, early, named('app-')[0], named('shared-'))],
  ['style.css', style],
  ['open.html', openPage(html, (await bundle('open_early.ts')).trim())],
  ['open.css', await bundleStyle(['open'])],
  ['open.js', await bundle('open.ts')],
  ...hosted,
  [worker_file, worker],
  [core_file, wasm],
  [parquet_core, parquet],
  [parquet_file, parquet_script],
  ['sample.steplens.gz', await sampleSession(args.sample, wasm)],
  [
    'steplens.html',
    singleFile(html, await bundle('starter.ts'), whole.script, style, wasm, icon, textsWithoutIds(texts, whole.texts), licences),
  ],
  ['licences.txt', licences],
  ...[...texts].map(([language, own]) => [`${language}.js`, `globalThis.steplens_texts=${JSON.stringify(own)};\n`]),
]);
for (const name of await readdir(WWW)) {
  if (/^icon.*\.(svg|png)$|\.webmanifest$/.test(name)) files.set(name, await readFile(path.join(WWW, name)));
}

// The service worker comes last: it knows every file the page needs and, by their hash, when they have changed.
if (existsSync(path.join(WWW, 'src', 'sw.ts'))) {
  const kept_once_used = [parquet_core, parquet_file];
  const cached = [...files.keys()].filter((name) => !kept_once_used.includes(name)).sort();
  const hash = createHash('sha256');
  for (const name of [...cached, ...kept_once_used]) hash.update(name).update(files.get(name));
  files.set(
    'sw.js',
    await bundle('sw.ts', {
      define: {
        CACHED_FILES: JSON.stringify(cached),
        KEPT_ONCE_USED: JSON.stringify(kept_once_used),
        BUILD_HASH: JSON.stringify(hash.digest('hex').slice(0, 16)),
      },
    }),
  );
}

await mkdir(args.out, { recursive: true });
// Names with a hash change, and nothing of an earlier build may be left.
for (const name of await readdir(args.out)) if (HASHED.test(name) && !files.has(name)) await rm(path.join(args.out, name));
for (const [name, content] of files) {
  const file = path.join(args.out, name);
  const before = existsSync(file) ? await readFile(file) : null;
  // What stays the same keeps its time: the program, which has the page in it, is not compiled again.
  if (!before?.equals(Buffer.from(content))) await writeFile(file, content);
}
