// Figures do not depend on the screen, and what several places say of one thing is the same thing.

import assert from 'node:assert/strict';
import { boxOf, until, untilField } from './hands.mjs';
import { runMetadata } from './run_metadata.mjs';
import { fixture } from './site.mjs';
import { onPage, onTrace } from './stage.mjs';
import { chooseBytes, summary, waitForReady } from './steplens.mjs';

const STEPS = 60;
const START = 1_500_000_000_000_000;
/** Steps of 1,000 us that follow each other at once and are all the same: they compute, rest, and compute. */
const ALIKE = Uint8Array.from(
  Array.from({ length: STEPS }, (_, at) => START + at * 1000).flatMap((start) => [
    ...runMetadata([
      {
        device: '/job:worker/replica:0/task:0/device:CPU:0',
        ops: [
          { name: 'MatMul', start, end: start + 310 },
          { name: 'Relu', start: start + 620, end: start + 1000 },
        ],
      },
    ]),
  ]),
);

const openAlike = (page) => waitForReady(page, () => chooseBytes(page, [{ name: 'alike.pb', bytes: ALIKE }]));
/** A click on the tab that is open would close the drawer. */
const openRange = (page) => page.$eval('#tab-range', (tab) => tab.getAttribute('aria-selected') === 'true' || tab.click());
const drawn = (page) => page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));

onTrace(fixture('ps4w.pb'), 'the peak of bandwidth is the same on every screen and at every zoom', async ({ page }) => {
  const told = () => page.$eval('.traffic-figures', (figures) => figures.textContent);
  await page.keyboard.press('b');
  await until(page, () => document.querySelector('.traffic-figures').textContent.includes('at once'));
  const wide = await told();
  assert.match(wide, /^max [\d.]+\sMB\/s, \d+ at once$/);
  await page.setViewport({ width: 900, height: 700 });
  await drawn(page);
  assert.equal(await told(), wide);
  await page.focus('canvas.lanes');
  await page.keyboard.press('w');
  await untilField(page, 'w');
  await drawn(page);
  assert.equal(await told(), wide);
});

onPage('the minimap shows steps that are alike as alike', async ({ page }) => {
  await openAlike(page);
  assert.equal((await summary(page)).view.steps, STEPS);
  // The step has a little air on both sides; here its columns are to be a multiple of the steps.
  const columnsIn = (width) => {
    const px = (at) => Math.round((width * (at + 0.004)) / 1.008);
    return px(1) - px(0);
  };
  const { width } = await boxOf(page, 'canvas.minimap');
  let more = 0;
  while (columnsIn(width + more) % STEPS !== 0) more++;
  const viewport = page.viewport();
  await page.setViewport({ ...viewport, width: viewport.width + more });
  await until(page, (width) => document.querySelector('canvas.minimap').width === width, width + more);
  const pitch = columnsIn(width + more) / STEPS;
  const first = Math.round(((width + more) * 0.004) / 1.008);
  // What the worker is asked for anew arrives some frames later.
  await until(
    page,
    (first, pitch, steps) => {
      const map = document.querySelector('canvas.minimap');
      // Within the outline of the window, which is drawn over it.
      const { data } = map.getContext('2d').getImageData(0, 6, map.width, map.height - 12);
      const rows = map.height - 12;
      const isAlike = (x, other) => {
        for (let y = 0; y < rows; y++)
          for (let part = 0; part < 4; part++)
            if (data[4 * (y * map.width + x) + part] !== data[4 * (y * map.width + other) + part]) return false;
        return true;
      };
      const from = first + 2 * pitch;
      let seen = 0;
      for (let x = from; x < first + (steps - 2) * pitch; x++) {
        if (!isAlike(x, from + ((x - from) % pitch))) return false;
        seen += isAlike(x, from) ? 0 : 1;
      }
      return seen > 0;
    },
    first,
    pitch,
    STEPS,
  );
});

onPage('several steps on one axis are called all steps, and one of them a whole step', async ({ page }) => {
  await openAlike(page);
  /** Waits until the bar of the step and the figures of the range are of these. */
  const untilTitled = (...words) =>
    until(page, (words) => ['.step-row .scope-name', '#panel-range .range-title'].every((name, at) => document.querySelector(name).textContent.startsWith(words[at])), words);
  await openRange(page);
  await untilTitled('All steps', 'All steps');
  await page.keyboard.press('>');
  await untilTitled('Step 1, one of', 'Whole step');
});

onTrace(fixture('multidev.pb'), 'transfers without a time are in the whole step, and said to be somewhere in a part of it', async ({ page }) => {
  assert.equal((await summary(page)).transfers, 6);
  await openRange(page);
  const transfers = '#panel-range section[aria-label="Transfers"]';
  await until(page, (where) => document.querySelector(where).innerText.includes('6 transfers, 1.50\u00a0MiB'), transfers);
  const { x, y, width } = await boxOf(page, 'canvas.axis');
  await page.mouse.move(x + width * 0.3, y + 5);
  await page.mouse.down();
  await page.mouse.move(x + width * 0.6, y + 5, { steps: 4 });
  await page.mouse.up();
  await until(page, (where) => /0 transfers, 0\sB; 6 others without a recorded time/.test(document.querySelector(where).innerText), transfers);
});

onTrace(fixture('ps4w.pb'), 'what any device does is told once it is counted', async ({ page }) => {
  await openRange(page);
  await until(page, () => {
    const row = [...document.querySelectorAll('#panel-range tbody tr')].find((row) => row.innerText.startsWith('Any device'));
    return row !== undefined && /%/.test(row.innerText) && !row.innerText.includes('–');
  });
});
