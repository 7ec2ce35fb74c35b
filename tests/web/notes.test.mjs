// Marks that a user sets: made with M, named, listed, renamed, deleted and brought back, and kept in address and export.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { boxOf, fields, until, untilField, untilSpoken } from './hands.mjs';
import { fixture } from './site.mjs';
import { browser, site } from './stage.mjs';
import { openFiles, share, summary, visit, waitForState } from './steplens.mjs';

const FILE = fixture('mnist-adam.pb');
const HOSTILE = '<img src=x onerror=alert(1)>;~1,&n=';

function onTrace(name, body) {
  test(name, async () => {
    const { page, faults } = await visit(browser, site.url);
    await openFiles(page, FILE);
    await body(page);
    assert.deepEqual(await faults(), []);
    await page.close();
  });
}

/** The marks in the address: [start, end, text]. */
const kept = async (page) => ((await fields(page)).n ?? '').split(';').filter(Boolean).map((note) => {
  const [, start, end, text] = /^(\d+),(\d+),(.*)$/s.exec(note);
  return [Number(start), Number(end), text];
});

/** Waits until the address holds marks of these names, in order of their start. */
async function untilNamed(page, ...names) {
  await until(page, (names) => {
    const n = new URLSearchParams(location.hash.slice(1)).get('n') ?? '';
    const found = n.split(';').filter(Boolean).map((note) => note.split(',').slice(2).join(','));
    return found.length === names.length && found.every((name, index) => name === names[index]);
  }, names);
  return kept(page);
}

const focusIs = (page, selector) => until(page, (selector) => document.activeElement?.matches(selector) ?? false, selector);

/** Points at `share` of the lanes' width, presses M, and waits for the field. */
async function mark(page, share) {
  const { x, y, width, height } = await boxOf(page, 'canvas.lanes');
  // Near the lower edge, clear of the field that opens at the upper one.
  await page.mouse.move(x + width * share, y + height - 4);
  await page.keyboard.press('m');
  await focusIs(page, '.note-field');
}

async function markAs(page, share, name) {
  await mark(page, share);
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
  await focusIs(page, '.lanes');
}

/** What the tab Marks lists, which is opened for it. */
async function namesListed(page) {
  await page.$eval('#tab-marks', (tab) => tab.getAttribute('aria-selected') === 'true' || tab.click());
  await page.waitForSelector('.note-list', { visible: true });
  return page.$$eval('.note-name', (fields) => fields.map((field) => field.value));
}

onTrace('marked ranges say how their time divides, each of its own', async (page) => {
  const axis = await boxOf(page, 'canvas.axis');
  const computed = [];
  for (const [from, to] of [[0.1, 0.3], [0.5, 0.9]]) {
    await page.mouse.move(axis.x + axis.width * from, axis.y + axis.height / 2);
    await page.mouse.down();
    await page.mouse.move(axis.x + axis.width * to, axis.y + axis.height / 2, { steps: 4 });
    await page.mouse.up();
    await page.keyboard.press('m');
    await focusIs(page, '.note-field');
    await page.keyboard.type(`window ${from}`);
    await page.keyboard.press('Enter');
    await until(page, () => document.querySelector('.note-field').hidden);
    await page.$eval('#tab-marks', (tab) => tab.click());
    const bars = computed.length + 1;
    await until(page, (bars) => document.querySelectorAll('.note-row .split-bar:not(.unknown)').length === bars, bars);
    const label = await page.$$eval('.note-row .split-bar', (all) => all.at(-1).getAttribute('aria-label'));
    const [, share] = /compute ([<\d.]+\s%)/.exec(label);
    computed.push(share);
    // The tab Range says the same of it: the range is still selected.
    await page.$eval('#tab-range', (tab) => tab.click());
    await until(page, (share) => document.querySelector('#panel-range tbody tr')?.textContent.includes(share), share);
  }
  await untilNamed(page, 'window 0.1', 'window 0.5');
  assert.notEqual(computed[0], computed[1]);
});

onTrace('M marks the moment under the pointer, and its name is typed at once', async (page) => {
  await page.focus('canvas.lanes');
  await markAs(page, 0.5, 'half way');
  const [[start, end]] = await untilNamed(page, 'half way');
  const { span_ns } = await summary(page);
  assert.equal(start, end);
  // The window begins and ends with the same air, so the middle is the middle.
  assert.ok(Math.abs(start - span_ns / 2) <= span_ns / 200, `${start} of ${span_ns}`);
  await untilSpoken(page, /^Marked half way at /);
});

onTrace('M marks the selected range, and else the selected op', async (page) => {
  await page.focus('canvas.lanes');
  await page.keyboard.press('.');
  await untilField(page, 'op');
  await page.keyboard.press('m');
  await focusIs(page, '.note-field');
  const name = await page.$eval('.note-field', (field) => field.value);
  await page.keyboard.press('Enter');
  const [[start, end]] = await untilNamed(page, name);
  await page.keyboard.press('r');
  assert.equal(await untilField(page, 'r'), `${start},${end}`, 'the mark was as long as the op');
  await page.keyboard.press('m');
  await focusIs(page, '.note-field');
  await page.keyboard.type('the range');
  await page.keyboard.press('Enter');
  const marks = await untilNamed(page, name, 'the range');
  assert.deepEqual(marks[1], [start, end, 'the range']);
});

