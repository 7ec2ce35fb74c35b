// Counters as lanes and instants as flags, by hand, against what JSON.parse reads in the file.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { canvasBox } from './canvas.mjs';
import { until, untilSpoken } from './hands.mjs';
import { fixture } from './site.mjs';
import { onPage } from './stage.mjs';
import { openFiles } from './steplens.mjs';

const FILE = fixture('counters/viztracer.json.gz');
const { traceEvents } = JSON.parse(gunzipSync(await readFile(FILE)).toString());

/** Of each series its values in order of time. */
const series = new Map();
for (const { ph, name, ts, args } of traceEvents) {
  if (ph !== 'C') continue;
  for (const [key, value] of Object.entries(args)) {
    const full = `${name} · ${key}`;
    series.set(full, [...(series.get(full) ?? []), { at_us: ts, value }]);
  }
}
for (const points of series.values()) points.sort((a, b) => a.at_us - b.at_us);
const instants = traceEvents.filter(({ ph }) => ph === 'i');

async function opened(page) {
  await openFiles(page, FILE);
  await until(page, (count) => document.querySelector('canvas.lanes').getAttribute('aria-label').includes(`Counters: ${count}.`), series.size);
  // The lanes take their room in the next frame.
  await until(page, () => document.querySelector('.scroller').scrollHeight > 0);
}

/** What the tooltip says at a point of the lanes. */
async function tipAt(page, x, y) {
  const box = await canvasBox(page);
  await page.mouse.move(box.x + x, box.y + y);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  return page.$eval('.tooltip', (tip) => (tip.hidden ? '' : tip.innerText));
}

/** The lanes of counters from top to bottom: their names, and a point of each. */
async function lanesOf(page, x) {
  const box = await canvasBox(page);
  const found = new Map();
  for (let y = 4; y < box.height - 2; y += 6) {
    const name = (await tipAt(page, x, y)).split('\n')[0];
    if (series.has(name) && !found.has(name)) found.set(name, y + 8);
  }
  return found;
}

onPage('each series of a counter is a lane, and the pointer reads its value', async ({ page }) => {
  await opened(page);
  const box = await canvasBox(page);
  const x = Math.round(box.width * 0.9);
  await page.$eval('.scroller', (scroller) => (scroller.scrollTop = scroller.scrollHeight));
  const lanes = await lanesOf(page, x);
  assert.ok(lanes.has('queue · length') && lanes.size >= 4, [...lanes.keys()].join());
  for (const [name, y] of lanes) {
    const [, said, between] = (await tipAt(page, x, y)).split('\n');
    const values = series.get(name).map(({ value }) => value);
    const shown = Number(said.replaceAll(',', ''));
    const near = (value) => Math.abs(value - shown) <= Math.abs(value) * 1e-3;
    assert.ok(values.some(near), `${name}: ${said} is none of its values`);
    assert.match(between, /between|from/);
  }
});

/** How many pixels of the canvas have the colour of a custom property, in some rows. */
const pixelsOf = (page, property, from, to) =>
  page.$eval(
    'canvas.lanes',
    (canvas, property, from, to) => {
      const probe = document.createElement('canvas').getContext('2d');
      probe.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(property).trim();
      probe.fillRect(0, 0, 1, 1);
      const wanted = probe.getImageData(0, 0, 1, 1).data;
      const ratio = canvas.width / canvas.clientWidth;
      const { data } = canvas.getContext('2d').getImageData(0, from * ratio, canvas.width, Math.max(1, (to - from) * ratio));
      let count = 0;
      for (let at = 0; at < data.length; at += 4) if ([0, 1, 2].every((part) => data[at + part] === wanted[part])) count++;
      return count;
    },
    property,
    from,
    to,
  );

onPage('lanes are drawn with their values, and flags over the lanes of threads', async ({ page }) => {
  await opened(page);
  const box = await canvasBox(page);
  await until(page, () => performance.getEntriesByName('steplens:frame').length > 3);
  const x = Math.round(box.width * 0.9);
  await page.$eval('.scroller', (scroller) => (scroller.scrollTop = scroller.scrollHeight));
  const lanes = await lanesOf(page, x);
  const [first] = lanes.values();
  const lines = await pixelsOf(page, '--accent', first - 8, box.height);
  assert.ok(lines > box.width * lanes.size * 0.5, `${lines} pixels of values`);
  await page.$eval('.scroller', (scroller) => (scroller.scrollTop = 0));
  await tipAt(page, 1, 1);
  const flags = await pixelsOf(page, '--note', 0, box.height);
  assert.ok(flags >= instants.length * 10, `${flags} pixels of flags`);
});

onPage('a flag says what was recorded, and so does the tab Selection', async ({ page }) => {
  await opened(page);
  const box = await canvasBox(page);
  const epoch = instants.filter(({ name }) => name === 'epoch')[1];
  const summary = await page.evaluate(() => window.steplens.summary());
  const first_us = Math.min(...traceEvents.filter(({ ph }) => ph === 'X').map(({ ts }) => ts));
  let at = null;
  // The flag is at its time; its height depends on the lanes.
  const x = Math.round(((epoch.ts - first_us) * 1000 * box.width) / summary.span_ns) + 3;
  for (let y = 2; y < box.height && at === null; y += 3) {
    for (const near of [x, x - 4, x + 4, x - 8, x + 8])
      if (at === null && (await tipAt(page, near, y)).startsWith('epoch')) at = { x: near, y };
  }
  assert.ok(at, 'no flag called epoch');
  await until(page, () => document.querySelector('.tooltip').innerText.includes('loss'));
  await page.mouse.click(box.x + at.x, box.y + at.y);
  await untilSpoken(page, /Selected the instant epoch/);
  const said = await page.$eval('.selection', (panel) => panel.innerText);
  for (const [name, value] of Object.entries(epoch.args)) assert.ok(said.includes(name) && said.includes(String(value)), `${name} ${value} in ${said}`);
  assert.match(said, /its process/);
});
