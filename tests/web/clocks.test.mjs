// The clocks of tasks: what is found is read, they are aligned or set by hand, and address and export keep that.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { toTab, until, untilField, untilSpoken } from './hands.mjs';
import { fixture } from './site.mjs';
import { browser, openedHere, site } from './stage.mjs';
import { clickButton, openFiles, share, summary, visit, waitForState } from './steplens.mjs';

const SKEWED = 'ps4w-skewed.pb';
const early = (page) => page.$eval('.clocks-early', (line) => line.textContent);
const untilEarly = (page, pattern) =>
  until(page, (pattern) => new RegExp(pattern).test(document.querySelector('.clocks-early')?.textContent ?? ''), pattern.source);
const untilClocks = (page, words) =>
  until(page, (words) => String(window.steplens.summary()?.view.clocks ?? []) === words, String(words));
/** The offsets in the fields, in ms, by the tasks' short names. */
const offsets = (page) =>
  page.$$eval('.clocks-table tbody tr', (rows) =>
    Object.fromEntries(rows.map((row) => [row.querySelector('th').firstChild.textContent, row.querySelector('input').valueAsNumber])));

test('clocks are found to differ, aligned, kept by the address and by an export, and taken back', async () => {
  const { page, faults } = await openedHere('', fixture(SKEWED));
  const before = await summary(page);
  // The doctor leads there.
  await toTab(page, 'problems');
  await page.waitForSelector('[data-finding="clocks-differ"]');
  await clickButton(page, 'Show the clocks');
  await until(page, () => document.querySelectorAll('.clocks-table tbody tr').length === 5);
  assert.match(await page.$eval('.clocks-sentence', (line) => line.textContent), /^241 of 991 tensors between tasks arrive before they are sent: the clocks of 5 tasks differ by (29|30) ms; aligning them moves 2\.$/);
  assert.match(await early(page), /^As shown, 241 of 991 tensors/);
  assert.deepEqual(await offsets(page), { 'ps 0': 0, 'worker 0': 0, 'worker 1': 0, 'worker 2': 0, 'worker 3': 0 });

  await clickButton(page, 'Align clocks');
  await untilSpoken(page, /, clocks set$/);
  await untilClocks(page, ['estimated']);
  await untilEarly(page, /^As shown, none of 991 tensors between tasks arrive before they are sent\.$/);
  const right = await summary(page);
  assert.ok(right.span_ns < before.span_ns - 15e6, 'the worker that was 21 ms behind runs when the others do');
  assert.equal(right.ops, before.ops);
  const estimated = await offsets(page);
  const truth = { 'ps 0': 0, 'worker 0': 0, 'worker 1': 8.3, 'worker 2': -21, 'worker 3': 0.15 };
  for (const [task, ms] of Object.entries(truth)) assert.ok(Math.abs(estimated[task] - ms) < 1, `${task}: ${estimated[task]}`);
  // No tensor asks for the others to be moved.
  assert.deepEqual(Object.keys(truth).filter((task) => estimated[task] !== 0), ['worker 1', 'worker 2']);
  assert.match(await page.$eval('.facts .clocks-set', (fact) => fact.innerText), /clocks aligned/);
  assert.equal(await untilField(page, 'clocks'), 'estimated');

  // The address brings it back.
  const address = await page.evaluate(() => location.hash);
  const again = await visit(browser, `${site.url}${address}`);
  await openFiles(again.page, fixture(SKEWED));
  assert.deepEqual(await summary(again.page), right);
  assert.deepEqual(await again.faults(), []);
  await again.page.close();

  // So does an export.
  const folder = await mkdtemp(path.join(os.tmpdir(), 'steplens-clocks-'));
  try {
    const file = path.join(folder, 'shared.html');
    await writeFile(file, await share(page));
    const exported = await visit(browser, pathToFileURL(file).href);
    await waitForState(exported.page, 'ready');
    assert.deepEqual(await summary(exported.page), right);
    await until(exported.page, () => document.querySelector('.clocks-early')?.textContent.includes('none of 991'));
    await exported.page.close();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }

  await clickButton(page, 'As recorded');
  await untilClocks(page, []);
  assert.deepEqual(await summary(page), before);
  assert.deepEqual(await faults(), []);
  await page.close();
});

