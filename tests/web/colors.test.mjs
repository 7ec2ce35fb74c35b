// Colours and their legend in Chromium: what the lanes are painted with, what lights up, what each colour has in the view, and what stays.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { faultsOf } from './axe.mjs';
import { fragment } from './canvas.mjs';
import { fields, until, untilField, untilRead, untilSpoken } from './hands.mjs';
import { runMetadata } from './run_metadata.mjs';
import { fixture } from './site.mjs';
import { browser, onPage, site } from './stage.mjs';
import { chooseBytes, openFiles, share, summary, visit, waitForReady, waitForState } from './steplens.mjs';

const CPU = '/job:worker/replica:0/task:0/device:CPU:0';
const OPS = [
  { name: 'one', label: 'one = MatMul(x)', start: 1_000, end: 3_000 },
  { name: 'two', label: 'two = ApplyAdam(y)', start: 4_000, end: 6_000 },
  { name: 'three', label: 'three = MatMul(z)', start: 7_000, end: 9_000 },
  { name: 'net/four', label: 'net/four = Add(z)', start: 10_000, end: 10_500 },
];
const open = async (page) => {
  await waitForReady(page, () => chooseBytes(page, [{ name: 'types.pb', bytes: runMetadata([{ device: CPU, ops: OPS }]) }]));
};

async function colorBy(page, by) {
  await page.click('[aria-controls="color-menu"]');
  await page.click(`#color-menu input[value="${by}"]`);
  await page.keyboard.press('Escape');
  await untilLegend(page, by);
}

/** Waits until the legend is that of the choice, with figures. */
const untilLegend = (page, by) =>
  until(
    page,
    (by) => document.querySelector('.legend').dataset.by === by && !!document.querySelector('.legend-item .figure')?.textContent,
    by,
  );

/** The colour in the middle of each op's mark, when the lanes show the whole. */
const painted = (page) =>
  page.$eval(
    'canvas.lanes',
    (canvas, ops) => {
      const window = { start: -0.004 * 9.5e6, end: 1.004 * 9.5e6 };
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      return ops.map(({ start, end }) => {
        // Away from the label, which begins at the left.
        const at_ns = (start + 0.9 * (end - start) - 1_000) * 1_000;
        const x = Math.round(((at_ns - window.start) / (window.end - window.start)) * canvas.width);
        const counts = new Map();
        for (let y = 0; y < canvas.height; y++) {
          const at = (y * canvas.width + x) * 4;
          const color = [data[at], data[at + 1], data[at + 2]].join(',');
          counts.set(color, (counts.get(color) ?? 0) + 1);
        }
        const colors = [...counts].map(([color, count]) => ({
          color,
          count,
          chroma: Math.max(...color.split(',')) - Math.min(...color.split(',')),
        }));
        return colors.filter(({ count }) => count >= 8).reduce((a, b) => (b.chroma > a.chroma ? b : a)).color;
      });
    },
    OPS,
  );

const legendOf = (page) =>
  page.$$eval('.legend-item', (items) =>
    items.map((item) => ['.legend-name', '.figure'].map((part) => item.querySelector(part).textContent.replace(/\s/g, ' '))),
  );

const swatch = (page, name) =>
  page.$$eval(
    '.legend-item',
    (items, name) => {
      const item = items.find((own) => own.querySelector('.legend-name').textContent === name);
      return getComputedStyle(item.querySelector('.dot')).backgroundColor.replace(/rgb\(|\)| /g, '');
    },
    name,
  );

onPage('ops of one type have one colour, in the lanes, the legend and the table', async ({ page }) => {
  await open(page);
  await untilLegend(page, 'category');
  const [one, , three] = await painted(page);
  assert.equal(one, three);
  await colorBy(page, 'op_type');
  await untilField(page, 'color', 'op_type');
  await until(page, () => document.querySelectorAll('.legend-item').length === 3);
  const [matmul, adam, again, add] = await painted(page);
  assert.equal(matmul, again);
  assert.equal(new Set([matmul, adam, add]).size, 3);
  assert.deepEqual([await swatch(page, 'MatMul'), await swatch(page, 'ApplyAdam'), await swatch(page, 'Add')], [matmul, adam, add]);
  const in_table = await page.$$eval('#panel-range [data-op-type]', (names) =>
    names.map((name) => [
      name.textContent,
      getComputedStyle(name.parentElement.querySelector('.dot')).backgroundColor.replace(/rgb\(|\)| /g, ''),
    ]),
  );
  assert.deepEqual(Object.fromEntries(in_table), {
    MatMul: matmul,
    ApplyAdam: adam,
    Add: add,
  });
  assert.deepEqual(await legendOf(page), [
    ['MatMul', '4.000 ms'],
    ['ApplyAdam', '2.000 ms'],
    ['Add', '500.0 µs'],
  ]);
});

