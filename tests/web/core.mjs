// The page's own wasm, loaded into Node: the same modules and bindings, without a browser.

import { createReadStream } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { BINDINGS, fixture } from './site.mjs';

// Like the worker, but of an odd size, so that messages are cut at odd places.
const SLICE_BYTES = 65_521;

const bindings = await import(pathToFileURL(path.join(BINDINGS, 'steplens_wasm.js')).href);
bindings.initSync({ module: await readFile(path.join(BINDINGS, 'steplens_wasm_bg.wasm')) });
export const { OpFilter, RangeQuery, RedactionQuery, RouteQuery, Session } = bindings;

/** The Chrome traces that have golden texts, as in tests/tests/golden.rs. */
export const CHROME_TRACES = ['collective.memory.ctf.json.gz', 'mnist-adam.memory.ctf.json.gz', 'ps4w.ctf.json.gz', 'timeline-concat.ctf.json'].map(
  (name) => `chrome/${name}`,
);
export const FIXTURES = (await readdir(fixture('.'))).filter((name) => name.endsWith('.pb')).sort();

/** Opens one file as the worker does, slice by slice; what matches `communication` counts as that. */
export async function open(file, sliceBytes = SLICE_BYTES, communication = []) {
  const session = new Session(communication);
  const started = performance.now();
  session.beginFile(path.basename(file));
  // No more of the file is ever in memory than a slice: Node reads no file of over 2 GiB whole.
  for await (const slice of createReadStream(file, { highWaterMark: Math.min(sliceBytes, 1 << 30) })) session.push(slice);
  session.endFile();
  const read = performance.now();
  session.finish();
  const arranging_ms = performance.now() - read;
  const summaryJson = session.summary();
  return { session, summaryJson, summary: JSON.parse(summaryJson), reading_ms: read - started, arranging_ms };
}
