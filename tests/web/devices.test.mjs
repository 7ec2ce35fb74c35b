// The rows of the timeline: devices are filtered, pinned, hidden, moved and folded, their lanes arranged, by mouse and by keys.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultsOf } from './axe.mjs';
import { canvasBox } from './canvas.mjs';
import { boxOf, fields, toTab, until, untilField, untilRest, untilSpoken } from './hands.mjs';
import { fixture } from './site.mjs';
import { browser, openedHere, site } from './stage.mjs';
import { clickButton, openFiles, visit, waitForReady } from './steplens.mjs';

/** The page with the sample open: five devices, ps 0 and worker 0 to 3, each with one CPU. */
async function sample(fragment = '') {
  const { page, faults } = await openedHere(fragment, fixture('ps4w.pb'));
  return { page, faults };
}

/** What the left column shows from top to bottom: `ps 0/CPU:0` and so on. Runs in the page. */
const readRows = () => [...document.querySelectorAll('.device')]
  .filter((row) => row.checkVisibility())
  .map((row) => {
    const head = row.closest('.task-section')?.querySelector('.task');
    const task = head?.checkVisibility() ? head.querySelector('.task-name').textContent : '';
    return [row.getBoundingClientRect().top, [task, row.querySelector('.device-task').textContent, row.querySelector('.device-name').textContent].filter(Boolean).join('/')];
  })
  .sort((a, b) => a[0] - b[0])
  .map(([, name]) => name);

const shown = (page) => page.evaluate(readRows);

/** Waits until the left column shows exactly these. */
async function untilShown(page, wanted) {
  const same = `(${readRows})().join() === ${JSON.stringify(wanted.join())}`;
  await page.waitForFunction(same, { polling: 20 }).catch(async () => assert.deepEqual(await shown(page), wanted));
}

const ALL = ['ps 0/CPU:0', 'worker 0/CPU:0', 'worker 1/CPU:0', 'worker 2/CPU:0', 'worker 3/CPU:0'];
const row = (device) => `[data-device="${device}"]`;
const fold = (device) => `${row(device)} .device-fold`;
/** The name of a device, by which it is chosen. */
const choose = (device) => `${row(device)} .device-choose`;

/** Puts the pointer into the row of a device. */
async function pointAt(page, device) {
  const { x, y } = await boxOf(page, row(device));
  await page.mouse.move(x + 60, y + 12);
}

test('the filter keeps the devices whose names hold the words, and Esc clears it', async () => {
  const { page, faults } = await sample();
  await untilShown(page, ALL);
  await page.click('.device-filter');
  await page.keyboard.type('Worker 2');
  await untilShown(page, ['worker 2/CPU:0']);
  await untilSpoken(page, /^1 of 5 rows$/);
  assert.equal(await page.$eval('.filter-count', (count) => count.textContent), '1 of 5');
  await untilField(page, 'f', 'Worker 2');
  await page.keyboard.press('Escape');
  await untilShown(page, ALL);
  await page.keyboard.type('no such device');
  await untilShown(page, []);
  await clickButton(page, 'Clear filter');
  await untilShown(page, ALL);
  assert.deepEqual(await faults(), []);
  await page.close();
});

test('a pinned device stays at the top while the others scroll, and whatever the filter', async () => {
  const { page } = await sample();
  // All of the devices would fit.
  await page.setViewport({ width: 1280, height: 560 });
  await untilRest(page);
  await pointAt(page, 2);
  await page.keyboard.press('p');
  await untilField(page, 'pin', '2');
  await untilShown(page, ['worker 1/CPU:0', ...ALL.filter((name) => !name.startsWith('worker 1'))]);
  const before = await boxOf(page, row(2));
  const box = await canvasBox(page);
  await page.mouse.move(box.x + 300, box.y + box.height - 30);
  await page.mouse.wheel({ deltaY: 2000 });
  await untilField(page, 'y');
  assert.equal((await boxOf(page, row(2))).y, before.y, 'it did not scroll');
  assert.equal(before.y, box.y, 'it is at the top of the lanes');
  await page.click('.device-filter');
  await page.keyboard.type('ps 0');
  await untilShown(page, ['worker 1/CPU:0', 'ps 0/CPU:0']);
  await page.keyboard.press('Escape');
  await pointAt(page, 2);
  await page.click(`${row(2)} .device-pin`);
  await untilField(page, 'pin', null);
  await untilShown(page, ALL);
  await page.close();
});

