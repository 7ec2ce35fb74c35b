// The drawer's tables in Chromium: what they sort, filter, find and copy is what the core says.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { OpFilter, RangeQuery, open } from './core.mjs';
import { toTab, untilRest } from './hands.mjs';
import { fixture } from './site.mjs';
import { openedHere, site } from './stage.mjs';

let core;
before(async () => {
  core = await open(fixture('ps4w.pb'));
});
after(() => core?.session.free());

/** A page with ps4w.pb open that may use the clipboard; `view` is a fragment. */
async function opened(view = '') {
  const { page } = await openedHere(view, fixture('ps4w.pb'));
  await page.browserContext().overridePermissions(new URL(site.url).origin, ['clipboard-read', 'clipboard-write', 'clipboard-sanitized-write']);
  return page;
}

/** Turns the drawer to a tab, and waits until it is there: what is hidden takes no key. */
async function turnTo(page, tab) {
  await toTab(page, tab);
  await page.waitForSelector(`#panel-${tab}`, { visible: true });
}
const waitForText = (page, selector, wanted) =>
  page.waitForFunction((selector, wanted) => document.querySelector(selector)?.innerText.includes(wanted), {}, selector, wanted);

/** A table as CSV, through its button and the clipboard. */
async function copied(page, grid) {
  await page.evaluate(() => navigator.clipboard.writeText(''));
  // A table can be copied once it has rows.
  const button = await page.waitForFunction((grid) => [...document.querySelector(grid).closest('.table-panel').querySelectorAll('button:enabled')].find((button) => button.textContent === 'Copy as CSV'), {}, grid);
  await button.evaluate((button) => button.click());
  await page.waitForFunction(async () => (await navigator.clipboard.readText()) !== '');
  const text = await page.evaluate(() => navigator.clipboard.readText());
  const [head, ...rows] = text.trimEnd().split('\n').map((line) => line.split(','));
  return { head, rows };
}

const transfers = (query) => JSON.parse(core.session.transfers(query.sort, query.descending, query.filter ?? '', 0, 5000));
const cells = (row, head) => head.map((name) => String(row[name] ?? ''));

test('transfers are sorted by the core, and copied as it has them', async () => {
  const page = await opened();
  await turnTo(page, 'transfers');
  const grid = '#panel-transfers [role="grid"]';
  for (const [title, sort, descending, order] of [
    ['Size', 'bytes', true, 'descending'],
    ['Size', 'bytes', false, 'ascending'],
    ['Tensor', 'tensor', false, 'ascending'],
  ]) {
    const head = await page.evaluateHandle((title) => [...document.querySelectorAll('#panel-transfers .sort')].find((button) => button.textContent.includes(title)), title);
    await head.click();
    await page.waitForFunction((head, order) => head.closest('th').getAttribute('aria-sort') === order, {}, head, order);
    const { rows } = transfers({ sort, descending });
    const { head: names, rows: lines } = await copied(page, grid);
    assert.deepEqual(lines, rows.map((row) => cells(row, names)), `${sort}, ${order}`);
  }
  await page.close();
});

test('as the tab of transfers opens, the longest delay comes first, and each row says from where to where', async () => {
  // On a page whose table nobody has sorted.
  const page = await opened('#');
  await turnTo(page, 'transfers');
  await page.waitForSelector('#panel-transfers tbody tr[aria-rowindex]');
  await untilRest(page);
  const [titles, ...shown] = await page.$$eval('#panel-transfers thead tr, #panel-transfers tbody tr[aria-rowindex]', (rows) =>
    rows.map((row) => [...row.children].map((cell) => cell.textContent.replaceAll('\u00a0', ' ').replaceAll('\u200b', ''))));
  const cellOf = (row, title) => row[titles.findIndex((own) => own.startsWith(title))];
  const taskOf = (place) => place.replace(/^\/job:(\w+)\/.*task:(\d+)\/.*$/, '$1 $2');
  const { rows } = transfers({ sort: 'delayed_ns', descending: true });
  assert.ok(rows[0].delayed_ns > rows.at(-1).delayed_ns);
  for (const [at, row] of shown.slice(0, 5).entries()) {
    const { source, destination } = rows[at];
    assert.notEqual(taskOf(source), taskOf(destination));
    assert.ok(cellOf(row, 'From').startsWith(taskOf(source)) && cellOf(row, 'To').startsWith(taskOf(destination)), `${row}, not ${source} to ${destination}`);
  }
  await page.close();
});

