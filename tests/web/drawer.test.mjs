// The drawer gives its height to the rows where it has but a hint to show, and takes it back when it has more.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fragment } from './canvas.mjs';
import { boxOf, searchFor, toTab, until, untilField } from './hands.mjs';
import { fixture } from './site.mjs';
import { browser, onPage, onTrace, openedHere, site } from './stage.mjs';
import { openFiles, summary, visit } from './steplens.mjs';

const heights = (page) =>
  page.evaluate(() => ({ drawer: document.querySelector('.drawer').offsetHeight, lanes: document.querySelector('canvas.lanes').clientHeight }));
const untilHeight = (page, height) => until(page, (height) => document.querySelector('.drawer').offsetHeight === height, height);

onTrace(fixture('ps4w.pb'), 'a tab that says nothing is low, and grows when it has something to say', async ({ page }) => {
  const usual = await heights(page);
  await toTab(page, 'selection');
  await until(page, (usual) => document.querySelector('.drawer').offsetHeight < usual, usual.drawer);
  const low = await heights(page);
  await until(page, (before) => document.querySelector('canvas.lanes').clientHeight > before, usual.lanes);
  // The hint is whole.
  assert.ok(await page.$eval('#panel-selection', (panel) => panel.scrollHeight <= panel.clientHeight));
  await page.focus('canvas.lanes');
  await page.keyboard.press('.');
  await untilField(page, 'op');
  await untilHeight(page, usual.drawer);
  // Without a mark there is no such tab; Ctrl+K leads to it.
  await page.$eval('#tab-marks', (tab) => tab.click());
  await untilHeight(page, low.drawer);
  // Without a search there are no matches.
  assert.equal(await page.$eval('#tab-matches', (tab) => tab.hidden), true);
  await page.focus('canvas.lanes');
  await searchFor(page, 'no such op');
  await untilField(page, 'q', 'no such op');
  await toTab(page, 'matches');
  await untilHeight(page, low.drawer);
  await page.focus('canvas.lanes');
  await searchFor(page, 'Conv2D');
  await untilField(page, 'q', 'Conv2D');
  await untilHeight(page, usual.drawer);
});

onTrace(fixture('ps4w.pb'), 'what the user drags a low drawer to stays', async ({ page }) => {
  // Without a mark there is no such tab; Ctrl+K leads to it.
  await page.$eval('#tab-marks', (tab) => tab.click());
  await until(page, () => document.querySelector('.drawer').offsetHeight < 200);
  const edge = await boxOf(page, '.drawer [role="separator"]');
  const from = [edge.x + edge.width / 2, edge.y + edge.height / 2];
  const { drawer } = await heights(page);
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move(from[0], from[1] - 100, { steps: 4 });
  await page.mouse.up();
  await until(page, (wanted) => Math.abs(document.querySelector('.drawer').offsetHeight - wanted) <= 1, drawer + 100);
  const dragged = (await heights(page)).drawer;
  await toTab(page, 'range');
  await untilHeight(page, dragged);
});

const place = (page) => page.evaluate(() => {
  const of = (selector) => document.querySelector(selector).getBoundingClientRect();
  const [drawer, lanes] = [of('.drawer'), of('canvas.lanes')];
  return drawer.left >= lanes.right - 1 ? 'at-side' : drawer.top >= lanes.bottom - 1 ? 'below' : 'over';
});
const untilPlace = (page, wanted) => until(page, (wanted) => {
  const { classList } = document.querySelector('.workspace');
  return (classList.contains('at-side') ? 'at-side' : classList.contains('full') ? 'full' : 'below') === wanted;
}, wanted);

onPage('the drawer is next to the timeline in a wide window, and where the user wants it in any', async ({ page }) => {
  await page.evaluate(() => localStorage.clear());
  await page.setViewport({ width: 1920, height: 1080 });
  await openFiles(page, fixture('ps4w.pb'));
  await untilPlace(page, 'at-side');
  assert.equal(await place(page), 'at-side');
  // The edge is moved to the left, and the drawer is wider.
  const wide = await page.$eval('.drawer', (drawer) => drawer.offsetWidth);
  await page.focus('.drawer [role="separator"]');
  await page.keyboard.press('ArrowLeft');
  await until(page, (wide) => document.querySelector('.drawer').offsetWidth === wide + 24, wide);
  // A screen that is turned upright has it below.
  await page.setViewport({ width: 1920, height: 2400 });
  await untilPlace(page, 'below');
  await page.setViewport({ width: 1600, height: 900 });
  await untilPlace(page, 'below');
  await page.focus('canvas.lanes');
  await page.keyboard.down('Alt');
  await page.keyboard.press('q');
  await page.keyboard.up('Alt');
  await untilPlace(page, 'at-side');
  assert.equal(await page.evaluate(() => localStorage.getItem('steplens.drawer-place')), 'at-side');
  await page.click('.drawer-side:not([hidden])');
  await untilPlace(page, 'below');
  assert.equal(await page.evaluate(() => localStorage.getItem('steplens.drawer-place')), null);
});