test('that clocks differ is the first sentence; one click aligns them, and one takes that back', async () => {
  const { page, faults } = await openedHere('', fixture(SKEWED));
  const sentences = () => page.$$eval('.highlights .highlight', (all) => all.map((one) => one.textContent));
  const untilSentences = (pattern) =>
    until(page, (pattern) => new RegExp(pattern).test(document.querySelector('.highlights .highlight')?.textContent ?? ''), pattern.source);
  const notes = () => page.$$eval('.clock-note', (all) => all.filter((one) => one.checkVisibility()).map((one) => one.textContent));
  const untilNote = () => until(page, () => [...document.querySelectorAll('.clock-note')].some((one) => one.checkVisibility()));
  const problems = () => page.$eval('#tab-problems', (tab) => tab.innerText);

  await untilSentences(/^Clocks differ by 29 ms: align them/);
  assert.ok((await sentences()).every((text) => !/came last|waited/.test(text)), String(await sentences()));
  await until(page, () => /1/.test(document.querySelector('#tab-problems').innerText));
  // Where the figures would stand, the same is said and offered.
  for (const tab of ['network', 'path', 'transfers']) {
    await toTab(page, tab);
    await untilNote();
    assert.match(String(await notes()), /241 of 991 tensors between tasks arrive before they are sent.*withheld/, tab);
    assert.ok(!/came last|What binds/.test(await page.$eval(`#panel-${tab}`, (panel) => panel.innerText)), tab);
  }
  // They show how much is in transit, the path, and how much is at work at once: over all tasks. What any device does is offered in the menu.
  const COMPARING = '.traffic-row, .strip-row, #panel-range .strips';
  const offersAny = () => page.$eval('.split-of-any', (choice) => !choice.hidden);
  await page.keyboard.press('b');
  const untilComparing = (count) =>
    until(page, (all, count) => [...document.querySelectorAll(all)].filter((one) => one.checkVisibility()).length === count, COMPARING, count);
  /** Whether it is said for how long any RecvTensor ran: a column of which no row knows anything is not there. */
  const untilAnyRan = (said) =>
    until(page, (said) => {
      const table = document.querySelector('#panel-range section[aria-label="Op types"]');
      const has = (cells, words) => [...(table?.querySelectorAll(cells) ?? [])].some(({ innerText }) => innerText.includes(words));
      return has('tbody tr', 'RecvTensor') && has('th', 'At least one') === said;
    }, said);
  await toTab(page, 'range');
  await untilComparing(0);
  // That they differ is said once, above: it is no finding more.
  await toTab(page, 'findings');
  await page.waitForSelector('#panel-findings li', { visible: true });
  assert.equal(await page.$eval('.findings-open', (button) => button.checkVisibility()), false);
  await toTab(page, 'range');
  assert.equal(await offersAny(), false);
  await untilAnyRan(false);
  await page.click('.highlights .highlight-clocks');
  await untilClocks(page, ['estimated']);
  await untilSentences(/^(?!Clocks differ)/);
  assert.deepEqual(await notes(), []);
  assert.equal(await page.$('.highlight-clocks'), null);
  await toTab(page, 'range');
  await untilComparing(3);
  assert.equal(await offersAny(), true);
  await untilAnyRan(true);
  await until(page, () => !/\d/.test(document.querySelector('#tab-problems').innerText));
  assert.doesNotMatch(await problems(), /\d/);
  for (const tab of ['network', 'path', 'transfers', 'problems']) {
    await toTab(page, tab);
    assert.deepEqual(await notes(), [], tab);
    assert.doesNotMatch(await page.$eval(`#panel-${tab}`, (panel) => panel.innerText), /[Cc]locks( of tasks)? differ/, tab);
  }
  await toTab(page, 'clocks');
  await until(page, () => document.querySelector('#panel-clocks')?.innerText.includes('As recorded'));
  await clickButton(page, 'As recorded');
  await untilClocks(page, []);
  await untilSentences(/^Clocks differ by 29 ms/);
  assert.deepEqual(await faults(), []);
  await page.close();
});