test('hidden devices are gone until they are shown again, and the view history knows of it', async () => {
  const { page } = await sample();
  await pointAt(page, 0);
  await page.click(`${row(0)} .device-hide`);
  await untilField(page, 'hide', '0');
  await page.focus(choose(1));
  await page.keyboard.press('h');
  await untilField(page, 'hide', '0,1');
  await untilShown(page, ALL.slice(2));
  await until(page, () => document.activeElement.closest('[data-device]')?.dataset.device === '2');
  await clickButton(page, 'show hidden (2)');
  await untilField(page, 'hide', null);
  await untilShown(page, ALL);
  await page.keyboard.down('Control');
  await page.keyboard.press('z');
  await untilField(page, 'hide', '0,1');
  await page.keyboard.press('z');
  await page.keyboard.up('Control');
  await untilField(page, 'hide', '0');
  await untilShown(page, ALL.slice(1));
  await page.close();
});

test('a device is moved by dragging its row, and back with Alt and the arrow keys', async () => {
  const { page } = await sample();
  const from = await boxOf(page, row(3));
  const to = await boxOf(page, row(1));
  await page.mouse.move(from.x + 60, from.y + 12);
  await page.mouse.down();
  await page.mouse.move(from.x + 60, from.y - 20, { steps: 3 });
  assert.ok(await page.$eval('.drop-line', (line) => line.checkVisibility()));
  await page.mouse.move(to.x + 60, to.y + 4, { steps: 5 });
  await page.mouse.up();
  await untilField(page, 'order', '0,3,1,2,4');
  await untilShown(page, ['ps 0/CPU:0', 'worker 2/CPU:0', 'worker 0/CPU:0', 'worker 1/CPU:0', 'worker 3/CPU:0']);
  assert.equal((await fields(page)).fold, undefined, 'the end of a drag is no click');
  await page.focus(choose(3));
  await page.keyboard.down('Alt');
  await page.keyboard.press('ArrowDown');
  await untilField(page, 'order', '0,1,3,2,4');
  await until(page, () => document.activeElement.closest('[data-device]')?.dataset.device === '3');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.up('Alt');
  await untilShown(page, ALL);
  await page.close();
});

test('a click on a device shows its figures; its triangle, a double click and the arrow keys fold it', async () => {
  const { page, faults } = await sample();
  await toTab(page, 'network');
  await page.click(choose(2));
  await untilSpoken(page, /^Figures of worker 1 CPU:0$/);
  const titles = () => page.$$eval('#panel-range .range-title', (titles) => titles.map((title) => title.textContent));
  await until(page, () => [...document.querySelectorAll('#panel-range .range-title')].some((title) => /worker 1/.test(title.textContent)));
  assert.equal(await page.$eval('#tab-range', (tab) => tab.ariaSelected), 'true');
  assert.equal(await page.$eval(choose(2), (button) => button.ariaPressed), 'true');
  assert.equal(await page.$eval('#panel-range .table tr.selected', (line) => line.innerText.includes('worker 1')), true);
  assert.equal((await fields(page)).fold, undefined, 'it was not folded');
  // Anywhere in the row, as long as it is no button.
  await page.click(`${row(1)} .split-bar`);
  await untilSpoken(page, /^Figures of worker 0 CPU:0$/);
  assert.equal(await page.$eval(choose(2), (button) => button.ariaPressed), 'false');
  await page.click(choose(1));
  await untilSpoken(page, /^Figures of all devices$/);
  assert.ok((await titles()).every((title) => !/worker/.test(title)));
  await page.click(choose(1));
  await untilSpoken(page, /^Figures of worker 0/);
  await page.focus('canvas.lanes');
  await page.keyboard.press('Escape');
  await untilSpoken(page, /^Figures of all devices$/);
  // Folding, in four ways.
  await page.click(fold(1));
  await untilField(page, 'fold', '1');
  await page.click(choose(1), { count: 2 });
  await untilField(page, 'fold', null);
  await page.focus(choose(1));
  await page.keyboard.press('ArrowLeft');
  await untilField(page, 'fold', '1');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowRight');
  await untilField(page, 'fold', null);
  assert.equal(await page.$eval(fold(1), (button) => button.ariaExpanded), 'true');
  // The keyboard has one stop for the two.
  assert.equal(await page.$eval(fold(1), (button) => button.tabIndex), -1);
  await page.keyboard.press('Enter');
  await untilSpoken(page, /^Figures of (worker 0|all)/);
  assert.deepEqual(await faultsOf(page), []);
  assert.deepEqual(await faults(), []);
  await page.close();
});

