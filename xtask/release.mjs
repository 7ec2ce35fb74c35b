// Packs the files of a release: archives, the npm tarball, and their checksums. The same input gives the same bytes.
//
//   node xtask/release.mjs --version V --target TRIPLE --program FILE --npm DIR --out DIR

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { tar } from './tar.mjs';

const ROOT = path.join(import.meta.dirname, '..');
const names = ['version', 'target', 'program', 'npm', 'out'];
const { values: args } = parseArgs({ options: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) });
for (const name of names) if (!args[name]) throw new Error(`release.mjs needs --${name}`);
const { version, target, out } = args;

const run = (program, options, cwd = ROOT) => execFileSync(program, options, { cwd, maxBuffer: 1 << 28 });
const ownFile = async (name) => [name, await readFile(path.join(ROOT, name))];
const LEGAL = ['LICENSE-MIT', 'LICENSE-APACHE', 'CHANGELOG.md'];

/** Every file in a folder and the folders in it, by its path there. */
async function filesOf(folder, below = '') {
  const found = [];
  for (const entry of (await readdir(path.join(folder, below), { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const name = path.posix.join(below, entry.name);
    if (entry.isDirectory()) found.push(...(await filesOf(folder, name)));
    else found.push([name, await readFile(path.join(folder, name))]);
  }
  return found;
}

/** Writes `name.tar.gz`, whose files are in a folder called `name`. */
async function archive(name, files, programs = []) {
  const entries = files.map(([file, bytes]) => ({ name: `${name}/${file}`, bytes, is_program: programs.includes(file) }));
  await writeFile(path.join(out, `${name}.tar.gz`), gzipSync(tar(entries), { level: 9 }));
}

const page = await filesOf(path.join(ROOT, 'dist'));
await archive(`steplens-page-${version}`, [...page, ...(await Promise.all(LEGAL.map(ownFile)))]);

const said = (...options) => run(args.program, options);
const help = said('--help').toString();
const commands = [...help.slice(help.indexOf('Commands:')).matchAll(/^ {2}([a-z-]+) {2}/gm)].map(([, name]) => name);
if (!commands.includes('summary')) throw new Error(`the program lists no commands: ${help}`);
const program = path.basename(args.program);
await archive(
  `steplens-${version}-${target}`,
  [
    [program, await readFile(args.program)],
    ['man/man1/steplens.1', said('man')],
    ...commands.filter((name) => name !== 'help').map((name) => [`man/man1/steplens-${name}.1`, said('man', name)]),
    ['completions/steplens.bash', said('completions', 'bash')],
    ['completions/_steplens', said('completions', 'zsh')],
    ['completions/steplens.fish', said('completions', 'fish')],
    ['licences.txt', said('licences')],
    ...(await Promise.all([...LEGAL, 'README.md'].map(ownFile))),
  ],
  [program],
);

// What is under version control, and the page, which cargo alone could not build.
const listed = run('git', ['ls-files', '-z']).toString().split('\0').filter(Boolean);
const sources = listed.filter((name) => !/^(tests|fuzz|docs\/screenshots|crates\/[^/]+\/tests)\//.test(name));
const is_file = async (name) => (await stat(path.join(ROOT, name)).catch(() => null))?.isFile() ?? false;
const kept = [];
for (const name of sources) if (await is_file(name)) kept.push(await ownFile(name));
await archive(`steplens-${version}-source`, [
  ...kept.map(([name, bytes]) => (name === 'Cargo.toml' ? [name, withoutTests(bytes)] : [name, bytes])),
  ['crates/steplens-cli/page/steplens.html', await readFile(path.join(ROOT, 'dist/steplens.html'))],
]);

/** The workspace without the tests, whose recordings are ten times as large as all sources. */
function withoutTests(manifest) {
  const text = manifest.toString();
  const members = 'members = ["crates/*", "tests", "xtask"]';
  if (!text.includes(members)) throw new Error(`the root manifest has no ${members}`);
  return Buffer.from(text.replace(members, 'members = ["crates/*", "xtask"]'));
}

const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
run(npm, ['pack', '--pack-destination', path.resolve(out), '--loglevel=error'], args.npm);

const sums = [];
for (const name of (await readdir(out)).filter((name) => /\.t(ar\.)?gz$/.test(name)).sort()) {
  const bytes = await readFile(path.join(out, name));
  sums.push(`${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`);
  process.stdout.write(`${(bytes.length / 2 ** 20).toFixed(1).padStart(7)} MiB  ${name}\n`);
}
await writeFile(path.join(out, 'SHA256SUMS'), sums.join(''));
