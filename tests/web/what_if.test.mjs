// The tab What if in Chromium: its figures are those of the program, changes follow sliders and the address, and what cannot be predicted is said.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { faultsOf } from './axe.mjs';
import { fields, toTab, until, untilField } from './hands.mjs';
import { ROOT, fixture } from './site.mjs';
import { onPage, onTrace } from './stage.mjs';
import { clickButton, openFiles } from './steplens.mjs';

const PROGRAM = process.env.STEPLENS_PROGRAM ?? path.join(ROOT, 'target/debug/steplens');
const TYPE = 'type:^_MklNativeConv2DBackpropFilter$';

/** What the program answers, as JSON. */
async function program(...options) {
  const { stdout } = await promisify(execFile)(PROGRAM, ['what-if', '--json', ...options], { maxBuffer: 1 << 26 });
  return JSON.parse(stdout);
}

const untilSentence = (page, wanted) => until(page, (wanted) => document.querySelector('.if-sentence')?.textContent === wanted, wanted);

/** Moves the slider of the first change as a hand does: many inputs, and one end. */
const slide = (page, ...values) => page.$eval('.if-slider', (slider, values) => {
  for (const value of values) {
    slider.value = value;
    slider.dispatchEvent(new Event('input', { bubbles: true }));
  }
  slider.dispatchEvent(new Event('change', { bubbles: true }));
}, values.map(String));

const addOps = async (page, pattern) => {
  await page.select('.if-kind', '0');
  await page.type('.if-field', pattern);
  await page.keyboard.press('Enter');
};

onPage('changes are made, moved, undone and kept in the address, with the figures of the program', async ({ page }) => {
  const file = fixture('ps4w.pb');
  const none = await program(file);
  await openFiles(page, file);
  await toTab(page, 'what_if');
  await untilSentence(page, none.sentence);
  const facts = await page.$$eval('.if-facts dd', (all) => all.map((own) => own.textContent.replaceAll('\u00a0', ' ')));
  const share = (part) => `${(100 * part).toFixed(1)} %`;
  assert.ok(facts.includes(share(none.replay_error)) && facts.includes(share(none.started_near)), facts.join(' | '));
  assert.ok(none.frozen_ns > 0 && facts.includes(`${(none.frozen_ns / 1e6).toFixed(2)} ms`), facts.join(' | '));
  assert.ok(facts.includes('not known: fewer than two steps'), facts.join(' | '));

  // What would help: as many rows as the program has, sorted by what half of the time saves.
  await until(page, (count) => document.querySelectorAll('.if-saving-table tbody tr').length === count, none.table.length);
  const best = none.table.reduce((a, b) => (b.saving_ns[2] > a.saving_ns[2] ? b : a));
  assert.equal(best.name, '_MklNativeConv2DBackpropFilter');
  const [first] = await page.$$eval('.if-saving-table tbody tr', (rows) => rows.map((row) => row.textContent));
  assert.ok(first.startsWith(best.name) && first.includes(`−${(best.saving_ns[2] / 1e6).toFixed(2)}\u00a0ms`), first);
  assert.deepEqual(await faultsOf(page), []);

  // A click adds it at half of its time.
  await page.click('.if-saving-table tbody .op-link');
  const half = await program('--op', `${TYPE}=0.5`, file);
  await untilSentence(page, half.sentence);
  const of_change = await page.$eval('.if-change', (own) => own.textContent);
  assert.ok(of_change.includes(`${half.changes[0].ops} ops`) && of_change.includes('twice as fast'), of_change);
  assert.equal(await untilField(page, 'if', `op=${best.change.slice(3)}`), best.change);
  const waits = await page.$$eval('.if-waits tbody tr', (rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent)));
  assert.equal(waits.length, new Set([...half.critical_before, ...half.critical_after].map(({ category }) => category)).size);
  const [compute] = waits;
  assert.equal(compute[2], `${(half.critical_before[0].length_ns / 1e6).toFixed(1)}\u00a0ms`);
  assert.equal(compute[3], `${(half.critical_after[0].length_ns / 1e6).toFixed(1)}\u00a0ms`);
  assert.equal((await page.$$('.if-mirror .is-after')).length, 5);
  assert.match(await page.$eval('.if-mirror', (own) => own.getAttribute('aria-label')), /^ps 0 CPU:0: busy for .* before, .* after$/);
  assert.deepEqual(await faultsOf(page), []);

  // While the slider moves only the newest question matters; the whole move is one step back.
  await slide(page, 0.45, 0.4, 0.3, 0.2, 0);
  const free = await program('--op', `${TYPE}=0`, file);
  await untilSentence(page, free.sentence);
  assert.equal(await page.$eval('.if-slider', (own) => own.getAttribute('aria-valuetext')), 'takes no time');
  await clickButton(page, 'Undo');
  await untilSentence(page, half.sentence);
  assert.equal(await page.$eval('.if-slider', (own) => own.value), '0.5');

  // By keyboard: one more change, and one that names nothing.
  await addOps(page, 'type:^ReluGrad$');
  const both = await program('--op', `${TYPE}=0.5`, '--op', 'type:^ReluGrad$=0.5', file);
  await untilSentence(page, both.sentence);
  await addOps(page, 'type:NoSuchOp');
  await until(page, () => document.querySelector('.is-not-made .if-problem')?.textContent.includes('NoSuchOp'));
  await untilSentence(page, both.sentence);
  assert.deepEqual(await faultsOf(page), []);
  await page.$eval('.is-not-made .if-remove', (own) => own.click());
  await until(page, () => document.querySelectorAll('.if-change').length === 2);

  // The address brings the changes back.
  await untilField(page, 'if', `op=${TYPE}=0.5\nop=type:^ReluGrad$=0.5`.replace(TYPE, best.change.slice(3, -4)));
  assert.equal((await fields(page)).tab, 'what_if');
  await page.reload({ waitUntil: 'load' });
  await openFiles(page, file);
  await untilSentence(page, both.sentence);
  assert.equal((await page.$$('.if-change')).length, 2);
});