test('clocks are set by hand, with what points back in time counted meanwhile', async () => {
  const { page, faults } = await openedHere('', fixture(SKEWED));
  await toTab(page, 'clocks');
  await page.waitForSelector('.clocks-table');
  const field = (task) => `[aria-label="Subtract from the times of ${task}, in ms"]`;
  const type = async (task, text) => {
    await page.focus(field(task));
    await page.$eval(field(task), (input) => input.select());
    await page.keyboard.type(text);
  };
  await type('worker 2', '-21');
  await untilEarly(page, /^With the typed offsets, 93 of 991 tensors/);
  assert.deepEqual((await summary(page)).view.clocks, undefined, 'nothing is applied');
  await type('worker 1', '8.3');
  await untilEarly(page, /^With the typed offsets, none of 991/);
  await page.keyboard.press('Enter');
  const words = ['/job:worker/replica:0/task:2=-21000000', '/job:worker/replica:0/task:1=8300000'];
  await untilClocks(page, words);
  assert.equal(await untilField(page, 'clocks'), words.join());
  assert.match(await page.$eval('.facts .clocks-set', (fact) => fact.innerText), /clocks set by hand/);
  await untilEarly(page, /^As shown, none of 991/);
  // Arrows change an offset; the others stay.
  await page.focus(field('worker 1'));
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await clickButton(page, 'Apply by hand');
  await untilClocks(page, [words[0], '/job:worker/replica:0/task:1=8500000']);
  assert.deepEqual(await faults(), []);
  await page.close();
});

test('where nothing tells, or nothing is to be aligned, that is said', async () => {
  const { page, faults } = await openedHere('', fixture('mnist-adam.pb'));
  assert.equal(await page.$eval('#tab-clocks', (tab) => tab.hidden), true);
  await openFiles(page, fixture('ps4w.pb'));
  await toTab(page, 'clocks');
  await page.waitForSelector('.clocks-table');
  assert.match(await page.$eval('.clocks-sentence', (line) => line.textContent), /^None of 991 tensors .* nothing says that the clocks differ\.$/);
  const before = await summary(page);
  const choices = () => page.$$eval('.clocks-choices button', (buttons) => buttons.map((own) => [own.textContent, own.getAttribute('aria-pressed'), own.getAttribute('aria-disabled')]));
  const nothing_to_do = [['As recorded', 'true', null], ['Clocks agree: nothing to align', 'false', 'true'], ['Apply by hand', 'false', 'true']];
  assert.deepEqual(await choices(), nothing_to_do);
  await clickButton(page, 'Clocks agree: nothing to align');
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  assert.deepEqual(await choices(), nothing_to_do);
  assert.deepEqual(await offsets(page), { 'ps 0': 0, 'worker 0': 0, 'worker 1': 0, 'worker 2': 0, 'worker 3': 0 });
  await untilField(page, 'clocks', null);
  assert.deepEqual(await summary(page), before);
  assert.deepEqual(await faults(), []);
  await page.close();
  // Nor does an address that asks for it.
  const again = await visit(browser, `${site.url}#clocks=estimated`);
  await openFiles(again.page, fixture('ps4w.pb'));
  assert.deepEqual(await summary(again.page), before);
  assert.equal(await again.page.$('.facts .clocks-set:not([hidden])'), null);
  assert.deepEqual(await again.faults(), []);
  await again.page.close();
});
