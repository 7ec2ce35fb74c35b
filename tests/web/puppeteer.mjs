// Puppeteer in one file: a test that imports its 700 modules takes 0.4 s of a processor for it, and one file half of that.

import { access, mkdir, rename } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { ROOT } from './site.mjs';

// The npm packages live beside the front-end.
const require = createRequire(path.join(ROOT, 'www/package.json'));
const MODULES = require.resolve('puppeteer-core').replace(/([\\/])cjs([\\/])/, '$1esm$2');

/** The module to import: what `inOneFile` has made for this run, or all modules. */
export const PUPPETEER = process.env.STEPLENS_PUPPETEER ?? MODULES;

/** Makes the one file, which is kept by its version, and gives its path. */
export async function inOneFile() {
  const { version } = require('puppeteer-core/package.json');
  const file = path.join(ROOT, `target/tools/puppeteer-${version}.mjs`);
  const is_there = await access(file).then(() => true, () => false);
  if (is_there) return file;
  await mkdir(path.dirname(file), { recursive: true });
  const part = `${file}.${process.pid}`;
  await require('esbuild').build({
    entryPoints: [MODULES],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: part,
    // What is not there for Node, and what modules of the old kind ask for.
    external: ['bufferutil', 'utf-8-validate'],
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    logLevel: 'warning',
  });
  await rename(part, file);
  return file;
}