test('a filter keeps the transfers that the core keeps', async () => {
  const page = await opened();
  await turnTo(page, 'transfers');
  await page.type('#panel-transfers input[type="search"]', 'Momentum');
  const { total } = transfers({ sort: 'delayed_ns', descending: true, filter: 'Momentum' });
  await waitForText(page, '#panel-transfers .table-said', `${total} transfers`);
  assert.equal(await page.$eval('#panel-transfers [role="grid"]', (grid) => grid.getAttribute('aria-rowcount')), String(total + 1));
  await page.close();
});

const opTypes = () => JSON.parse(core.session.opTypes(new RangeQuery(0, core.summary.span_ns + 1)));

test('op types are there from the start, sort by every column, and list their ops', async () => {
  const page = await opened();
  // There is room for all columns, with the drawer below.
  await page.setViewport({ width: 2400, height: 900 });
  await page.keyboard.down('Alt');
  await page.keyboard.press('q');
  await page.keyboard.up('Alt');
  await waitForText(page, '#panel-range', `${opTypes().length} op types`);
  const grid = '#panel-range section[aria-label="Op types"] [role="grid"]';
  await page.waitForFunction((grid) => document.querySelectorAll(`${grid} .sort`).length === 11, {}, grid);
  for (const key of ['count', 'max_ns']) {
    const index = (await copied(page, grid)).head.indexOf(key);
    const heads = await page.$$(`${grid} .sort`);
    await heads[index].click();
    const { head, rows } = await copied(page, grid);
    assert.deepEqual(rows.map((row) => row[index]), opTypes().map((row) => row[key]).sort((a, b) => b - a).map(String));
    const first = opTypes().find((row) => row.op_type === rows[0][0]);
    assert.deepEqual(rows[0], cells(first, head));
  }
  const [longest] = opTypes().sort((a, b) => b.max_ns - a.max_ns);
  await page.click(`${grid} tbody tr`);
  await page.waitForFunction((query) => new URLSearchParams(location.hash.slice(1)).get('q') === query, {}, `type=${longest.op_type}`);
  await waitForText(page, '#panel-matches .table-said', `${longest.count.toLocaleString('en')} ops match`);
  await page.close();
});

test('a table is walked through by keyboard, to its last row and to an op', async () => {
  const page = await opened();
  await turnTo(page, 'transfers');
  await waitForText(page, '#panel-transfers .table-said', '991');
  const { rows } = transfers({ sort: 'delayed_ns', descending: true });
  const active = () => page.evaluate(() => document.getElementById(document.activeElement.getAttribute('aria-activedescendant'))?.getAttribute('aria-rowindex'));
  const reach = (row) => page.waitForFunction((row) => document.getElementById(document.activeElement.getAttribute('aria-activedescendant') ?? '')?.getAttribute('aria-rowindex') === row, {}, String(row + 2));
  await page.focus('#panel-transfers [role="grid"]');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  assert.equal(await active(), '4');
  await page.keyboard.press('Enter');
  await page.waitForFunction((op) => new URLSearchParams(location.hash.slice(1)).get('op') === op, {}, String(rows[2].op));
  await page.keyboard.press('End');
  await reach(rows.length - 1);
  await page.keyboard.press('Home');
  await reach(0);
  await page.close();
});

test('a regular expression finds what the core finds, walks, and says what is wrong with it', async () => {
  const page = await opened();
  await page.keyboard.press('/');
  await page.keyboard.type('type:^(ReluGrad|Slice)$');
  await page.keyboard.down('Alt');
  await page.keyboard.press('KeyR');
  await page.keyboard.up('Alt');
  const found = JSON.parse(core.session.search('type:^(ReluGrad|Slice)$', true));
  const ops = [...core.session.searchOps()];
  assert.ok(found.count > 1);
  await waitForText(page, '.search-count', String(found.count));
  await turnTo(page, 'matches');
  const { head, rows } = await copied(page, '#panel-matches [role="grid"]');
  assert.deepEqual(rows.map((row) => row[0]), ops.map((op) => JSON.parse(core.session.op(op)).name));
  const heads = await page.$$('#panel-matches .sort');
  await heads[head.indexOf('length_ns')].click();
  const lengths = (await copied(page, '#panel-matches [role="grid"]')).rows.map((row) => Number(row[head.indexOf('length_ns')]));
  assert.deepEqual(lengths, rows.map((row) => Number(row[head.indexOf('length_ns')])).sort((a, b) => b - a));
  await page.focus('#search');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await waitForText(page, '.search-count', `2 of ${found.count}`);
  await page.waitForFunction((op) => new URLSearchParams(location.hash.slice(1)).get('op') === op, {}, String(ops[1]));
  await page.$eval('#search', (input) => input.select());
  await page.keyboard.type('conv(');
  const { problem } = JSON.parse(core.session.search('conv(', true));
  await waitForText(page, '.search-help', problem);
  assert.equal(await page.$eval('#search', (input) => [input.value, document.activeElement === input, input.getAttribute('aria-invalid')].join()), 'conv(,true,true');
  await page.keyboard.press('Escape');
  assert.equal(await page.evaluate(() => document.activeElement.matches('canvas.lanes')), true);
  await page.close();
});

