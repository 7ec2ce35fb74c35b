// Links: the matrix in the drawer, and what is on the wire above the lanes, against the transfers that the core tells.

import assert from 'node:assert/strict';
import { open } from './core.mjs';
import { boxOf, toTab, until, untilSpoken } from './hands.mjs';
import { runMetadata } from './run_metadata.mjs';
import { fixture } from './site.mjs';
import { onPage, onTrace } from './stage.mjs';
import { chooseBytes, openFiles, waitForReady } from './steplens.mjs';

const PS = '/job:ps/replica:0/task:0';
const WORKER_2 = '/job:worker/replica:0/task:2';

const { session, summary } = await open(fixture('ps4w.pb'));
const { transfers } = JSON.parse(session.answer('transfers', ''));
const { task_links } = JSON.parse(session.network());

const cell = (row, column) => `.matrix tbody tr:nth-child(${row}) td:nth-child(${column + 1})`;
const text = (page, selector) => page.$eval(selector, (element) => element.innerText);

/** Opens the section of links; the page shows the whole step. */
async function openLinks(page) {
  await openFiles(page, fixture('ps4w.pb'));
  await toTab(page, 'network');
  await page.waitForSelector('#network-links', { visible: true });
  await page.click('#network-links');
  await page.waitForSelector('.matrix td', { visible: true });
}

/** By pixel column of the band, whether the row above its lower edge has the colour of communication. */
const inked = (page) =>
  page.$eval('canvas.traffic', (canvas) => {
    const probe = document.createElement('canvas').getContext('2d');
    probe.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--communication').trim();
    probe.fillRect(0, 0, 1, 1);
    const wanted = [...probe.getImageData(0, 0, 1, 1).data];
    const { data } = canvas.getContext('2d').getImageData(0, canvas.height - 1, canvas.width, 1);
    // The line of what is in flight may lie over the area.
    return Array.from({ length: canvas.width }, (_, x) => {
      const [r, g, b] = data.subarray(4 * x, 4 * x + 3);
      const is_orange = r - b > 0.6 * (wanted[0] - wanted[2]) * (r / wanted[0]);
      return is_orange && r > 60;
    });
  });

/** The band shows transfers where some of `rows` are on the wire, and nothing where there are none. */
async function assertBand(page, rows) {
  await until(page, () => document.querySelector('.traffic-figures').textContent.includes('at once'));
  // A frame more, which draws what has arrived.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  const columns = await inked(page);
  const air = summary.span_ns * 0.004;
  const per_px = (summary.span_ns + 2 * air) / columns.length;
  let seen = 0;
  let empty = 0;
  columns.forEach((is_inked, x) => {
    const [start, end] = [-air + x * per_px, -air + (x + 1) * per_px];
    const meets = (margin) => rows.some(({ sent_ns, received_ns }) => sent_ns < end + margin && received_ns > start - margin);
    if (meets(0)) {
      // Columns are two pixels wide, and begin between pixels.
      assert.ok(columns.slice(Math.max(x - 1, 0), x + 2).some(Boolean), `a transfer at ${x} px`);
      seen++;
    } else if (!meets(3 * per_px)) {
      assert.ok(!is_inked, `no transfer at ${x} px`);
      empty++;
    }
  });
  assert.ok(seen > 20 && empty > 200, `${seen} columns with transfers, ${empty} without`);
}

onPage('the matrix has every link, in every figure, with what they add up to', async ({ page }) => {
  await openLinks(page);
  assert.match(await text(page, '#network-links .network-answer'), /^11 links, 3\.67.MiB; busiest ps 0 → worker 0, 12\.1.% of the step$/);
  const heads = await page.$$eval('.matrix thead th', (cells) => cells.map((head) => head.innerText));
  assert.deepEqual(heads.slice(1), ['ps 0', 'worker 0', 'worker 1', 'worker 2', 'worker 3', 'all']);
  const rows = await page.$$eval('.matrix tbody tr', (rows) => rows.map((row) => [...row.children].map((one) => one.innerText.replaceAll('\u00a0', ' '))));
  assert.deepEqual(rows[0], ['ps 0', '', '470 KiB', '470 KiB', '470 KiB', '470 KiB', '1.84 MiB']);
  assert.equal(rows.at(-1).at(-1), '3.67 MiB');
  await page.click('.link-tools .chip:nth-child(2)');
  const counts = await page.$$eval('.matrix tbody tr', (rows) => rows.map((row) => [...row.querySelectorAll('td')].map((one) => Number(one.innerText))));
  const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
  for (const row of counts) assert.equal(sum(row.slice(0, -1)), row.at(-1));
  counts[0].forEach((_, column) => assert.equal(sum(counts.slice(0, -1).map((row) => row[column])), counts.at(-1)[column]));
  assert.equal(counts.at(-1).at(-1), transfers.length);
  assert.equal(sum(task_links.pairs.map(({ count }) => count)), transfers.length);
});