onPage('a phase has its colour, and what nothing says anything of is grey', async ({ page }) => {
  await open(page);
  await colorBy(page, 'phase');
  await untilField(page, 'color', 'phase');
  assert.deepEqual(await legendOf(page), [
    ['optimizer', '2.000 ms'],
    ['forward and the rest', '4.500 ms'],
  ]);
  const [one, two, three] = await painted(page);
  assert.equal(one, three);
  assert.deepEqual([await swatch(page, 'optimizer'), await swatch(page, 'forward and the rest')], [two, one]);
});

/** How many pixels of the lanes have the colour that ops of no colour have. */
const greyPixels = (page) =>
  page.$eval('canvas.lanes', (canvas) => {
    const grey = getComputedStyle(canvas).getPropertyValue('--rest').trim();
    const wanted = [1, 3, 5].map((at) => parseInt(grey.slice(at, at + 2), 16));
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let at = 0; at < data.length; at += 4) if (wanted.every((part, of) => data[at + of] === part)) count++;
    return count / (canvas.width * canvas.height);
  });

onPage('ranges are outlines, whatever colours stand for', async ({ page }) => {
  const event = (name, cat, ts, dur) => ({ ph: 'X', name, cat, pid: 1, tid: 1, ts, dur, args: {} });
  const events = [event('## backward ##', 'user_annotation', 0, 1_000), event('aten::mul', 'cpu_op', 400, 100), event('aten::add', 'cpu_op', 700, 1)];
  const bytes = new TextEncoder().encode(JSON.stringify({ traceEvents: events }));
  await waitForReady(page, () => chooseBytes(page, [{ name: 'torch.json', bytes }]));
  await colorBy(page, 'phase');
  assert.deepEqual((await legendOf(page)).map(([name]) => name), ['backward']);
  assert.ok((await greyPixels(page)) < 0.005);
});

onPage('the legend says what each colour has in the view', async ({ page }) => {
  await open(page);
  await colorBy(page, 'op_type');
  const { ops, span_ns } = await summary(page);
  // From the middle of the first MatMul to the middle of the second.
  await page.goto('about:blank');
  await page.goto(`${site.url}${fragment({ ops, span_ns }, 1_000_000, 7_000_000)}&color=op_type`);
  await open(page);
  await until(page, () => document.querySelector('.legend-item .figure')?.textContent.replace(/\s/g, ' ') === '2.000 ms');
  assert.deepEqual(await legendOf(page), [
    ['MatMul', '2.000 ms'],
    ['ApplyAdam', '2.000 ms'],
    ['Add', '0 ns'],
  ]);
});

onPage('a click on a colour shows it alone, another with Ctrl adds one, and Escape brings all back', async ({ page }) => {
  await open(page);
  await colorBy(page, 'op_type');
  await page.mouse.move(5, 5);
  const before = await painted(page);
  const item = (name) =>
    page.evaluateHandle((name) => [...document.querySelectorAll('.legend-item')].find((own) => own.textContent.startsWith(name)), name);
  await (await item('MatMul')).focus();
  await page.keyboard.press('Enter');
  await untilSpoken(page, /Only 1 colour/);
  const untilPainted = (changed) => untilRead(async () => (await painted(page)).map((color, at) => color !== before[at]), (now) => String(now) === String(changed));
  await untilPainted([false, true, false, true]);
  assert.deepEqual(await page.$$eval('.legend-item', (items) => items.map((own) => own.getAttribute('aria-pressed'))), [
    'true',
    'false',
    'false',
  ]);
  await page.keyboard.down('Control');
  await (await item('Add')).click();
  await page.keyboard.up('Control');
  await page.mouse.move(5, 5);
  await page.focus('canvas.lanes');
  await untilPainted([false, true, false, false]);
  await page.keyboard.press('Escape');
  await untilPainted([false, false, false, false]);
  assert.deepEqual(
    new Set(await page.$$eval('.legend-item', (items) => items.map((own) => own.getAttribute('aria-pressed')))),
    new Set(['false']),
  );
});

