// What the timeline draws in Chromium, pixel by pixel, and what a click on it shows.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { chromium } from './browsers.mjs';
import { canvasBox, fragment, rowsWith } from './canvas.mjs';
import { open } from './core.mjs';
import { runMetadata } from './run_metadata.mjs';
import { fixture, serveSite } from './site.mjs';
import { chooseBytes, openFiles, text, visit, waitForReady } from './steplens.mjs';

let site;
let browser;
before(async () => {
  site = await serveSite();
  browser = await chromium();
});
after(async () => {
  await browser?.close();
  await site?.close();
});

/** How far from an op's end, in CSS pixels, it is surely drawn or surely not: ends may fall on half pixels. */
const NEAR_PX = 3;

/** The points just inside and just outside of some ops, in pixels of a canvas `width` wide that shows `window`. */
function edges(ops, window, width) {
  const x = (ns) => ((ns - window[0]) / (window[1] - window[0])) * width;
  const shown = (at) => at >= 0 && at < width;
  return {
    inside: ops.flatMap(([start, end]) => [x(start) + NEAR_PX, (x(start) + x(end)) / 2, x(end) - NEAR_PX]).filter(shown),
    outside: ops.flatMap(([start, end]) => [x(start) - NEAR_PX, x(end) + NEAR_PX]).filter(shown),
  };
}

const middle = ([top, bottom]) => (top + bottom) / 2;

test('marks are where their ops are, in the colour of their category', async () => {
  const MICROS = 1000;
  const start_us = 5000;
  const transfer = 'RecvTensor';
  const label = '[4B] [0B] edge_1_a from /job:a/replica:0/task:0/device:CPU:0 to /job:a/replica:0/task:1/device:CPU:0';
  const computing = [['a', 0, 100], ['b', 200, 400], ['c', 500, 1000]];
  const receiving = [[transfer, 150, 450], [transfer, 700, 800]];
  const bytes = runMetadata([computing, receiving].map((ops, task) => ({
    device: `/job:a/replica:0/task:${task}/device:CPU:0`,
    ops: ops.map(([name, start, end]) => ({
      name,
      label: name === transfer ? label : `${name} = MatMul()`,
      start: start_us + start,
      end: start_us + end,
    })),
  })));
  const window = [-100 * MICROS, 1100 * MICROS];
  const { page } = await visit(browser, `${site.url}${fragment({ ops: 5, span_ns: 1000 * MICROS }, ...window)}`);
  await waitForReady(page, () => chooseBytes(page, [{ name: 'drawn.pb', bytes }]));
  const { width } = await canvasBox(page);
  const rows = async (ops, category) => {
    const intervals = ops.map(([, start, end]) => [start * MICROS, end * MICROS]);
    const found = await rowsWith(page, { ...edges(intervals, window, width), category });
    // A label covers a few rows of pixels in the middle of its mark, so one lane may be two runs.
    assert.ok(found.length > 0, `no row of pixels shows ${category} exactly where it was`);
    return [found[0][0], found.at(-1)[1]];
  };
  const first = await rows(computing, 'compute');
  const second = await rows(receiving, 'communication');
  assert.ok(first[1] <= second[0], 'the devices are in order from top to bottom');
  await page.close();
});

/** The longest op of the first device that is of this category and stands apart in its lane, so that its ends are to be seen. */
function standsApart(session, summary, category) {
  const types = JSON.parse(session.opTypes(0, summary.span_ns, 0)).filter((row) => row.category === category);
  const details = types.flatMap((row) => {
    session.search(`type:${row.op_type}`, false);
    return [...session.searchOps()].map((op) => JSON.parse(session.op(op)));
  });
  const apart = details.filter((op) => {
    const gap = (op.end_ns - op.start_ns) / 10;
    const [before, after] = [-1, 1].map((step) => session.neighbour(op.op, step)).map((id) => (id === undefined ? null : JSON.parse(session.op(id))));
    return op.device === 0 && op.category === category && gap > 0 && (!before || before.end_ns + gap <= op.start_ns) && (!after || after.start_ns - gap >= op.end_ns);
  });
  return apart.reduce((a, b) => (b.end_ns - b.start_ns > a.end_ns - a.start_ns ? b : a));
}

for (const category of ['compute', 'communication']) {
  test(`a click on an op of ps4w.pb (${category}) shows its details`, async () => {
    const { session, summary } = await open(fixture('ps4w.pb'));
    const op = standsApart(session, summary, category);
    const air = (op.end_ns - op.start_ns) / 10;
    const window = [op.start_ns - air, op.end_ns + air].map(Math.round);
    const { page } = await visit(browser, `${site.url}${fragment(summary, ...window)}`);
    await openFiles(page, fixture('ps4w.pb'));
    const box = await canvasBox(page);
    const rows = await rowsWith(page, { ...edges([[op.start_ns, op.end_ns]], window, box.width), category });
    assert.ok(rows.length > 0, `no row of pixels shows ${op.name} where it was`);
    await page.mouse.click(box.x + box.width / 2, box.y + middle(rows[0]));
    await page.waitForFunction((op) => new URLSearchParams(location.hash.slice(1)).get('op') === op, {}, String(op.op));
    const words = await text(page);
    assert.ok(words.includes(op.op_type), `the page says ${op.op_type}`);
    if (op.transfer) {
      assert.ok(words.includes(op.transfer.tensor), `the page names the tensor ${op.transfer.tensor}`);
    } else {
      assert.ok(words.includes(op.name), `the page says ${op.name}`);
    }
    await page.close();
    session.free();
  });
}
