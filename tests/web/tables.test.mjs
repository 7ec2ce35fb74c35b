// The drawer's tables in Chromium: no figure is cut, and columns are resized, hidden and moved as the user wants them, also after a reload.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toTab, until, untilRest } from './hands.mjs';
import { runMetadata } from './run_metadata.mjs';
import { fixture } from './site.mjs';
import { onPage, onTrace, openedHere } from './stage.mjs';
import { chooseBytes, openFiles, waitForReady } from './steplens.mjs';

/** 12,000 ops of one type, of up to nine seconds: large counts and long durations. */
const MANY = runMetadata([
  {
    device: '/job:worker/replica:0/task:0/device:CPU:0',
    ops: Array.from({ length: 12_000 }, (_, index) => ({
      name: `towers/gradient_of_layer_${index}/Conv2DBackpropFilter_${index}`,
      label: 'x = Conv2DBackpropFilter()',
      start: index * 1_000_000,
      end: index * 1_000_000 + (index === 0 ? 9_000_000_000 : 10 + (index % 977) * 1000),
    })),
  },
]);

async function turnTo(page, tab) {
  await toTab(page, tab);
  await page.waitForSelector(`#panel-${tab}`, { visible: true });
}

const rowsOf = (tab) => `#panel-${tab} [role="grid"] tbody tr:not(.spacer)`;
const heads = (page, grid) => page.$$eval(`${grid} thead th`, (heads) => heads.map((head) => head.textContent.replace(/[↑↓]/, '')));

/** The cells of figures that show less than they hold. */
const cut = (page, tab) =>
  page.$$eval(`#panel-${tab} [role="grid"] .numeric`, (cells) =>
    cells.filter((cell) => cell.clientWidth > 0 && cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent),
  );

for (const [width, height] of [
  [390, 844],
  [900, 700],
  [1600, 900],
]) {
  onPage(`at ${width} px no figure of a table is cut`, async ({ page }) => {
    await page.setViewport({ width, height });
    await openFiles(page, fixture('ps4w.pb'));
    for (const tab of ['range', 'transfers', 'table', 'path', 'memory']) {
      await turnTo(page, tab);
      await page.waitForSelector(rowsOf(tab));
      assert.deepEqual(await cut(page, tab), [], tab);
    }
    await waitForReady(page, () => chooseBytes(page, [{ name: 'many.pb', bytes: MANY }]));
    await turnTo(page, 'range');
    await until(page, () => [...document.querySelectorAll('#panel-range .numeric')].some((cell) => cell.textContent === '12,000'));
    assert.deepEqual(await cut(page, 'range'), []);
    await turnTo(page, 'table');
    await page.waitForSelector(rowsOf('table'));
    assert.deepEqual(await cut(page, 'table'), []);
  });
}

onTrace(fixture('ps4w.pb'), 'a table takes the whole width that it has', async ({ page }) => {
  for (const tab of ['transfers', 'table', 'path']) {
    await turnTo(page, tab);
    await page.waitForSelector(rowsOf(tab));
    const [table, row, last] = await page.$eval(rowsOf(tab), (row) =>
      [row.closest('.table-scroll'), row, row.lastElementChild].map((element) => element.getBoundingClientRect().right),
    );
    assert.ok(Math.abs(row - last) <= 1, `${tab}: the last cell ends at ${last}, its row at ${row}`);
    assert.ok(last >= table - 20, `${tab}: the table ends at ${table}`);
  }
});

onPage('a long name keeps its end, and is whole on hover', async ({ page }) => {
  await waitForReady(page, () => chooseBytes(page, [{ name: 'many.pb', bytes: MANY }]));
  await turnTo(page, 'table');
  const name = await page.waitForSelector(`${rowsOf('table')} > :first-child`);
  const { whole, text, end_seen } = await name.evaluate((cell) => {
    const end = cell.querySelector('.cut-middle').lastElementChild.getBoundingClientRect();
    return {
      whole: cell.title,
      text: cell.textContent,
      end_seen: end.right <= cell.getBoundingClientRect().right + 1,
    };
  });
  assert.equal(text, whole);
  assert.match(whole, /^towers\/gradient_of_layer_\d+\/Conv2DBackpropFilter_\d+$/);
  assert.ok(end_seen);
});