onPage('each kind of change can be added', async ({ page }) => {
  const file = fixture('ps4w.pb');
  await openFiles(page, file);
  await toTab(page, 'what_if');
  await page.waitForSelector('.if-waits');
  const add = async (kind, ...texts) => {
    await page.select('.if-kind', kind);
    const inputs = await page.$$('.if-field:not([hidden])');
    for (const [at, text] of texts.entries()) await inputs[at].type(text);
    await page.click('.if-add [type="submit"]');
  };
  // What was typed for another kind is no part of this one.
  await page.select('.if-kind', '3');
  await page.type('.if-field', '/job:worker');
  await page.select('.if-kind', '1');
  assert.deepEqual(await page.$$eval('.if-field', (all) => all.map((own) => own.value)), ['', '']);
  await add('1', 'ps:0', 'worker:1');
  await add('2');
  await add('3', '/job:worker/replica:0/task:1/device:CPU:0');
  await add('4', '2');
  await add('5');
  await add('8', 'worker:1');
  const options = ['--link', 'ps:0->worker:1=0.5', '--network', '0.5', '--device', '/job:worker/replica:0/task:1/device:CPU:0=0.5', '--threads', '2', '--order', 'better', '--like-peers', 'worker:1'];
  const all = await program(...options, file);
  await untilSentence(page, all.sentence);
  assert.equal((await page.$$('.is-not-made')).length, 0);
  assert.deepEqual(await faultsOf(page), []);
});

/** Opens the menu of an element, and chooses what begins with `words`. */
async function choose(page, selector, words) {
  await page.$eval(selector, (own) => own.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true, button: 2, clientX: 400, clientY: 300 })));
  await until(page, (words) => [...document.querySelectorAll('[role="menuitem"]')].some((own) => own.textContent.startsWith(words)), words);
  await page.$$eval('[role="menuitem"]', (items, words) => items.find((own) => own.textContent.startsWith(words)).click(), words);
}

onTrace(fixture('ps4w.pb'), 'menus ask what if an op, a device, a task or a link were faster', async ({ page }) => {
  await page.keyboard.press('.');
  await untilField(page, 'op');
  await choose(page, 'canvas.lanes', 'What if this op were faster');
  await until(page, () => document.querySelector('#tab-what_if').getAttribute('aria-selected') === 'true' && document.querySelectorAll('.if-change').length === 1);
  assert.match(await untilField(page, 'if'), /^op=name:\^.*\$=0\.5$/);
  await choose(page, '.device', 'What if ps 0 CPU:0 were faster');
  await choose(page, '.task', 'What if the network of ps 0 were faster');
  await toTab(page, 'network');
  await page.waitForSelector('#network-links', { visible: true });
  await page.$eval('#network-links', (question) => question.click());
  await page.waitForSelector('.matrix [data-link-source]', { visible: true });
  await choose(page, '.matrix [data-link-source]', 'What if the link ');
  await until(page, () => document.querySelectorAll('.if-change').length === 4 && document.querySelectorAll('.if-met:not(:empty)').length === 4);
  assert.equal((await page.$$('.is-not-made')).length, 0);
});

onPage('a replay of which nothing recorded explains the most predicts nothing', async ({ page }) => {
  const file = fixture('releases/concurrent-2.2.3.pb.gz');
  const refused = await program(file);
  assert.equal(refused.judgement, 'frozen');
  assert.ok(refused.frozen_ns > refused.baseline_ns / 2);
  await openFiles(page, file);
  await toTab(page, 'what_if');
  await untilSentence(page, refused.sentence);
  assert.ok(await page.$eval('.if-right', (own) => own.hidden));
  assert.ok(await page.$eval('.if-add', (own) => own.hidden));
  assert.equal(await page.$eval('.if-judgement', (own) => own.textContent), 'Nothing is predicted');
  assert.deepEqual(await faultsOf(page), []);
});

onTrace(fixture('ps4w-skewed.pb'), 'where clocks differ they are aligned first', async ({ page }) => {
  await toTab(page, 'what_if');
  await page.waitForSelector('#panel-what_if .clock-note button', { visible: true });
  assert.ok(await page.$eval('.if-right', (own) => own.hidden));
  assert.ok(await page.$eval('.if-sentence', (own) => own.hidden));
  assert.deepEqual(await faultsOf(page), []);
  await page.click('#panel-what_if .clock-note button');
  const aligned = await program('--clocks', 'estimated', fixture('ps4w-skewed.pb'));
  await untilSentence(page, aligned.sentence);
});
