// The page's own wasm, loaded into Node: the same module and bindings, without a browser.

import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT, fixture } from './site.mjs';

const BUILD = path.join(ROOT, 'www/build');
// Like the worker, but of an odd size, so that messages are cut at odd places.
const SLICE_BYTES = 65_521;

const { initSync, Session } = await import(pathToFileURL(path.join(BUILD, 'steplens_wasm.js')).href);
initSync({ module: await readFile(path.join(BUILD, 'steplens_wasm_bg.wasm')) });

export const FIXTURES = (await readdir(fixture('.'))).filter((name) => name.endsWith('.pb')).sort();

/** Opens one file as the worker does, slice by slice. */
export async function open(file, sliceBytes = SLICE_BYTES) {
  const bytes = await readFile(file);
  const session = new Session([]);
  const started = performance.now();
  session.beginFile(path.basename(file), bytes.length);
  for (let offset = 0; offset < bytes.length; offset += sliceBytes) session.push(bytes.subarray(offset, offset + sliceBytes));
  session.endFile();
  const read = performance.now();
  const summaryJson = session.finish();
  const arranging_ms = performance.now() - read;
  return { session, summaryJson, summary: JSON.parse(summaryJson), reading_ms: read - started, arranging_ms };
}
