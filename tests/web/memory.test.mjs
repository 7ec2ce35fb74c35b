// Memory: the tab, the lanes under devices and why a tensor is alive, by hand, against what the core says.

import assert from 'node:assert/strict';
import { open } from './core.mjs';
import { boxOf, toTab, until, untilSpoken } from './hands.mjs';
import { fixture } from './site.mjs';
import { onPage, onTrace } from './stage.mjs';
import { openFiles } from './steplens.mjs';

const { session } = await open(fixture('ps4w.pb'));
const { accounts } = JSON.parse(session.answer('memory', ''));
const records = accounts.filter(({ reading }) => reading === 'records');
const highest = records.reduce((best, own) => (own.peak_bytes > best.peak_bytes ? own : best));

const text = (page, selector) => page.$eval(selector, (element) => element.innerText);
const mib = (bytes) => `${(bytes / 2 ** 20).toFixed(bytes / 2 ** 20 >= 10 ? 1 : 2)}\u00a0MiB`;

async function openTab(page) {
  await openFiles(page, fixture('ps4w.pb'));
  await toTab(page, 'memory');
  await page.waitForSelector('#alive-0', { visible: true });
}

/** How many pixels of an element's canvas differ from the one at its left upper corner. */
const inked = (page, selector) =>
  page.$eval(selector, (canvas) => {
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let at = 0; at < data.length; at += 4) if ([0, 1, 2].some((part) => data[at + part] !== data[part])) count++;
    return count;
  });

onPage('the tab tells the peak of the account that has the highest', async ({ page }) => {
  await openTab(page);
  await until(page, () => document.querySelector('.memory-moment').textContent !== '');
  const said = await text(page, '.memory-moment');
  assert.ok(said.startsWith(`${mib(highest.peak_bytes)} alive at`), said);
  assert.equal(await page.$eval('.memory-reading', (choice) => choice.value), 'records');
  const readings = await page.$$eval('.memory-reading option', (options) => options.map((option) => option.value));
  assert.deepEqual(readings, ['records', 'tensors', 'timeline.py']);
  const first = await page.$$eval('#alive-0 > *', (cells) => cells.map((cell) => cell.innerText));
  assert.equal(first[1], mib(highest.live_at_peak[0].bytes));
  await until(page, () => document.querySelector('.memory-canvas').getAttribute('aria-valuetext').includes('boxes'));
  assert.ok((await inked(page, '.memory-canvas')) > 5000, 'the curve and its boxes');
});

onPage('timeline.py counts as timeline.py does, and tells what it loses', async ({ page }) => {
  await openTab(page);
  await page.select('.memory-reading', 'timeline.py');
  const own = accounts.find(({ reading, allocator }) => reading === 'timeline.py' && allocator === 'mklcpu');
  await until(page, (said) => document.querySelector('.memory-moment').textContent.startsWith(said), mib(own.peak_bytes));
  assert.match(await text(page, '.memory-rests'), /tensors of .* are not counted: a later one has the same name/);
});

onPage('a click on a tensor asks why it is alive, and selects its op', async ({ page }) => {
  await openTab(page);
  await page.click('#alive-0');
  await until(page, () => document.querySelector('.memory-why').textContent.includes('Last reader'));
  assert.equal(await page.$eval('#alive-0', (row) => row.getAttribute('aria-selected')), 'true');
  const name = highest.live_at_peak[0].op;
  await until(page, (wanted) => document.querySelector('.memory-why').textContent.includes(wanted), name);
  assert.match(await text(page, '.memory-why'), /Allocated at\s+[\d.,]+/);
});

onPage('a click in the picture looks at that moment, the keyboard moves it, and the peak comes back', async ({ page }) => {
  await openTab(page);
  await until(page, () => document.querySelector('.memory-canvas').getAttribute('aria-valuetext')?.includes('boxes'));
  const before = await text(page, '.memory-moment');
  const box = await boxOf(page, '.memory-canvas');
  await page.mouse.click(box.x + box.width * 0.3, box.y + 4);
  await until(page, (was) => document.querySelector('.memory-moment').textContent !== '' && document.querySelector('.memory-moment').innerText !== was, before);
  const clicked = await text(page, '.memory-moment');
  assert.ok(clicked.endsWith(`the peak is ${mib(highest.peak_bytes)}`), clicked);
  await page.focus('.memory-canvas');
  await page.keyboard.press('ArrowRight');
  await until(page, (was) => document.querySelector('.memory-moment').textContent !== '' && document.querySelector('.memory-moment').innerText !== was, clicked);
  await page.keyboard.press('Home');
  await until(page, (was) => document.querySelector('.memory-moment').innerText === was, before);
});

/** How many pixels of the timeline have the colour of live bytes: that of the accent over the ground of a device. */
const liveInk = (page) =>
  page.$eval('canvas.lanes', (canvas) => {
    const style = getComputedStyle(document.documentElement);
    const probe = document.createElement('canvas').getContext('2d');
    const paint = (name, alpha) => {
      probe.globalAlpha = alpha;
      probe.fillStyle = style.getPropertyValue(name).trim();
      probe.fillRect(0, 0, 1, 1);
    };
    paint('--band', 1);
    paint('--accent', 0.6);
    const [r, g, b] = probe.getImageData(0, 0, 1, 1).data;
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let at = 0; at < data.length; at += 4)
      if (Math.abs(data[at] - r) + Math.abs(data[at + 1] - g) + Math.abs(data[at + 2] - b) < 6) count++;
    return count;
  });

onTrace(fixture('ps4w.pb'), 'U shows live bytes under each device that has any, and hides them', async ({ page }) => {
  assert.ok((await liveInk(page)) < 50, 'none before');
  await page.focus('canvas.lanes');
  await page.keyboard.press('u');
  await untilSpoken(page, /Live bytes are shown/);
  let ink = 0;
  for (let turn = 0; turn < 200 && ink < 2000; turn++) {
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    ink = await liveInk(page);
  }
  assert.ok(ink >= 2000, `${ink} pixels of live bytes`);
  await page.keyboard.press('u');
  await untilSpoken(page, /Live bytes are hidden/);
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  assert.ok((await liveInk(page)) < 50, 'none afterwards');
});

onTrace(fixture('gpu/kernels.pb'), 'where nothing was recorded, the tab tells what records it', async ({ page }) => {
  // The page turns to its findings when they arrive: the tab is chosen again then.
  await until(page, () => {
    const tab = document.querySelector('#tab-memory');
    if (tab.getAttribute('aria-selected') !== 'true') tab.click();
    return document.querySelector('.memory-nothing')?.textContent.includes('FULL_TRACE');
  });
});

for (const width of [900, 1600]) {
  onPage(`nothing of the tab is cut off at ${width} px`, async ({ page }) => {
    await page.setViewport({ width, height: 800 });
    await openTab(page);
    const beyond = await page.$eval('.memory', (panel) => panel.scrollWidth - panel.clientWidth);
    assert.ok(beyond <= 0, `${beyond} px beyond`);
  });
}
