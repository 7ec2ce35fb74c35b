// A phone held upright: every part of the page is there, nothing is wider than the glass, and fingers do what mouse and keys do.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { faultsOf } from './axe.mjs';
import { canvasBox, fragment } from './canvas.mjs';
import { open } from './core.mjs';
import { moveAndRest, path, pressLong, tap, touch } from './fingers.mjs';
import { boxOf, fields, until, untilField } from './hands.mjs';
import { placeOf, standsApart, windowAround } from './places.mjs';
import { fixture } from './site.mjs';
import { browser, site } from './stage.mjs';
import { chooseBytes, openFiles, visit, waitForReady } from './steplens.mjs';

const FILE = fixture('ps4w.pb');
const SPANS = { schemaVersion: 1, traceEvents: [
  { ph: 'M', name: 'process_name', pid: 7, args: { name: 'python trainer' } },
  { ph: 'X', cat: 'cpu_op', name: 'aten::mm', pid: 7, tid: 1, ts: 10, dur: 50 },
  { ph: 'X', cat: 'Trace', name: 'PyTorch Profiler (0)', pid: 'Spans', tid: 'PyTorch Profiler', ts: 0, dur: 100 },
] };
const PHONE = { width: 390, height: 844, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

let core;
before(async () => {
  core = await open(FILE);
});
after(() => core?.session.free());

/** A phone that shows `window` of the sample; nothing that `body` does may make a script fail. */
function onPhone(name, body, windowOf = () => null) {
  test(name, async () => {
    const window = windowOf();
    const { page, faults } = await visit(browser, window ? `${site.url}${fragment(core.summary, ...window)}` : site.url, { viewport: PHONE });
    try {
      await openFiles(page, FILE);
      await body({ page, window });
      assert.deepEqual(await faults(), []);
    } finally {
      await page.close();
    }
  });
}

/** What can be pressed and lies outside the glass, although nothing that holds it can be scrolled. */
const outOfReach = (page) => page.evaluate(() => [...document.querySelectorAll('button, input, [role=tab], a')].filter((element) => {
  const { left, right, width } = element.getBoundingClientRect();
  if (width === 0 || element.closest('.visually-hidden, [hidden]') || (left >= -1 && right <= innerWidth + 1)) return false;
  for (let holder = element.parentElement; holder; holder = holder.parentElement) {
    if (holder.scrollWidth > holder.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(holder).overflowX)) return false;
  }
  return true;
}).map((element) => element.outerHTML.slice(0, 90)));

const menuItems = (page) => page.$$eval('.context-menu button', (buttons) => buttons.map((button) => button.textContent));
const middle = ({ x, y, width, height }) => [x + width / 2, y + height / 2];

onPhone('the page is as wide as the glass, and all of it is in reach', async ({ page }) => {
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  assert.deepEqual(await outOfReach(page), []);
  // The names of all rows are whole.
  const cut = await page.$$eval('.device-name, .device-task', (names) => names.filter((name) => name.scrollWidth > name.clientWidth + 1).map((name) => name.textContent));
  assert.deepEqual(cut, []);
});

test('each row of a narrow window has its name next to its fold', async () => {
  const { page } = await visit(browser, site.url, { viewport: { width: 390, height: 844 } });
  await waitForReady(page, () => chooseBytes(page, [{ name: 'spans.json', bytes: new TextEncoder().encode(JSON.stringify(SPANS)) }]));
  const rows = await page.$$eval('.device', (all) => all.map((own) => {
    const [fold, name] = ['.device-fold', '.device-name'].map((part) => own.querySelector(part));
    return [name.textContent, fold.ariaExpanded, Math.abs(fold.getBoundingClientRect().top - name.getBoundingClientRect().top) < 3];
  }));
  assert.deepEqual(rows, [['python trainer', 'true', true], ['Ranges, Spans', 'false', true]]);
  await page.close();
});