test('columns are resized, hidden and moved, by pointer and keyboard, and stay so', async () => {
  const { page, faults } = await openedHere('', fixture('ps4w.pb'));
  await turnTo(page, 'table');
  const grid = '#panel-table [role="grid"]';
  await page.waitForSelector(rowsOf('table'));
  const before = await heads(page, grid);
  assert.equal(before[1], 'Op type');

  // Drag the edge of the heading `Op type`; no other column moves.
  const widths = () => page.$$eval(`${grid} thead th`, (all) => all.map((head) => head.offsetWidth));
  const was = await widths();
  const edge = await page.$eval(`${grid} thead th:nth-child(2) .column-edge`, (element) => {
    const { right, top } = element.getBoundingClientRect();
    return { x: right - 3, y: top + 8 };
  });
  await page.mouse.move(edge.x, edge.y);
  await page.mouse.down();
  await page.mouse.move(edge.x - 70, edge.y, { steps: 4 });
  await page.mouse.up();
  const now = await widths();
  assert.ok(Math.abs(now[1] - (was[1] - 70)) <= 1, `${now[1]} after ${was[1]}`);
  for (const at of [0, 2, 3, 4, 5]) assert.ok(Math.abs(now[at] - was[at]) <= 1, `column ${at}`);

  // By keyboard: 16 px wider.
  await page.focus(`${grid} thead th:nth-child(2) .sort`);
  await page.keyboard.down('Shift');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.up('Shift');
  assert.ok(Math.abs((await widths())[1] - now[1] - 16) <= 1);

  // Hide `Category`, move `Length` to the left, with the keyboard alone.
  await page.focus('#panel-table [aria-controls="columns-of-row"]');
  await page.keyboard.press('Enter');
  await page.waitForSelector('#columns-of-row', { visible: true });
  await page.focus('#columns-of-row [data-column="Category"] input');
  await page.keyboard.press('Space');
  await page.focus('#columns-of-row [data-column="Length"] button');
  await page.keyboard.press('Enter');
  const chosen = ['Name', 'Op type', 'Device', 'Length', 'Start'];
  assert.deepEqual(await heads(page, grid), chosen);
  assert.equal(await page.evaluate(() => document.activeElement.closest('[data-column]').dataset.column), 'Length', 'the focus stays');
  await page.keyboard.press('Escape');
  assert.equal(await page.$eval('#columns-of-row', (menu) => menu.hidden), true);
  const cells = await page.$eval(`${rowsOf('table')}`, (row) => [...row.children].map((cell) => cell.textContent));
  assert.equal(cells.length, chosen.length);
  assert.match(cells[3], /\s(ns|µs|ms|s)$/, 'a row has the columns of its head');

  // After a reload they are as they were left, until they are reset.
  const left = (await widths())[1];
  await page.reload({ waitUntil: 'load' });
  await openFiles(page, fixture('ps4w.pb'));
  await turnTo(page, 'table');
  await page.waitForSelector(rowsOf('table'));
  assert.deepEqual(await heads(page, grid), chosen);
  assert.ok(Math.abs((await widths())[1] - left) <= 1);
  await page.click('#panel-table [aria-controls="columns-of-row"]');
  await page.waitForSelector('#columns-of-row', { visible: true });
  await page.$eval('#columns-of-row .chip', (reset) => reset.click());
  assert.deepEqual(await heads(page, grid), before);

  // What somebody else wrote there does no harm.
  await page.evaluate(() => localStorage.setItem('steplens.columns.row', '{"order":[1],"hidden":"x"}'));
  await page.reload({ waitUntil: 'load' });
  await openFiles(page, fixture('ps4w.pb'));
  await turnTo(page, 'table');
  assert.deepEqual(await heads(page, grid), before);
  assert.deepEqual(await faults(), []);
  await page.close();
});

