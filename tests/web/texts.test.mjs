// What the page says of recordings, in every place: `golden/` has the words that were read last. What Rust says has golden files of its own; here is what
// TypeScript makes of it: rows, headings, units, what is there and what is not.
//
// STEPLENS_BLESS=1 cargo xtask test browser (or this file by hand) writes them anew; read the difference before it is committed.

import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { toTab, untilRest } from './hands.mjs';
import { fixture, ROOT } from './site.mjs';
import { onTrace } from './stage.mjs';

const FOLDER = path.join(ROOT, 'tests/web/golden');
const IS_BLESSED = Boolean(process.env.STEPLENS_BLESS);
/** Longer than any answer about these takes next to two other files of tests. */
const PATIENCE_MS = 20_000;

const TRACES = [
  'ps4w.pb',
  'collective.pb',
  'multidev.pb',
  'gpu/kernels.pb',
  'chrome/timeline-concat.ctf.json',
  'chrome/mnist-adam.memory.ctf.json.gz',
  'containers/gpu.xplane.pb',
  'containers/tpu.xplane.pb',
  'containers/tf2.xplane.pb',
  'containers/paddle-trainer0.profile',
];

/**
 * Runs in the page: the words of what is seen in `selector`, a line for each row, heading and paragraph. Of each list the first rows: how many are made depends
 * on the height of letters.
 */
function wordsOf(selector) {
  const ROWS = 4;
  const lines = [];
  let last = null;
  const is_left_out = (element) => {
    const row = element.closest('tbody tr, li, [role="row"]');
    return row !== null && [...row.parentElement.children].indexOf(row) >= ROWS;
  };
  for (const root of document.querySelectorAll(selector)) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const element = walker.currentNode.parentElement;
      const words = walker.currentNode.data.replaceAll(/\s+/gu, ' ').trim();
      if (words === '' || element.closest('style, script, .hidden-text') || !element.checkVisibility() || is_left_out(element)) continue;
      const line = element.closest('tr, li, p, h1, h2, h3, h4, button, label, dt, dd, [role="row"]') ?? element.parentElement;
      if (line === last) lines[lines.length - 1] += ` ${words}`;
      else lines.push(words);
      last = line;
    }
  }
  return lines.join('\n');
}

/** The words of `selector`, once they are those that are wanted; or else those that are there after a while. */
async function settled(page, selector, wanted) {
  if (wanted === undefined) {
    await page.waitForFunction(() => document.querySelector('[aria-busy="true"], .waits') === null);
    await untilRest(page);
    return page.evaluate(wordsOf, selector);
  }
  const is_there = `(${wordsOf})(${JSON.stringify(selector)}) === ${JSON.stringify(wanted)}`;
  await page.waitForFunction(is_there, { timeout: PATIENCE_MS }).catch((error) => {
    if (error.name !== 'TimeoutError') throw error;
  });
  return page.evaluate(wordsOf, selector);
}

/** What stands in a golden file, by heading. */
async function sections(file) {
  const text = await readFile(file, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const parts = text.split(/^## (.*)$/mu).slice(1);
  return new Map(parts.flatMap((part, at) => (at % 2 === 0 ? [[part, parts[at + 1].trim()]] : [])));
}

for (const trace of TRACES) {
  const name = trace.split('/').at(-1);
  onTrace(fixture(trace), `${name}: what every place says`, async ({ page }) => {
    const file = path.join(FOLDER, `${name}.txt`);
    const before = await sections(file);
    const got = new Map();
    const look = async (heading, selector) => got.set(heading, await settled(page, selector, IS_BLESSED ? undefined : before.get(heading) ?? ''));
    await look('header', 'header');
    await look('verdict and split', '.overview');
    await look('rows', '.tracks');
    // The first op is selected, for its place in the drawer.
    await page.keyboard.press('.');
    const tabs = await page.$$eval('[role="tab"][id^="tab-"]', (tabs) => tabs.filter((tab) => !tab.hidden).map((tab) => tab.id.slice('tab-'.length)));
    for (const tab of tabs) {
      await toTab(page, tab);
      const panel = await page.$eval(`#tab-${tab}`, (own) => own.getAttribute('aria-controls'));
      await look(tab, `#${panel}`);
    }
    if (IS_BLESSED) {
      await mkdir(FOLDER, { recursive: true });
      await writeFile(file, [...got].map(([heading, words]) => `## ${heading}\n\n${words}\n`).join('\n'));
      return;
    }
    for (const heading of new Set([...before.keys(), ...got.keys()])) assert.equal(got.get(heading), before.get(heading), `${name}: ${heading}`);
  });
}