onPage('the pointer on an op type lights its ops, and a click lists them with how long they are', async ({ page }) => {
  await open(page);
  await colorBy(page, 'op_type');
  await page.mouse.move(5, 5);
  const before = await painted(page);
  await page.hover('#panel-range [data-op-type="ApplyAdam"]');
  await untilRead(async () => (await painted(page)).map((color, at) => color !== before[at]), (now) => String(now) === 'true,false,true,true');
  await page.click('#panel-range [data-op-type="MatMul"]');
  await until(page, () => document.querySelectorAll('#panel-matches .length-bars button').length > 0);
  await untilField(page, 'q', 'type=MatMul');
  assert.deepEqual(await page.$$eval('#panel-matches .length-bars button', (bars) => bars.map((bar) => bar.title.replace(/\s/g, ' '))), [
    '2.000 ms: 2 ops, 4.000 ms together',
  ]);
});

onPage('a click on a bar of the histogram lists the ops of that duration, and another click all of them', async ({ page }) => {
  await open(page);
  await page.keyboard.press('/');
  await page.keyboard.type('o');
  await page.$eval('#tab-matches', (tab) => tab.click());
  await until(page, () => document.querySelectorAll('#panel-matches .length-bars button').length > 1);
  const listed = () => page.$$eval('#panel-matches tbody tr[aria-rowindex] th', (cells) => cells.map((cell) => cell.textContent).sort());
  const untilListed = (wanted) => untilRead(listed, (now) => String(now) === String(wanted));
  await untilListed(['net/four', 'one', 'three', 'two']);
  const bars = await page.$$('#panel-matches .length-bars button:not([disabled])');
  assert.equal(bars.length, 2);
  await bars[0].click();
  await untilListed(['net/four']);
  assert.equal(await bars[0].evaluate((bar) => bar.ariaPressed), 'true');
  await bars[1].click();
  await untilListed(['one', 'three', 'two']);
  assert.deepEqual(await faultsOf(page), []);
  await bars[1].click();
  await untilListed(['net/four', 'one', 'three', 'two']);
  await bars[0].click();
  await untilListed(['net/four']);
  // What is searched for next has durations of its own: none of them is chosen.
  await page.keyboard.press('/');
  await page.keyboard.type('name:ee');
  await untilListed(['three']);
  assert.equal(await page.$('#panel-matches .length-bars [aria-pressed="true"]'), null);
});

onPage('a shared page has the colours it was shared with', async ({ page }) => {
  await open(page);
  await colorBy(page, 'op_type');
  await page.mouse.move(5, 5);
  const [legend, colors] = [await legendOf(page), await painted(page)];
  const folder = await mkdtemp(path.join(os.tmpdir(), 'steplens-colors-'));
  const file = path.join(folder, 'shared.html');
  await writeFile(file, await share(page));
  const { page: shared, faults } = await visit(browser, pathToFileURL(file).href);
  await waitForState(shared, 'ready');
  await untilLegend(shared, 'op_type');
  assert.deepEqual(await legendOf(shared), legend);
  assert.deepEqual(await painted(shared), colors);
  assert.deepEqual(await faults(), []);
  await shared.close();
  await rm(folder, { recursive: true, force: true });
});

onPage('the choice stays after a reload and is in an address', async ({ page }) => {
  await open(page);
  await colorBy(page, 'duration');
  await until(page, () => document.querySelectorAll('.legend-item').length > 0);
  // What has no room in the bar stands after it.
  assert.deepEqual(await legendOf(page), [
    ['1 ms to 10 ms', '6.000 ms'],
    ['0.1 ms to 1.0 ms', '500.0 µs'],
  ]);
  await untilField(page, 'color', 'duration');
  await page.reload();
  await open(page);
  await untilLegend(page, 'duration');
});

onPage('where names record phases, a click shows them and says of how much time their shares are, and another shows the split', async ({ page }) => {
  await open(page);
  const chip = await page.waitForSelector('.legend .phases', { visible: true });
  await chip.click();
  await untilLegend(page, 'phase');
  await untilField(page, 'color', 'phase');
  assert.equal(await chip.evaluate((own) => own.ariaPressed), 'true');
  // By their lengths: ApplyAdam, and the rest.
  assert.deepEqual(await legendOf(page), [
    ['optimizer', '2.000 ms'],
    ['forward and the rest', '4.500 ms'],
  ]);
  assert.match(await page.$eval('.legend-of', (own) => own.textContent), /6\.500.ms/);
  assert.deepEqual(await faultsOf(page), []);
  await chip.click();
  await untilLegend(page, 'category');
  assert.equal(await page.$eval('.legend-of', (own) => own.hidden), true);
});