onTrace(fixture('ps4w.pb'), 'Shift+Q gives the drawer the room of the timeline, and Esc gives it back', async ({ page }) => {
  const usual = (await heights(page)).drawer;
  await page.keyboard.down('Shift');
  await page.keyboard.press('Q');
  await page.keyboard.up('Shift');
  await untilPlace(page, 'full');
  assert.ok((await heights(page)).drawer > 700);
  assert.equal(await page.$eval('.drawer-full', (button) => button.getAttribute('aria-pressed')), 'true');
  await page.keyboard.press('Escape');
  await untilHeight(page, usual);
  assert.ok((await heights(page)).lanes > 300);
});

const seen = (page, selector) => page.$$eval(selector, (all) => all.filter((own) => own.checkVisibility()).map((own) => own.querySelector('.tab-label').textContent));
async function summaryOf(name) {
  const { page } = await openedHere('', fixture(name));
  const found = await summary(page);
  await page.close();
  return found;
}

const PLACES = '.drawer-head [role="tab"]';
const SECTIONS = '.sections > [role="tab"]';

onTrace(fixture('ps4w.pb'), 'a place has its sections in a second row, and turns to the one that was read last', async ({ page }) => {
  await until(page, () => document.querySelector('#tab-transfers .tab-count').textContent !== '');
  assert.deepEqual(await seen(page, PLACES), ['Overview', 'Time', 'Communication', 'Memory', 'What if', 'Compare', 'Selection']);
  await page.click('#place-time');
  assert.deepEqual(await seen(page, SECTIONS), ['Range', 'Table', 'Flame']);
  await page.click('#tab-flame');
  await page.waitForSelector('#panel-flame', { visible: true });
  await page.click('#place-overview');
  await page.waitForSelector('#panel-findings', { visible: true });
  assert.deepEqual(await seen(page, SECTIONS), ['Findings', 'Path', 'Scheduling', 'Problems', 'Clocks']);
  await page.click('#place-time');
  await page.waitForSelector('#panel-flame', { visible: true });
  // A search has matches, and then they have a section.
  await page.focus('canvas.lanes');
  await searchFor(page, 'Conv2D');
  await until(page, () => !document.querySelector('#tab-matches').hidden);
  // By keyboard, in both rows.
  await page.focus('#place-time');
  await page.keyboard.press('ArrowRight');
  await page.waitForSelector('#panel-network', { visible: true });
  assert.equal(await page.evaluate(() => document.activeElement.id), 'place-communication');
  await page.focus('#tab-network');
  await page.keyboard.press('ArrowRight');
  await page.waitForSelector('#panel-transfers', { visible: true });
  // A place of one section has no second row.
  await page.click('#tab-memory');
  await page.waitForSelector('#panel-memory', { visible: true });
  assert.deepEqual(await seen(page, SECTIONS), []);
});

test('what has nothing to show in a trace is not there, and an old address leads to its place', async () => {
  const alone = (await openedHere('', fixture('mnist-adam.pb'))).page;
  // The drawer follows the totals of transfers a frame later.
  await until(alone, () => window.steplens.summary().transfers === 0 && !document.querySelector('#place-communication').checkVisibility());
  const places = await seen(alone, PLACES);
  assert.ok(!places.includes('Communication') && places.includes('Time'), `${places}`);
  for (const tab of ['kernels', 'matches', 'network', 'transfers', 'clocks', 'steps'])
    assert.equal(await alone.$eval(`#tab-${tab}`, (own) => own.hidden), true, tab);
  await alone.close();
  const { ops, span_ns } = await summaryOf('ps4w.pb');
  const { page } = await openedHere(`${fragment({ ops, span_ns }, 0, span_ns)}&tab=transfers`, fixture('ps4w.pb'));
  await page.waitForSelector('#panel-transfers', { visible: true });
  assert.deepEqual(await page.$$eval('.drawer [aria-selected="true"][role="tab"]', (all) => all.filter((own) => own.checkVisibility()).map((own) => own.id)), ['place-communication', 'tab-transfers']);
  await page.close();
  // Also where the drawer is closed, because nobody has opened it yet.
  const { page: new_here } = await visit(browser, `${site.url}${fragment({ ops, span_ns }, 0, span_ns)}&tab=transfers`, { fresh: true, prepare: 'localStorage.clear()' });
  await openFiles(new_here, fixture('ps4w.pb'));
  await new_here.waitForSelector('#panel-transfers', { visible: true });
  await new_here.close();
});