onPhone('lanes have three quarters of the glass, and every place is in sight', async ({ page }) => {
  const { left, width } = await page.$eval('canvas.lanes', (own) => own.getBoundingClientRect().toJSON());
  assert.ok(width >= 0.75 * PHONE.width, `${left}, ${width}`);
  const seen = await page.$$eval('.drawer-head [role=tab]:not([hidden])', (tabs) => tabs.map((own) => {
    const { left, right } = own.getBoundingClientRect();
    const strip = own.parentElement.getBoundingClientRect();
    return [own.textContent, left >= strip.left - 1 && right <= strip.right + 1];
  }));
  const PLACES = ['Overview', 'Time', 'Communication', 'Memory', 'What if', 'Compare'];
  assert.deepEqual(seen.slice(0, PLACES.length), PLACES.map((name) => [name, true]));
  // The sections of a place are whole.
  await tap(page, '#place-time');
  await page.waitForSelector('#tab-flame', { visible: true });
  const cut = await page.$$eval('.sections:not([hidden])', ([own]) => [own.scrollHeight, own.clientHeight]);
  assert.ok(cut[0] <= cut[1], `${cut}`);
});

onPhone('every tab is reached by a finger, and its panel is within the glass', async ({ page }) => {
  const placesOf = () => page.$$eval('.drawer-head [role=tab]:not([hidden])', (tabs) => tabs.map((tab) => tab.id));
  const sectionsOf = () => page.$$eval('.sections:not([hidden]) > [role=tab]:not([hidden])', (tabs) => tabs.map((tab) => tab.id));
  const reach = async (tab) => {
    // The row is pushed until the tab is under the finger.
    for (let pushes = 0; pushes < 12; pushes++) {
      const [{ x, width }, strip] = await page.$eval(`#${tab}`, (own) => [own, own.parentElement].map((one) => one.getBoundingClientRect().toJSON()));
      if (x >= strip.x && x + width <= strip.x + strip.width - 20) break;
      await page.$eval(`#${tab}`, (own, by) => own.parentElement.scrollBy(by, 0), x < strip.x ? -150 : 150);
    }
    await touch(page, [[middle(await boxOf(page, `#${tab}`))]]);
    await until(page, (tab) => document.getElementById(tab).ariaSelected === 'true', tab);
    const panel = await page.$eval('.panel:not([hidden])', (own) => own.getBoundingClientRect().toJSON());
    assert.ok(panel.x >= 0 && panel.width <= 390 && panel.height > 40, `${tab}: ${JSON.stringify(panel)}`);
  };
  const reached = new Set();
  for (const place of await placesOf()) {
    await reach(place);
    reached.add(place);
    for (const section of await sectionsOf()) {
      await reach(section);
      reached.add(section);
    }
  }
  assert.ok(reached.size >= 14, `${[...reached]}`);
  assert.deepEqual(await outOfReach(page), []);
  assert.deepEqual(await faultsOf(page), []);
});

onPhone('the drawer closes and opens under a finger', async ({ page }) => {
  const before = await canvasBox(page);
  await touch(page, [[middle(await boxOf(page, '.drawer-toggle'))]]);
  await until(page, (height) => document.querySelector('canvas.lanes').getBoundingClientRect().height > height, before.height);
  await touch(page, [[middle(await boxOf(page, '.drawer-toggle'))]]);
  await until(page, (height) => document.querySelector('canvas.lanes').getBoundingClientRect().height === height, before.height);
});

const fifth = () => [0.4, 0.6].map((share) => Math.round(core.summary.span_ns * share));

onPhone('one finger moves the view, two zoom it', async ({ page, window }) => {
  const box = await canvasBox(page);
  const at = (share) => [box.x + box.width * share, box.y + 60];
  await touch(page, path([at(0.7)], [at(0.4)]));
  const [start, end] = (await untilField(page, 'w', undefined)).split(',').map(Number);
  const length = window[1] - window[0];
  await until(page, (before) => new URLSearchParams(location.hash.slice(1)).get('w') !== before, window.join(','));
  const moved = (await fields(page)).w.split(',').map(Number);
  assert.ok(Math.abs((moved[0] - window[0]) / length - 0.3) < 0.01, `${start}, ${end}: ${moved}`);
  await touch(page, path([at(0.4), at(0.6)], [at(0.2), at(0.8)]));
  await until(page, (before) => new URLSearchParams(location.hash.slice(1)).get('w') !== before, moved.join(','));
  const near = (await fields(page)).w.split(',').map(Number);
  assert.ok(Math.abs((near[1] - near[0]) / length - 1 / 3) < 0.02, `${near}`);
}, fifth);

