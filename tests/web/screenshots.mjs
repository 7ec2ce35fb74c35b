// Takes the pictures of the page that the documentation shows: recorded steps, at three sizes, light and dark.
//
//   cargo xtask screenshots, or node tests/web/screenshots.mjs FOLDER

import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { chromium } from './browsers.mjs';
import { fragment } from './canvas.mjs';
import { open } from './core.mjs';
import { toTab, until, untilSpoken } from './hands.mjs';
import { fixture, serveSite } from './site.mjs';
import { openFiles, visit } from './steplens.mjs';

const FILE = fixture('ps4w.pb');
const NEXT_STEP = fixture('ps4w-later.pb');
const SKEWED = fixture('ps4w-skewed.pb');
const LAPTOP = { width: 1600, height: 900 };
/** The last one is a screen of 3840 by 2160 pixels on which people let everything be twice as large. */
const SIZES = [
  { width: 900, height: 700 },
  LAPTOP,
  { width: 1920, height: 1080, deviceScaleFactor: 2 },
];
const SCHEMES = ['light', 'dark'];

/** A weight on its way from the parameter server to the first worker. */
function weightOnItsWay(session) {
  session.search('name:net/mixed_1/b2b/w/read', false);
  const found = [...session.searchOps()].map((op) => JSON.parse(session.op(op)));
  return found.find(({ transfer }) => transfer?.bytes > 0 && transfer.destination.startsWith('/job:worker/replica:0/task:0/'));
}

/** The stretch in which the workers wait for their weights. */
const WEIGHTS_NS = [26e6, 68e6];

/** The op of the observed path that waited longest for a thread, or to be started, once the weights had come. */
function waitedLongest(session) {
  const { ops, kind, kinds, start_ns, end_ns } = JSON.parse(session.criticalPath());
  const rows = ops.map((op, at) => ({ op, kind: kinds[kind[at]], start: start_ns[at], length: end_ns[at] - start_ns[at] }));
  const waited = rows.filter((row) => ['behind', 'launching'].includes(row.kind) && row.start > WEIGHTS_NS[1]);
  return waited.reduce((a, b) => (b.length > a.length ? b : a)).op;
}

/** What the pictures show, as a window and the rest of the address, a tab, files, what is said once it is there, and at which sizes. */
function scenes({ session, summary }) {
  const { op, start_ns, end_ns } = weightOnItsWay(session);
  const air_ns = (end_ns - start_ns) * 1.5;
  return {
    op: { window: [start_ns - air_ns, end_ns + air_ns], more: `&op=${op}&tab=range`, there: '.selection-card .why', said: null, sizes: SIZES },
    range: { window: [0, summary.span_ns], more: `&tab=range&r=${WEIGHTS_NS}`, said: /^Range of /, sizes: [LAPTOP] },
    ...Object.fromEntries(['stragglers', 'exposed', 'tensors', 'links', 'order'].map((id) => [id, { window: [0, summary.span_ns], more: `&tab=network&net=${id}`, said: null, sizes: [LAPTOP] }])),
    clocks: { window: [0, summary.span_ns], more: '', tab: 'clocks', files: [SKEWED], said: null, sizes: [LAPTOP] },
    path: { window: [0, summary.span_ns], more: '', tab: 'path', key: 'l', said: /is lit$/, sizes: [LAPTOP] },
    why: { window: [0, summary.span_ns], more: `&op=${waitedLongest(session)}&tab=range`, key: 'y', there: '.selection-card .why .refs .op-link', said: null, sizes: [LAPTOP] },
    scheduling: { window: [0, summary.span_ns], more: '', tab: 'scheduling', there: '#panel-scheduling .path-right tbody tr:not(.spacer)', said: null, sizes: [LAPTOP] },
    memory: { window: [0, summary.span_ns], more: '', tab: 'memory', chip: '.memory-shown[aria-pressed="false"]', row: '#alive-0', said: /^Why |^Selected /, sizes: [LAPTOP] },
    compare: { window: [0, summary.span_ns], more: '', tab: 'compare', b: NEXT_STEP, there: '.cmp-findings li', said: null, sizes: [LAPTOP] },
    steps: { window: [0, summary.span_ns], more: '', tab: 'steps', files: [FILE, NEXT_STEP], said: null, sizes: [LAPTOP] },
  };
}

const [folder] = process.argv.slice(2);
await mkdir(folder, { recursive: true });
const core = await open(FILE);
const site = await serveSite();
const browser = await chromium();
try {
  for (const [scene, { window, more, tab, b, chip, row, key, there, files = [FILE], said, sizes }] of Object.entries(scenes(core)))
    for (const size of sizes)
      for (const scheme of SCHEMES) {
        const { page } = await visit(browser, 'about:blank', { complete: false });
        await page.setViewport(size);
        await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
        // No picture shows what was chosen for the one before.
        await page.evaluateOnNewDocument(() => {
          localStorage.clear();
          localStorage.setItem('steplens.drawer-open', 'yes');
        });
        await page.goto(`${site.url}${fragment(core.summary, ...window)}${more}`);
        await openFiles(page, ...files);
        if (tab) await toTab(page, tab);
        if (b) await (await page.$('#compare-file')).uploadFile(b);
        if (row) {
          await page.waitForSelector(row, { visible: true });
          if (chip) await page.$$eval(chip, (chips) => chips.forEach((one) => one.click()));
          await page.click(row);
        }
        if (key) {
          await page.waitForSelector('.path-strip:not([aria-valuemax="1"])');
          await page.focus('canvas.lanes');
          await page.keyboard.press(key);
        }
        if (there) await page.waitForSelector(there, { visible: true });
        if (said) await untilSpoken(page, said);
        // The verdict comes last, and why an op was late with it.
        await until(page, () => document.querySelector('.verdict').textContent !== '' && !document.querySelector('.selection-card').innerText.includes('Following what'));
        await until(page, () => {
          const { innerText } = document.querySelector('.panel:not([hidden])');
          return innerText !== '' && !innerText.includes('Following every');
        });
        const pixels = size.width * (size.deviceScaleFactor ?? 1);
        await page.screenshot({ path: path.join(folder, `${scene}-${pixels}-${scheme}.png`) });
        await page.close();
      }
} finally {
  await browser.close();
  await site.close();
}