test('Esc leaves a dragged row where it was', async () => {
  const { page } = await sample();
  const from = await boxOf(page, row(2));
  await page.mouse.move(from.x + 60, from.y + 12);
  await page.mouse.down();
  await page.mouse.move(from.x + 60, from.y - 150, { steps: 4 });
  await page.keyboard.press('Escape');
  await page.mouse.up();
  assert.ok(!(await page.$eval('.drop-line', (line) => line.checkVisibility())));
  await untilShown(page, ALL);
  await page.close();
});

test('the arrow keys go from row to row', async () => {
  const { page } = await sample();
  await page.focus(choose(0));
  for (const device of ['1', '2', '3', '4']) {
    await page.keyboard.press('ArrowDown');
    await until(page, (device) => document.activeElement.closest('[data-device]')?.dataset.device === device, device);
  }
  await until(page, () => {
    const { top, bottom } = document.activeElement.getBoundingClientRect();
    const lanes = document.querySelector('canvas.lanes').getBoundingClientRect();
    return top >= lanes.top && bottom <= lanes.bottom;
  });
  await page.keyboard.press('ArrowUp');
  await until(page, () => document.activeElement.closest('[data-device]')?.dataset.device === '3');
  await page.close();
});

test('the row that has the keyboard keeps it, wherever it is scrolled to', async () => {
  const { page } = await openedHere('', fixture('ps2w6.pb.gz'));
  await page.focus('canvas.lanes');
  await page.keyboard.down('Shift');
  await page.keyboard.press('n');
  await page.keyboard.up('Shift');
  await untilField(page, 'open');
  await page.focus(choose(0));
  const { x, y, width } = await boxOf(page, 'canvas.lanes');
  await page.mouse.move(x + width / 2, y + 50);
  // Other rows more than 300 pixels away are not in the document.
  const isFar = () => page.evaluate((first, top) => !(document.querySelector(first)?.getBoundingClientRect().bottom > top), row(0), y - 400);
  for (let turns = 0; turns < 40 && !await isFar(); turns++) {
    await page.mouse.wheel({ deltaY: 200 });
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  }
  assert.ok(await isFar());
  assert.equal(await page.evaluate(() => document.activeElement.closest('[data-device]')?.dataset.device), '0');
  await page.keyboard.press('ArrowDown');
  await until(page, () => document.activeElement.closest('[data-device]')?.dataset.device === '1');
  // The page remembers it for the next trace.
  await page.focus('canvas.lanes');
  await page.keyboard.down('Shift');
  await page.keyboard.press('n');
  await page.keyboard.up('Shift');
  await untilField(page, 'open', null);
  await page.close();
});

/** Waits until pixels of the canvas, in the row of a device, have nearly the colour of a category. */
const untilInked = (page, device, category) => until(page, (selector, category) => {
  const canvas = document.querySelector('canvas.lanes');
  const box = canvas.getBoundingClientRect();
  const row = document.querySelector(selector).getBoundingClientRect();
  const probe = document.createElement('canvas').getContext('2d');
  probe.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(`--${category}`);
  probe.fillRect(0, 0, 1, 1);
  const wanted = probe.getImageData(0, 0, 1, 1).data;
  const { data } = canvas.getContext('2d').getImageData(0, row.top - box.top, canvas.width, row.height);
  for (let at = 0; at < data.length; at += 4)
    if (Math.hypot(data[at] - wanted[0], data[at + 1] - wanted[1], data[at + 2] - wanted[2]) < 12) return true;
  return false;
}, row(device), category);