const apart = () => standsApart(core.session, core.summary, 'compute');

onPhone('a tap selects an op; a finger that rests on it offers what can be done', async ({ page }) => {
  const op = apart();
  const { x, y } = await placeOf(page, op);
  await touch(page, [[[x, y]]]);
  assert.equal(await untilField(page, 'op'), String(op.op));
  await pressLong(page, [x, y], [x, y]);
  await page.waitForSelector('.context-menu');
  const items = await menuItems(page);
  for (const wanted of ['Copy name', 'Zoom to it', 'Find this op on all devices', 'Pin device', 'Hide device']) assert.ok(items.includes(wanted), `${items}`);
  const menu = await boxOf(page, '.context-menu');
  assert.ok(menu.x >= 0 && menu.x + menu.width <= 390);
  assert.equal((await fields(page)).r, undefined, 'no range was drawn');
  assert.deepEqual(await faultsOf(page), []);
}, () => windowAround(apart()));

onPhone('a finger that moves before it has rested asks for no menu', async ({ page }) => {
  const [x, y] = middle(await boxOf(page, '[data-device="1"] .device-head'));
  await moveAndRest(page, [x, y], [x, y - 12]);
  assert.equal(await page.$('.context-menu'), null);
});

onPhone('a finger that rests on a device or on a row of a table offers what can be done', async ({ page }) => {
  const device = middle(await boxOf(page, '[data-device="1"] .device-head'));
  await pressLong(page, device, device);
  await page.waitForSelector('.context-menu');
  assert.ok((await menuItems(page)).includes('Hide device'));
  // The press is no tap, too: the device is not folded.
  assert.equal(await page.$eval('[data-device="1"] .device-fold', (fold) => fold.ariaExpanded), 'true');
  await page.keyboard.press('Escape');
  await page.$eval('#tab-table', (tab) => tab.click());
  const row = '#panel-table tbody tr[aria-rowindex="3"] th';
  await page.waitForSelector(row);
  const box = await boxOf(page, row);
  const cell = [box.x + 30, box.y + box.height / 2];
  await pressLong(page, cell, cell);
  await page.waitForSelector('.context-menu');
  const items = await menuItems(page);
  for (const wanted of ['Copy name', 'Copy row', 'Zoom to it', 'Hide device']) assert.ok(items.includes(wanted), `${items}`);
});

onPhone('the first lane is in the upper third, and what stands alone is as large as a finger', async ({ page }) => {
  const lanes = await page.$eval('canvas.lanes', (own) => own.getBoundingClientRect().top);
  assert.ok(lanes <= PHONE.height / 3, `${lanes} of ${PHONE.height}`);
  const small = await page.$$eval('.header .button, .header .menu-opener, .tab, .drawer-tools .button, .legend-item, .panel .sort, .panel tbody tr:not(.spacer)', (all) =>
    all.filter((one) => one.checkVisibility()).map((one) => [one.textContent || one.title, one.getBoundingClientRect()]).filter(([, { height, width }]) => height < 44 || width < 44));
  assert.deepEqual(small.map(([name, { width, height }]) => `${name}: ${width} x ${height}`), []);
});

onPhone('looks are chosen in the menu of the header', async ({ page }) => {
  await tap(page, '[aria-controls="more-menu"]');
  await tap(page, '#more-menu .textures');
  await until(page, () => document.documentElement.dataset.textures === 'on');
  await page.waitForSelector('#more-menu .textures[aria-pressed="true"]');
});