onPage('where names record no phase, none are offered', async ({ page }) => {
  const ops = [{ name: 'four', label: 'four = Add(z)', start: 10_000, end: 10_500 }];
  await waitForReady(page, () => chooseBytes(page, [{ name: 'add.pb', bytes: runMetadata([{ device: CPU, ops }]) }]));
  await page.waitForSelector('.verdict:not(:empty)');
  await until(page, () => document.querySelector('.findings-open:not([hidden])') || document.querySelector('.highlights .note'));
  assert.equal(await page.$eval('.legend .phases', (own) => own.hidden), true);
});

onPage('the right mouse button and the key for menus offer what can be done with an op and a device', async ({ page }) => {
  await open(page);
  const box = await page.$eval('canvas.lanes', (canvas) => {
    const { left, top, width } = canvas.getBoundingClientRect();
    return { left, top, width };
  });
  const op = [box.left + (4_000 / 9_576) * box.width, box.top + 10];
  await page.mouse.move(...op);
  await until(page, () => !document.querySelector('.tooltip').hidden);
  await page.mouse.click(...op, { button: 'right' });
  const items = () => page.$$eval('.context-menu [role="menuitem"]', (own) => own.map((item) => item.textContent));
  await page.waitForSelector('.context-menu');
  assert.deepEqual((await items()).slice(0, 5), ['Copy name', 'Copy details', 'Zoom to it', 'Why late?', 'What if this op were faster?']);
  assert.ok((await items()).includes('Show in table'));
  assert.deepEqual(await faultsOf(page), []);
  for (const [key, at] of [['ArrowDown', 1], ['End', -1], ['ArrowDown', 0], ['ArrowUp', -1], ['ArrowUp', -2], ['Home', 0]]) {
    await page.keyboard.press(key);
    assert.equal(await page.evaluate(() => document.activeElement.textContent), (await items()).at(at), key);
  }
  await page.keyboard.press('Escape');
  assert.equal(await page.$('.context-menu'), null);
  await page.focus('canvas.lanes');
  await page.keyboard.press('.');
  await untilField(page, 'op');
  await page.$eval('canvas.lanes', (canvas) => canvas.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true })));
  await page.waitForSelector('.context-menu');
  const find = (await items()).indexOf('Find this op on all devices');
  for (let at = 0; at < find; at++) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await untilField(page, 'q', 'name=one');
  await page.click('[data-device="0"]', { button: 'right' });
  await page.waitForSelector('.context-menu');
  const [faster, ...others] = (await items()).toReversed();
  assert.match(faster, /^What if .+ were faster\?$/);
  // Whether there is memory is known when it was asked ahead.
  const always = others.toReversed().filter((item) => item !== 'Its memory');
  assert.deepEqual(always, ['Copy name', 'Its op types', 'Pin device', 'Hide device']);
  await page.mouse.click(5, 400);
  assert.equal(await page.$('.context-menu'), null);
});

onPage('the menu of colours says what dashed and solid arrows mean, while there are any', async ({ page }) => {
  await page.setViewport({ width: 1600, height: 900 });
  await openFiles(page, fixture('ps4w.pb'));
  assert.equal(await page.$eval('.legend-arrows', (own) => own.hidden), true);
  await page.focus('canvas.lanes');
  for (let ops = 0, op = null; ops < 4; ops++) {
    await page.keyboard.press('.');
    await until(page, (before) => ![null, before].includes(new URLSearchParams(location.hash.slice(1)).get('op')), op);
    ({ op } = await fields(page));
  }
  await until(page, () => !document.querySelector('.legend-arrows').hidden);
  assert.deepEqual(await faultsOf(page), []);
  await page.keyboard.press('Escape');
  await until(page, () => document.querySelector('.legend-arrows').hidden);
});

