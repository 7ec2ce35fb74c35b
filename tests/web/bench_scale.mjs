// How opening, memory and frames grow with the size of a trace: a Markdown table with a row for each file.
//
//   node tests/web/bench_scale.mjs FILE...

import { statSync } from 'node:fs';
import { chromium } from './browsers.mjs';
import { open } from './core.mjs';
import { idleFrames, openTimed, peakOfTab, quantile, tour } from './measure.mjs';
import { serveSite } from './site.mjs';
import { summary } from './steplens.mjs';

const RUNS = 3;
const SLICE_BYTES = 4 * 1024 * 1024;
const SIZES = [{ width: 1600, height: 900 }, { width: 3840, height: 2160 }];

const mb = (bytes) => (bytes === null ? 'not told' : `${(bytes / 1e6).toFixed(bytes < 1e8 ? 1 : 0)} MB`);
const ms = (value) => `${value.toFixed(value < 100 ? 1 : 0)} ms`;
const row = (cells) => console.log(`| ${cells.join(' | ')} |`);

/** All cells of one file. Each file has a browser of its own, so that no memory is left from the one before. */
async function measured(url, file) {
  const { session, summary: { ops } } = await open(file, SLICE_BYTES);
  const bytes_per_op = session.heapBytes() / ops;
  session.free();
  const browser = await chromium();
  try {
    const first = await openTimed(browser, url, file);
    const peak = await peakOfTab(browser);
    const frames = [];
    for (const size of SIZES) {
      await first.page.setViewport(size);
      await idleFrames(first.page);
      frames.push(await tour(first.page));
    }
    const idle = await idleFrames(first.page);
    const shown = (await summary(first.page)).ops;
    await first.page.close();
    const times = [first.open_ms];
    while (times.length < RUNS) {
      const { page, open_ms } = await openTimed(browser, url, file);
      times.push(open_ms);
      await page.close();
    }
    return [
      shown.toLocaleString('en-US'),
      mb(statSync(file).size),
      ms(quantile(times, 0.5)),
      mb(peak),
      bytes_per_op.toFixed(1),
      ...frames.map((work) => `${ms(quantile(work, 0.5))}, ${ms(quantile(work, 0.99))}`),
      `${idle.drawn} drawn, ${idle.asked} asked for`,
    ];
  } finally {
    await browser.close();
  }
}

const site = await serveSite();
row(['ops', 'file', `open, median of ${RUNS}`, 'tab, peak', 'bytes per op', ...SIZES.map(({ width, height }) => `frame at ${width}x${height}: p50, p99`), 'frames in an idle second']);
row(Array(8).fill('---:'));
for (const file of process.argv.slice(2)) row(await measured(site.url, file));
await site.close();