onTrace('Esc drops a mark that is being named, and leaves the others', async (page) => {
  await page.focus('canvas.lanes');
  await markAs(page, 0.25, 'first');
  await mark(page, 0.75);
  await page.keyboard.type('second');
  await page.keyboard.press('Escape');
  await untilSpoken(page, /^Mark discarded$/);
  await focusIs(page, '.lanes');
  await untilNamed(page, 'first');
});

onTrace('the list goes to marks, renames, deletes and brings back, by keyboard', async (page) => {
  await page.focus('canvas.lanes');
  await markAs(page, 0.25, 'one');
  await markAs(page, 0.5, 'two');
  await markAs(page, 0.75, 'three');
  await page.focus('#place-time');
  while (await page.evaluate(() => document.activeElement.id !== 'tab-marks')) await page.keyboard.press('ArrowRight');
  assert.deepEqual(await namesListed(page), ['one', 'two', 'three']);
  // What hides the drawer, the panel, the button, the first mark, its name.
  for (let stop = 0; stop < 5; stop++) await page.keyboard.press('Tab');
  await focusIs(page, '.note-name');
  // Esc leaves the name as it was.
  await page.keyboard.type('none');
  await page.keyboard.press('Escape');
  await focusIs(page, '.note-when');
  assert.deepEqual(await namesListed(page), ['one', 'two', 'three']);
  await page.keyboard.press('Tab');
  await focusIs(page, '.note-name');
  await page.keyboard.press('End');
  await page.keyboard.type(' and only');
  await page.keyboard.press('Enter');
  await untilNamed(page, 'one and only', 'two', 'three');
  await focusIs(page, '.note-when');
  await page.keyboard.press('Delete');
  await untilSpoken(page, /^Deleted one and only/);
  await untilNamed(page, 'two', 'three');
  await focusIs(page, '.note-row:first-child .note-when');
  await page.click('.status-line .button');
  await untilSpoken(page, /^Restored one and only$/);
  await untilNamed(page, 'one and only', 'two', 'three');
  // Going to a moment brings it to the middle of the window.
  await page.keyboard.press('0');
  await page.focus('canvas.lanes');
  for (let tap = 0; tap < 6; tap++) await page.keyboard.press('w');
  const zoomed = await untilField(page, 'w');
  await page.focus('.note-row:first-child .note-when');
  await page.keyboard.press('Enter');
  await until(page, (zoomed) => new URLSearchParams(location.hash.slice(1)).get('w') !== zoomed, zoomed);
  const [from, to] = (await fields(page)).w.split(',').map(Number);
  const [[start]] = await kept(page);
  assert.ok(Math.abs((from + to) / 2 - start) <= (to - from) / 100);
});

onTrace('Ctrl+Z is for views and leaves marks alone', async (page) => {
  await page.focus('canvas.lanes');
  await page.keyboard.press('w');
  await untilField(page, 'w');
  await markAs(page, 0.5, 'stays');
  await untilNamed(page, 'stays');
  await page.keyboard.down('Control');
  await page.keyboard.press('z');
  await page.keyboard.up('Control');
  await untilField(page, 'w', null);
  await untilNamed(page, 'stays');
});

onTrace('a flag on the axis leads to its mark in the list', async (page) => {
  await page.focus('canvas.lanes');
  await markAs(page, 0.5, 'flagged');
  const { x, y, width } = await boxOf(page, 'canvas.axis');
  await page.mouse.click(x + width * 0.5 + 8, y + 10);
  await until(page, () => document.querySelector('#tab-marks').getAttribute('aria-selected') === 'true');
  assert.equal(await page.$eval('.note-row.chosen .note-name', (field) => field.value), 'flagged');
});

test('marks come back with the address and in an export, whatever their names', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'steplens-notes-'));
  try {
    const { page } = await visit(browser, site.url);
    await openFiles(page, FILE);
    await page.focus('canvas.lanes');
    await markAs(page, 0.4, HOSTILE);
    await markAs(page, 0.6, 'plain');
    await until(page, () => location.hash.includes('plain'));
    const address = page.url();
    const exported = path.join(folder, 'shared.html');
    await writeFile(exported, await share(page));
    await page.close();

    const again = await visit(browser, address);
    await openFiles(again.page, FILE);
    assert.deepEqual(await namesListed(again.page), [HOSTILE, 'plain']);
    assert.deepEqual(await again.faults(), []);
    await again.page.close();

    const opened = await visit(browser, pathToFileURL(exported).href);
    await waitForState(opened.page, 'ready');
    assert.deepEqual(await namesListed(opened.page), [HOSTILE, 'plain']);
    assert.equal(await opened.page.$$eval('img', (images) => images.length), 0);
    // Marks can be added to an export, too.
    await opened.page.focus('canvas.lanes');
    await markAs(opened.page, 0.8, 'later');
    await until(opened.page, () => location.hash.includes('later'));
    assert.deepEqual(await opened.faults(), []);
    await opened.page.close();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