onPage('the menu of colours says what those of the critical path are where they are not those of ops', async ({ page }) => {
  await page.setViewport({ width: 1600, height: 900 });
  await openFiles(page, fixture('ps4w.pb'));
  await page.waitForSelector('.legend-path:not([hidden])');
  const shown = await page.$$eval('.legend-path [title]', (all) => all.map((one) => [one.textContent, getComputedStyle(one.firstElementChild).backgroundColor]));
  assert.deepEqual(shown.map(([words]) => words), ['before the first op', 'no recorded cause', 'in transit', 'starting the op']);
  const inked = await page.$eval('.path-strip', (canvas) => {
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const colors = new Set();
    for (let at = 0; at < data.length; at += 4) colors.add(`rgb(${data[at]}, ${data[at + 1]}, ${data[at + 2]})`);
    return [...colors];
  });
  for (const [words, color] of shown) assert.ok(inked.includes(color), `${words}: ${color}`);
});

onPage('what moves is shown in four ways: ops, transfers that nothing hides, on the way, and queued', async ({ page }) => {
  await page.setViewport({ width: 1600, height: 900 });
  await openFiles(page, fixture('ps4w.pb'));
  await page.waitForSelector('.legend-path:not([hidden])');
  await colorBy(page, 'category');
  for (const scheme of ['light', 'dark']) {
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    const { count, orange } = await page.$eval('canvas.lanes', (canvas) => {
      const probe = document.createElement('canvas').getContext('2d');
      probe.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--communication').trim();
      probe.fillRect(0, 0, 1, 1);
      const orange = [...probe.getImageData(0, 0, 1, 1).data].slice(0, 3);
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      const count = { plain: 0, darker: 0 };
      for (let at = 0; at < data.length; at += 4) {
        const [r, g, b] = data.subarray(at, at + 3);
        if (r === orange[0] && g === orange[1] && b === orange[2]) count.plain++;
        // Of the same hue, and clearly darker.
        else if (r > g && g > b && r > 120 && r < orange[0] - 30 && r - b > 90) count.darker++;
      }
      return { count, orange };
    });
    assert.ok(count.plain > 500 && count.darker > 0.3 * count.plain, `${scheme}: ${JSON.stringify(count)} of ${orange}`);
  }
  const looks = await page.evaluate(() => ['--communication', '--transit', '--queued', '--before', '--launch'].map((name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()));
  assert.equal(new Set(looks).size, looks.length);
});

onPage('a range around ops is an outline, and an op is filled, in the light and in the dark', async ({ page }) => {
  const event = (cat, name, ts, dur) => ({ ph: 'X', cat, name, pid: 7, tid: 7, ts, dur });
  const trace = { schemaVersion: 1, traceEvents: [event('user_annotation', 'ProfilerStep#1', 0, 10_000), event('cpu_op', 'aten::mm', 2_000, 1_000), event('cpu_op', 'aten::mm', 7_000, 3_000)] };
  await waitForReady(page, () => chooseBytes(page, [{ name: 'range.json', bytes: new TextEncoder().encode(JSON.stringify(trace)) }]));
  await colorBy(page, 'category');
  await page.mouse.move(5, 5);
  for (const scheme of ['light', 'dark']) {
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    const inked = await page.$eval('canvas.lanes', (canvas) => {
      const context = canvas.getContext('2d');
      const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
      const colorAt = (x, y) => [...data.subarray(4 * (y * canvas.width + x), 4 * (y * canvas.width + x) + 3)].join();
      const column = (share) => Math.round(canvas.width * ((share + 0.004) / 1.008));
      const all = Array.from({ length: canvas.height }, (_, y) => y);
      // The row of the range is where its left edge is.
      const [rows, edge] = [-1, 0, 1].map((by) => {
        const left = column(0) + by;
        const color = colorAt(left, all.find((y) => colorAt(left, y) !== colorAt(left, 0)) ?? 0);
        return [all.filter((y) => colorAt(left, y) === color && color !== colorAt(left, 0)), color];
      }).reduce((one, other) => (other[0].length > one[0].length ? other : one));
      const count = (share) => rows.filter((y) => colorAt(column(share), y) === edge).length;
      const op = Array.from({ length: canvas.height }, (_, y) => colorAt(column(0.8), y)).filter((color, y) => color !== colorAt(column(0.4), y)).length;
      return { edge, tall: rows.length, empty: count(0.4), op };
    });
    assert.ok(inked.tall > 10 && inked.empty >= 2 && inked.empty <= 4, `${scheme}: ${JSON.stringify(inked)}`);
    assert.ok(inked.op > 10, `${scheme}: ${JSON.stringify(inked)}`);
  }
});