/** The view with more fields: a range, a tab. */
const viewWith = (fields) => `#k=${core.summary.ops}.${core.summary.span_ns}&${fields}`;

test('a range shows the core’s figures of each device, op type and link, and leads to a link’s transfers', async () => {
  const [start, end] = [0.2, 0.6].map((share) => Math.round(core.summary.span_ns * share));
  const page = await opened(viewWith(`r=${start},${end}&tab=range`));
  const range = () => new RangeQuery(start, end);
  const figures = JSON.parse(core.session.range(range()));
  const devices = core.summary.devices.map((device, id) => ({ name: device.name, ...figures.splits[id] }));
  const all = [{ name: 'Step', ...figures.step }, { name: 'Any device', ...figures.any_device }];
  await waitForText(page, '#panel-range', `${figures.transfers} transfers`);
  const is_split = () => /\d\s%/.test(document.querySelector('#panel-range section[aria-label="Split per device"] tbody tr:last-child')?.innerText);
  await page.waitForFunction(is_split);
  const table = async (name, expected) => {
    const { head, rows } = await copied(page, `#panel-range section[aria-label="${name}"] [role="grid"]`);
    assert.deepEqual(rows, expected.map((row) => cells(row, head)), name);
  };
  await table('Split per device', [...all, ...devices]);
  await table('Op types', JSON.parse(core.session.opTypes(range())));
  await table('Transfers', figures.links);
  const { peaks } = core.session.concurrency(range(), 240);
  const said = ['compute', 'input', 'copy', 'communication', 'launch', 'allocation', 'waiting'].map((category, index) => `${category} ${peaks[index]}`);
  const chart = (label) => document.querySelector('#panel-range .strips').getAttribute('aria-label') === label;
  await page.waitForFunction(chart, {}, `Max ops at once: ${said.join(', ')}`);
  const [link] = figures.links;
  await page.click('#panel-range section[aria-label="Transfers"] tbody tr');
  await waitForText(page, '#panel-transfers .table-said', `${link.count} transfers that arrived in the range`);
  const { head, rows } = await copied(page, '#panel-transfers [role="grid"]');
  assert.deepEqual(new Set(rows.map((row) => [row[head.indexOf('source')], row[head.indexOf('destination')]].join(' to '))), new Set([`${link.source} to ${link.destination}`]));
  await page.close();
});

test('a device chosen among the splits is what the figures beside are about', async () => {
  const page = await opened();
  const types = JSON.parse(core.session.opTypes(new RangeQuery(0, core.summary.span_ns + 1, 1)));
  await waitForText(page, '#panel-range', 'Any device');
  await page.focus('#panel-range section[aria-label="Split per device"] [role="grid"]');
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
  await waitForText(page, '#panel-range', `${types.length} op types`);
  const { head, rows } = await copied(page, '#panel-range section[aria-label="Op types"] [role="grid"]');
  assert.deepEqual(rows, types.map((row) => cells(row, head)));
  await page.close();
});

test('the table says in rows what is in view, in the order asked for', async () => {
  const [start, end] = [0.3, 0.31].map((share) => Math.round(core.summary.span_ns * share));
  const page = await opened(viewWith(`w=${start},${end}&tab=table`));
  const rowsOf = (sort, descending) => {
    const { rows } = JSON.parse(core.session.opsIn(new RangeQuery(start, end), new OpFilter(false, ''), sort, descending, 0, 5000));
    return rows.map((row) => ({ ...row, device: core.summary.devices[row.device].name, length_ns: row.end_ns - row.start_ns }));
  };
  const count = rowsOf('start_ns', false).length;
  assert.ok(count > 1 && count < core.summary.ops);
  await waitForText(page, '#panel-table .table-said', `${count} ops in view`);
  const grid = '#panel-table [role="grid"]';
  const first = await copied(page, grid);
  assert.deepEqual(first.rows, rowsOf('start_ns', false).map((row) => cells(row, first.head)));
  await (await page.$$(`${grid} .sort`))[first.head.indexOf('length_ns')].click();
  const second = await copied(page, grid);
  assert.deepEqual(second.rows, rowsOf('length_ns', true).map((row) => cells(row, second.head)));
  await page.close();
});