onPage('the wheel scrolls the tab Range over a table of devices that has room for all of its rows', async ({ page }) => {
  await page.setViewport({ width: 1280, height: 720 });
  await openFiles(page, fixture('ps4w.pb'));
  await page.waitForSelector('#panel-range .table tbody tr');
  const wheelOver = async (selector) => {
    await page.$$eval('#panel-range, #panel-range *', (elements) => elements.forEach((element) => (element.scrollTop = 0)));
    const { x, y, width } = await page.$eval(selector, (element) => element.getBoundingClientRect().toJSON());
    await page.mouse.move(x + width / 2, y + 30);
    await page.mouse.wheel({ deltaY: 60 });
    await until(page, () => [...document.querySelectorAll('#panel-range, #panel-range *')].some((element) => element.scrollTop > 0));
  };
  await wheelOver('#panel-range .table-scroll');
  const styles = await page.$$eval('.table-scroll', (tables) => [...new Set(tables.map((table) => getComputedStyle(table).overscrollBehaviorY))]);
  assert.deepEqual(styles, ['auto']);
});

test('names have the room that a table has to spare, and are cut only where there is none', async () => {
  const { page } = await openedHere('', fixture('ps4w.pb'));
  // No column has a width that somebody gave it.
  await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('steplens.columns')).forEach((key) => localStorage.removeItem(key)));
  await page.setViewport({ width: 3840, height: 2160 });
  await page.reload();
  await openFiles(page, fixture('ps4w.pb'));
  const types = '#panel-range section[aria-label="Op types"]';
  const cutNames = () =>
    page.$$eval(`${types} tbody tr:not(.spacer) th`, (cells) =>
      cells.filter((cell) => [...cell.querySelectorAll('.cut-start, .op-link')].some((own) => own.scrollWidth > own.clientWidth + 1)).map((cell) => cell.textContent));
  await page.waitForSelector(`${types} tbody tr:not(.spacer)`);
  await until(page, (types) => [...document.querySelectorAll(`${types} .cut-start`)].every((own) => own.scrollWidth <= own.clientWidth + 1), types);
  assert.deepEqual(await cutNames(), []);
  // In a narrow window figures come before the ends of names.
  await page.setViewport({ width: 1280, height: 900 });
  await untilRest(page);
  const faults = await page.$$eval(`${types} tbody .numeric`, (cells) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth + 1).map((cell) => cell.textContent));
  assert.deepEqual(faults, []);
  await page.close();
});

/** Collectives of one rank: nobody knows who waited for whom. */
const ONE_RANK = JSON.stringify({
  traceEvents: [
    { ph: 'M', name: 'process_labels', pid: 0, tid: 0, args: { labels: 'GPU 0' } },
    ...[30, 90, 60].flatMap((length, at) => [
      { ph: 'X', cat: 'kernel', name: 'ncclDevKernel_AllReduce_Sum_f32_RING_LL', pid: 0, tid: 7, ts: at * 200, dur: length, args: { device: 0, stream: 7 } },
      { ph: 'X', cat: 'kernel', name: 'gemm', pid: 0, tid: 8, ts: at * 200 + 100, dur: 50, args: { device: 0, stream: 8 } },
    ]),
  ],
});

onPage('a column in which no row has a value is not shown until it is asked for, and rows are sorted by the figure next to it', async ({ page }) => {
  await waitForReady(page, () => chooseBytes(page, [{ name: 'rank.json', bytes: new TextEncoder().encode(ONE_RANK) }]));
  await turnTo(page, 'network');
  await page.click('#network-collectives');
  const grid = '[role="grid"]:has(#collective-0)';
  await page.waitForSelector('#collective-2', { visible: true });
  await until(page, (grid) => document.querySelector(`${grid} th[aria-sort="descending"]`)?.textContent.includes('Time'), grid);
  const dashes = await page.$$eval(`${grid} tbody tr:not(.spacer)`, (rows) => rows.map((row) => [...row.cells].filter((cell) => cell.textContent === '–').length));
  assert.deepEqual(dashes, [0, 0, 0]);
  assert.ok(!(await heads(page, grid)).includes('Waiting'));
  const times = await page.$$eval(`${grid} tbody tr:not(.spacer)`, (rows) => rows.map((row) => row.textContent.match(/\d\d\.00/)[0]));
  assert.deepEqual(times, ['90.00', '60.00', '30.00']);
  await page.click('[aria-controls="columns-of-collective"]');
  await page.$eval('#columns-of-collective [data-column="Waiting"] input', (own) => own.click());
  await until(page, (grid) => [...document.querySelectorAll(`${grid} thead th`)].some((own) => own.textContent.includes('Waiting')), grid);
});
