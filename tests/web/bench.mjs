// The other half of `cargo xtask bench`: the same inputs in wasm, and the page in Chromium.
//
//   node tests/web/bench.mjs FOLDER
//
// FOLDER holds what the native half wrote: steps.pb, steps.json, both packed, steps.xplane.pb. Prints one JSON object of figures.

import { readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { chromium } from "./browsers.mjs";
import { open, RangeQuery, RouteQuery, Session } from "./core.mjs";
import {
  idleFrames,
  openTimed,
  quantile,
  sampleTimed,
  sceneTimed,
  tour,
} from "./measure.mjs";
import { builtFile, DIST, serveSite } from "./site.mjs";

/** The fastest counts where nothing but the machine disturbs, the median where a browser is at work. */
const RUNS = 15;
const SLICE_BYTES = 1024 * 1024;
const SIZES = [
  ["hd", { width: 1600, height: 900 }],
  ["4k", { width: 3840, height: 2160 }],
];

/** The last one stays open for what is measured after that. */
const OPENED = [
  ["open_pb_gz_ms", "steps.pb.gz"],
  ["open_json_gz_ms", "steps.json.gz"],
  ["open_json_ms", "steps.json"],
  ["open_ms", "steps.pb"],
];

const input = (name) => path.join(process.argv[2], name);
const figures = {};

/** Everything that the page may ask, asked once: only then all memory is counted. */
function askEverything({ session, summary }) {
  session.totals();
  session.answer('doctor', '');
  session.answer('clocks', '');
  session.answer('transfers', '');
  const whole = () => new RangeQuery(0, summary.span_ns + 1);
  session.range(whole());
  session.opTypes(whole());
  session.concurrency(whole(), 400).free();
  session.strips(
    0,
    summary.span_ns,
    1600,
    Uint32Array.from(summary.devices.keys()),
  );
  session.traffic(
    0,
    summary.span_ns,
    1600,
    new RouteQuery(false, undefined, undefined),
  );
  session.search("MatMul", false);
  session.flow(0, 3);
}

/** Milliseconds from memory, the fastest of some runs: until all is read, and until it is a trace. */
function times(name) {
  const bytes = readFileSync(input(name));
  const best = { bytes: bytes.length, read: Infinity, trace: Infinity };
  for (let run = 0; run < RUNS; run++) {
    const session = new Session([]);
    const started = performance.now();
    session.beginFile(name);
    session.expectBytes(bytes.length);
    for (let at = 0; at < bytes.length; at += SLICE_BYTES)
      session.push(bytes.subarray(at, at + SLICE_BYTES));
    session.endFile();
    best.read = Math.min(best.read, performance.now() - started);
    session.finish();
    best.trace = Math.min(best.trace, performance.now() - started);
    session.free();
  }
  return best;
}

/** Milliseconds until the answer to the first question, of a trace that `prepare` was done with: by default, whose transfers are known. */
async function askedFirst(ask, prepare = (session) => session.totals()) {
  let best = Infinity;
  for (let run = 0; run < RUNS; run++) {
    const { session } = await open(input("steps.pb"), SLICE_BYTES);
    prepare(session);
    const asked = performance.now();
    ask(session);
    best = Math.min(best, performance.now() - asked);
    session.free();
  }
  return best;
}

/** Milliseconds until two traces are compared of which nothing is known but what reading makes. */
async function comparedFirst() {
  const [a, b] = await Promise.all([open(input("steps.pb"), SLICE_BYTES), open(input("steps.pb"), SLICE_BYTES)]);
  const asked = performance.now();
  while (a.session.compareOne(b.session) === undefined);
  const compared = performance.now() - asked;
  a.session.free();
  b.session.free();
  return compared;
}

/** Megabytes a second from memory. */
function speed(name) {
  const { bytes, read } = times(name);
  return bytes / read / 1e3;
}

async function inNode() {
  const pb = times("steps.pb");
  const session = times("steps.steplens");
  figures.wasm_mb_s = pb.bytes / pb.read / 1e3;
  Object.assign(figures, {
    wasm_pb_ms: pb.read,
    wasm_session_ms: session.read,
    wasm_pb_trace_ms: pb.trace,
    wasm_session_trace_ms: session.trace,
  });
  figures.core_kb = gzipSync(readFileSync(path.join(DIST, builtFile("steplens", "wasm"))), { level: 9 }).length / 1000;
  figures.wasm_chrome_mb_s = speed("steps.json");
  const xspace = times("steps.xplane.pb");
  figures.wasm_xspace_mb_s = xspace.bytes / xspace.read / 1e3;
  figures.wasm_xspace_trace_ms = xspace.trace;
  figures.wasm_table_ms = await askedFirst((session) => {
    session.totals();
    session.transfers("waited_ns", true, "", 0, 100, undefined);
  }, () => undefined);
  figures.wasm_memory_ms = await askedFirst((session) => session.memory());
  figures.wasm_path_ms = await askedFirst((session) => session.criticalPath());
  figures.wasm_compare_ms = await comparedFirst();
  figures.wasm_network_ms = Infinity;
  for (let run = 0; run < RUNS; run++) {
    const { session, summary } = await open(input("steps.pb"), SLICE_BYTES);
    figures.bytes_per_op_first = session.heapBytes() / summary.ops;
    const asked = performance.now();
    session.network();
    figures.wasm_network_ms = Math.min(
      figures.wasm_network_ms,
      performance.now() - asked,
    );
    if (run === RUNS - 1) {
      askEverything({ session, summary });
      figures.bytes_per_op_all = session.heapBytes() / summary.ops;
    }
    session.free();
  }
}

async function inChromium() {
  const site = await serveSite();
  const browser = await chromium();
  try {
    const samples = [];
    // In turns: whatever else the machine does disturbs all of them alike.
    const opened = new Map(OPENED.map(([name]) => [name, []]));
    let page;
    for (let run = 0; run < RUNS; run++) {
      for (const [name, file] of OPENED) {
        await page?.close();
        const first = await openTimed(browser, site.url, input(file));
        opened.get(name).push(first.open_ms);
        page = first.page;
      }
    }
    for (const [name, times] of opened) figures[name] = quantile(times, 0.5);
    for (const [name, size] of SIZES) {
      await page.setViewport(size);
      await idleFrames(page);
      figures[`scene_${name}_ms`] = await sceneTimed(page, size);
      figures[`frame_${name}_p99_ms`] = quantile(await tour(page), 0.99);
    }
    await page.close();
    for (let run = 0; run < RUNS; run++)
      samples.push(await sampleTimed(site.url));
    figures.sample_ms = quantile(samples, 0.5);
  } finally {
    await browser.close();
    await site.close();
  }
}

await inNode();
await inChromium();
console.log(JSON.stringify(figures));