test('a folded device takes one line and shows its density; a click on it unfolds it', async () => {
  const { page } = await sample();
  const before = await boxOf(page, row(1));
  await page.click(fold(1));
  await untilField(page, 'fold', '1');
  const folded = await boxOf(page, row(1));
  assert.ok(folded.height < before.height / 2);
  for (const category of ['compute', 'communication']) await untilInked(page, 1, category);
  const lanes = await canvasBox(page);
  // Most transfers of the sample run in the first fifth of the step.
  await page.mouse.move(lanes.x + lanes.width * 0.13, folded.y + folded.height - 6);
  await until(page, () => /^worker 0 CPU:0.*transfers at a time on average/.test(document.querySelector('.tooltip').textContent));
  await page.mouse.move(lanes.x + lanes.width * 0.7, folded.y + folded.height / 2);
  await until(page, () => /^worker 0 CPU:0.*at once on average.*compute/.test(document.querySelector('.tooltip').textContent));
  await page.mouse.click(lanes.x + lanes.width * 0.13, folded.y + folded.height / 2);
  await untilField(page, 'fold', null);
  assert.equal((await boxOf(page, row(1))).height, before.height);
  await page.close();
});

test('lanes are arranged by op type, and the selected op stays selected and in sight', async () => {
  const { page } = await sample();
  // High enough for all groups: those out of sight have no names.
  await page.setViewport({ width: 1280, height: 1000 });
  await page.click('.device-filter');
  await page.keyboard.type('worker 3');
  await untilShown(page, ['worker 3/CPU:0']);
  await page.focus('canvas.lanes');
  await page.keyboard.press('.');
  const op = await untilField(page, 'op');
  await page.click('[aria-controls="lanes-menu"]');
  await page.click('input[value="op_type"]');
  await untilSpoken(page, /^(Lanes by op type|Selected )/);
  await untilField(page, 'by', 'op_type');
  await until(page, () => document.querySelectorAll('.group-name').length > 3);
  const names = await page.$$eval('.group-name', (names) => names.map((name) => name.textContent));
  for (const name of ['BiasAddGrad', 'RecvTensor']) assert.ok(names.includes(name), names.join());
  assert.equal((await fields(page)).op, op);
  await page.click('input[value="packed"]');
  await untilField(page, 'by', null);
  await until(page, () => document.querySelectorAll('.group-name').length === 0);
  await page.close();
});

test('threads can be chosen only where they were recorded', async () => {
  const { page } = await sample();
  await page.click('[aria-controls="lanes-menu"]');
  await until(page, () => document.querySelector('input[value="thread"]').disabled);
  assert.match(await page.$eval('.choice.off', (choice) => choice.textContent), /no thread was recorded/);
  await page.keyboard.press('Escape');
  assert.ok(!(await page.$eval('#lanes-menu', (menu) => menu.checkVisibility())));
  await page.close();
});

test('the address brings the rows back as they were', async () => {
  const { page } = await sample();
  await pointAt(page, 2);
  await page.keyboard.press('p');
  await untilField(page, 'pin', '2');
  await page.focus(choose(1));
  await page.keyboard.press('h');
  await untilField(page, 'hide', '1');
  await page.focus(choose(3));
  await page.keyboard.down('Alt');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.up('Alt');
  await untilField(page, 'order', '3,0,1,2,4');
  await page.click('[aria-controls="lanes-menu"]');
  await page.click('input[value="scope"]');
  await untilField(page, 'by', 'scope');
  const rows = await shown(page);
  const address = await page.evaluate(() => location.hash);
  await page.close();
  const again = (await sample(address)).page;
  await untilShown(again, rows);
  await until(again, () => document.querySelectorAll('.group-name').length > 0);
  assert.equal(await again.$eval('[aria-controls="lanes-menu"]', (opener) => opener.textContent), 'by scope');
  await again.close();
});

