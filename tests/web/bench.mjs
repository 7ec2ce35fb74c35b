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
import { canvasBox } from './canvas.mjs';
import { open } from './core.mjs';
import { serveSite } from './site.mjs';
import { openFiles, summary, visit } from './steplens.mjs';

const RUNS = 5;
const STEPS = 120;
const IDLE_MS = 500;
const SLICE_BYTES = 4 * 1024 * 1024;

const file = process.argv[2];
const bytes = statSync(file).size;
const quantile = (values, share) => [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(share * values.length))];
const row = (what, value) => console.log(`${what.padEnd(58)} ${value}`);
const ms = (value) => `${value.toFixed(value < 10 ? 1 : 0)} ms`;

async function decodeInNode() {
  const reading = [];
  const arranging = [];
  let heap = 0;
  let ops = 0;
  for (let run = 0; run < RUNS; run++) {
    const opened = await open(file, SLICE_BYTES);
    reading.push(opened.reading_ms);
    arranging.push(opened.arranging_ms);
    heap = opened.session.heapBytes();
    ops = opened.summary.ops;
    opened.session.free();
  }
  row(`${path.basename(file)}`, `${(bytes / 1e6).toFixed(1)} MB, ${ops.toLocaleString('en-US')} ops`);
  row('decode in wasm (Node), best', `${ms(Math.min(...reading))}, ${(bytes / Math.min(...reading) / 1e3).toFixed(0)} MB/s`);
  row('arrange in wasm (Node), best', ms(Math.min(...arranging)));
  row('memory of columns, lanes and level of detail', `${(heap / ops).toFixed(1)} bytes per op`);
}

/** From the choice of the file to the first frame that shows it, each time on a fresh page. */
async function openInChromium(browser, url) {
  const times = [];
  let page;
  for (let run = 0; run < RUNS; run++) {
    await page?.close();
    ({ page } = await visit(browser, url));
    // Nobody chooses a file sooner; what the page does meanwhile is not part of opening it.
    await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
    await openFiles(page, file);
    times.push(await page.evaluate(() => {
      const [opened, ready] = ['steplens:open', 'steplens:ready'].map((name) => performance.getEntriesByName(name).at(-1).startTime);
      return ready - opened;
    }));
  }
  row('open in Chromium, file choice to first frame, median', `${ms(quantile(times, 0.5))} (best ${ms(Math.min(...times))}, worst ${ms(Math.max(...times))})`);
  row('  of it, ops shown', (await summary(page)).ops.toLocaleString('en-US'));
  return page;
}

/** Zooms in to a hundredth and out again, and moves about, one input for each frame. */
async function moveInChromium(page) {
  const box = await canvasBox(page);
  const frames = await page.evaluate(async ({ x, y, width, height }, steps) => {
    performance.clearMeasures('steplens:frame');
    const canvas = document.querySelector('canvas.lanes');
    const wheel = (init) => canvas.dispatchEvent(new WheelEvent('wheel', { clientX: x + width / 3, clientY: y + height / 2, bubbles: true, cancelable: true, ...init }));
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    for (let step = 0; step < steps; step++) {
      const zoom = step % 40 < 20 ? -100 : 100;
      wheel(step % 2 ? { deltaY: 60, shiftKey: true } : { deltaY: zoom, ctrlKey: true });
      await frame();
      await frame();
    }
    return performance.getEntriesByName('steplens:frame').map((entry) => entry.duration);
  }, box, STEPS);
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
