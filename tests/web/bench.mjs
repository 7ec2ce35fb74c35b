// How fast a large file opens and moves in Chromium, and how fast the same wasm decodes it in Node.
//
//   node tests/web/bench.mjs FILE
//
// Beside it, if Python has TensorFlow, the time of TensorFlow's own timeline.py for the same file (STEPLENS_PYTHON names
// another Python).

import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import path from 'node:path';
import { chromium } from './browsers.mjs';
import { open } from './core.mjs';
import { openTimed, quantile, tour } from './measure.mjs';
import { serveSite } from './site.mjs';
import { summary } from './steplens.mjs';

const RUNS = 5;
const SLICE_BYTES = 4 * 1024 * 1024;

const file = process.argv[2];
const bytes = statSync(file).size;
const row = (what, value) => console.log(`${what.padEnd(58)} ${value}`);
const ms = (value) => `${value.toFixed(value < 10 ? 1 : 0)} ms`;

async function decodeInNode() {
  const reading = [];
  const arranging = [];
  const network = [];
  let heap = 0;
  let ops = 0;
  for (let run = 0; run < RUNS; run++) {
    const opened = await open(file, SLICE_BYTES);
    reading.push(opened.reading_ms);
    arranging.push(opened.arranging_ms);
    heap = opened.session.heapBytes();
    ops = opened.summary.ops;
    const asked = performance.now();
    opened.session.network();
    network.push(performance.now() - asked);
    opened.session.free();
  }
  row(`${path.basename(file)}`, `${(bytes / 1e6).toFixed(1)} MB, ${ops.toLocaleString('en-US')} ops`);
  row('decode in wasm (Node), best', `${ms(Math.min(...reading))}, ${(bytes / Math.min(...reading) / 1e3).toFixed(0)} MB/s`);
  row('arrange in wasm (Node), best', ms(Math.min(...arranging)));
  row('all figures of the network in wasm (Node), best', ms(Math.min(...network)));
  row('memory of columns, lanes and level of detail', `${(heap / ops).toFixed(1)} bytes per op`);
}

/** From the choice of the file to the first frame that shows it, each time on a fresh page. */
async function openInChromium(browser, url) {
  const times = [];
  let page;
  for (let run = 0; run < RUNS; run++) {
    await page?.close();
    const opened = await openTimed(browser, url, file);
    times.push(opened.open_ms);
    page = opened.page;
  }
  row('open in Chromium, file choice to first frame, median', `${ms(quantile(times, 0.5))} (best ${ms(Math.min(...times))}, worst ${ms(Math.max(...times))})`);
  row('  of it, ops shown', (await summary(page)).ops.toLocaleString('en-US'));
  return page;
}

async function moveInChromium(page) {
  const frames = await tour(page);
  row(`zoom and pan, ${frames.length} frames: work for one, median, p99`, `${ms(quantile(frames, 0.5))}, ${ms(quantile(frames, 0.99))}`);
}

const TIMELINE = `
import os, sys, time
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
from tensorflow.core.protobuf import config_pb2
from tensorflow.python.client import timeline
start = time.perf_counter()
run = config_pb2.RunMetadata()
run.ParseFromString(open(sys.argv[1], "rb").read())
text = timeline.Timeline(run.step_stats).generate_chrome_trace_format()
print(time.perf_counter() - start, len(text))
`;

function timelinePy() {
  const run = spawnSync(process.env.STEPLENS_PYTHON ?? 'python3', ['-c', TIMELINE, file], { encoding: 'utf8' });
  if (run.status !== 0) {
    row('timeline.py', 'not measured: this Python has no TensorFlow');
    return;
  }
  const [seconds, size] = run.stdout.trim().split(' ').map(Number);
  row('timeline.py, file to Chrome trace', `${seconds.toFixed(1)} s, ${(size / 1e6).toFixed(0)} MB of JSON that is yet to be opened`);
}

await decodeInNode();
const site = await serveSite();
const browser = await chromium();
try {
  await moveInChromium(await openInChromium(browser, site.url));
} finally {
  await browser.close();
  await site.close();
}
timelinePy();