test('the left column is as wide as its edge is dragged or moved by keys, and stays so', async () => {
  // Of its own: the column of a page that showed groups of lanes before is another one for a moment.
  const { page } = await visit(browser, site.url);
  await openFiles(page, fixture('ps4w.pb'));
  const lanes = await canvasBox(page);
  const edge = await boxOf(page, '.tree-edge');
  await page.mouse.move(edge.x + edge.width / 2, edge.y + 200);
  await page.mouse.down();
  await page.mouse.move(edge.x + edge.width / 2 + 100, edge.y + 200, { steps: 4 });
  await page.mouse.up();
  await until(page, (x) => document.querySelector('canvas.lanes').getBoundingClientRect().x === x, lanes.x + 100);
  await page.focus('.tree-edge');
  await page.keyboard.press('ArrowLeft');
  await until(page, (x) => document.querySelector('canvas.lanes').getBoundingClientRect().x === x, lanes.x + 84);
  assert.equal((await canvasBox(page)).width, lanes.width - 84);
  await page.reload();
  await waitForReady(page, async () => (await page.$('#open-file')).uploadFile(fixture('ps4w.pb')));
  assert.equal((await canvasBox(page)).x, lanes.x + 84);
  await page.mouse.move(edge.x + 84 + edge.width / 2, edge.y + 200);
  await page.mouse.click(edge.x + 84 + edge.width / 2, edge.y + 200, { clickCount: 2 });
  await until(page, (x) => document.querySelector('canvas.lanes').getBoundingClientRect().x === x, lanes.x);
  await page.close();
});

for (const scheme of ['light', 'dark'])
  test(`whatever is done with the rows, axe-core finds nothing, ${scheme}`, async () => {
    const { page } = await visit(browser, site.url);
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
    await openFiles(page, fixture('ps4w.pb'));
    await pointAt(page, 2);
    await page.keyboard.press('p');
    await untilField(page, 'pin', '2');
    await page.focus(choose(1));
    await page.keyboard.press('h');
    await untilField(page, 'hide', '1');
    assert.deepEqual(await faultsOf(page), [], 'pinned and hidden');
    await page.click('[aria-controls="lanes-menu"]');
    await until(page, () => document.querySelector('input[value="thread"]').disabled);
    assert.deepEqual(await faultsOf(page), [], 'the menu');
    await page.click('input[value="op_type"]');
    await until(page, () => document.querySelectorAll('.group-name').length > 3);
    await page.keyboard.press('Escape');
    assert.deepEqual(await faultsOf(page), [], 'groups');
    await page.click('.device-filter');
    await page.keyboard.type('no such device');
    await untilShown(page, ['worker 1/CPU:0']);
    await pointAt(page, 2);
    await page.click(`${row(2)} .device-hide`);
    await until(page, () => document.querySelector('.no-rows').checkVisibility());
    assert.deepEqual(await faultsOf(page), [], 'nothing is shown');
    await page.close();
  });

test('the menu of a task does what it says to all devices of the task', async () => {
  const { page, faults } = await openedHere('', fixture('multidev.pb'));
  const head = '.task-section .task';
  await page.waitForSelector(head, { visible: true });
  const count = await page.$$eval('.device', (devices) => devices.length);
  assert.ok(count > 1);
  const choose = async (words) => {
    await page.click(`${head} .task-name`, { button: 'right' });
    await page.waitForSelector('.context-menu');
    assert.deepEqual(await faultsOf(page), [], 'the menu of a task');
    const items = await page.$$eval('.context-menu [role="menuitem"]', (own) => own.map((item) => item.textContent));
    assert.deepEqual(items, ['Copy name', 'Show only localhost 0', 'Fold or unfold', 'What if the network of localhost 0 were faster?', 'Pin its devices', 'Hide its devices']);
    await page.$$eval('.context-menu [role="menuitem"]', (own, words) => own.find((item) => item.textContent === words).click(), words);
  };
  await choose('Show only localhost 0');
  await until(page, () => document.querySelector('.device-filter').value === 'localhost 0');
  await choose('Fold or unfold');
  await until(page, (count) => document.querySelectorAll('.device.folded').length === count, count);
  await choose('Hide its devices');
  await until(page, () => document.querySelectorAll('.device').length === 0);
  assert.equal((await untilField(page, 'hide')).split(',').length, count);
  assert.deepEqual(await faults(), []);
  await page.close();
});