onPage('the band above the lanes shows what is on the wire: of all links, or of the chosen one', async ({ page }) => {
  await openLinks(page);
  assert.equal(await page.$eval('.traffic-row', (row) => row.hidden), true);
  await page.focus('canvas.lanes');
  await page.keyboard.press('b');
  await assertBand(page, transfers);
  // A link that is chosen is shown, whether or not all of them are.
  await page.keyboard.press('b');
  await until(page, () => document.querySelector('.traffic-row').hidden);
  await page.click(cell(1, 4));
  await untilSpoken(page, /^ps 0 → worker 2: 470.KiB in 148 transfers/);
  await until(page, () => document.querySelector('.traffic-name').textContent === 'ps 0 → worker 2');
  const own = transfers.filter(({ source, destination }) => source.startsWith(PS) && destination.startsWith(WORKER_2));
  assert.equal(own.length, 148);
  await assertBand(page, own);
  assert.match(await text(page, '.link-summary'), /ps 0 → worker 2[^]*12\.6.MB\/s[^]*busy 38\.31.ms/);
  // Its transfers, and no others.
  await page.$eval('.link-summary .chip', (button) => button.click());
  await until(page, () => document.querySelector('#panel-transfers .table-said')?.textContent.startsWith('148 '));
  // The button beside the name brings all links back.
  await page.$eval('.traffic-side .button', (button) => button.click());
  await until(page, () => document.querySelector('.traffic-row').hidden);
});

onPage('the matrix is walked by keyboard', async ({ page }) => {
  await openLinks(page);
  await page.focus('.matrix td[tabindex="0"]');
  for (const key of ['ArrowDown', 'ArrowDown', 'End', 'ArrowLeft', 'Home', 'Enter']) await page.keyboard.press(key);
  await untilSpoken(page, /^worker 1 → ps 0: /);
  assert.equal(await page.$eval(cell(3, 1), (one) => one.getAttribute('aria-selected')), 'true');
  await page.keyboard.press('Enter');
  await untilSpoken(page, /^Bandwidth of all links$/);
});

onTrace(fixture('ps4w.pb'), 'a key shows the band for good; hovering it says how much, and over which links', async ({ page }) => {
  assert.equal(await page.$eval('.traffic-row', (row) => row.hidden), true);
  await page.keyboard.press('b');
  await until(page, () => document.querySelector('.traffic-figures').textContent.includes('at once'));
  assert.match(await page.$eval('canvas.traffic', (canvas) => canvas.getAttribute('aria-label')), /^Bandwidth of all links, from .*\. Whole step: max over 1\.000\sms: [\d.]+\sMB\/s, max \d+ transfers at once$/);
  const { x, y, width, height } = await boxOf(page, 'canvas.traffic');
  const at = ((45e6 + summary.span_ns * 0.004) / (summary.span_ns * 1.008)) * width;
  await page.mouse.move(x + at, y + height / 2);
  await until(page, () => /MB\/s in transit[^]*transfers? at a time[^]*ps 0 → worker/.test(document.querySelector('.tooltip:not([hidden])')?.innerText ?? ''));
  const lanes = await boxOf(page, 'canvas.lanes');
  await page.keyboard.press('b');
  await until(page, () => document.querySelector('.traffic-row').hidden);
  await until(page, (y) => document.querySelector('canvas.lanes').getBoundingClientRect().y < y, lanes.y);
  await page.reload();
  await openFiles(page, fixture('ps4w.pb'));
  assert.equal(await page.$eval('.traffic-row', (row) => row.hidden), true);
  await page.keyboard.press('b');
  await until(page, () => !document.querySelector('.traffic-row').hidden);
  await page.reload();
  await openFiles(page, fixture('ps4w.pb'));
  assert.equal(await page.$eval('.traffic-row', (row) => row.hidden), false);
  await page.keyboard.press('b');
  await until(page, () => document.querySelector('.traffic-row').hidden);
});

onPage('the transfers of a link between tasks are not those of tasks whose names begin alike', async ({ page }) => {
  const place = (task) => `/job:a/replica:0/task:${task}/device:CPU:0`;
  const transfer = (from, to, start) => ({
    name: 'RecvTensor',
    label: `[4B] [0B] edge_${from}_${to} from ${place(from)} to ${place(to)}`,
    start,
    end: start + 50,
  });
  const of = (task, ...froms) => ({ device: place(task), ops: froms.map((from, at) => transfer(from, task, 1000 + 100 * at)) });
  const bytes = runMetadata([of(0, 1, 10, 1), of(1, 0), of(10, 0, 0)]);
  await waitForReady(page, () => chooseBytes(page, [{ name: 'tasks.pb', bytes }]));
  await toTab(page, 'network');
  await page.waitForSelector('#network-links', { visible: true });
  await page.click('#network-links');
  await page.waitForSelector('.matrix td', { visible: true });
  // From task 1 to task 0, and from task 0 to task 1.
  for (const [row, column, count] of [[2, 1, 2], [1, 2, 1]]) {
    await toTab(page, 'network');
    const before = await page.evaluate(() => document.querySelector('.link-summary strong')?.textContent);
    await page.click(cell(row, column));
    await page.waitForSelector('.link-summary .chip', { visible: true });
    // Until this link is drawn, that of the round before has its button there.
    await until(page, (before) => document.querySelector('.link-summary strong').textContent !== before, before);
    await page.$eval('.link-summary .chip', (button) => button.click());
    await until(page, (count) => document.querySelector('#panel-transfers .table-said')?.textContent.startsWith(`${count} `), count);
  }
});

onTrace(fixture('mnist-adam.pb'), 'without transfers there is no band', async ({ page }) => {
  assert.equal(await page.$eval('.traffic-row', (row) => row.hidden), true);
});
