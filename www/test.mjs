// Runs the front-end's unit tests: every src/**/*.test.ts, bundled for Node and given to Node's own test runner.

import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { messages } from './messages.mjs';

const SRC = path.join(import.meta.dirname, 'src');
const OUT = path.join(import.meta.dirname, 'build', 'tests');

const tests = readdirSync(SRC, { recursive: true }).filter((name) => name.endsWith('.test.ts'));
rmSync(OUT, { recursive: true, force: true });
await build({
  entryPoints: tests.map((name) => path.join(SRC, name)),
  outdir: OUT,
  outbase: SRC,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  sourcemap: 'inline',
  plugins: [messages()],
  logLevel: 'warning',
});
const bundles = tests.map((name) => path.join(OUT, name.replace(/\.ts$/, '.mjs')));
const reporters = ['--test-reporter=spec', '--test-reporter-destination=stdout'];
// Where `cargo xtask test` asks how long each test takes.
const [times] = process.argv.slice(2);
if (times) reporters.push('--test-reporter=../tests/web/times.mjs', `--test-reporter-destination=${times}`);
const run = spawnSync(process.execPath, ['--test', ...reporters, '--enable-source-maps', ...bundles], {
  stdio: 'inherit',
  cwd: import.meta.dirname,
});
process.exit(run.status ?? 1);
