// What would help, above the timeline and in its tab: the page says what the core found, and a click shows where.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { faultsOf } from './axe.mjs';
import { open } from './core.mjs';
import { toTab, until, untilField } from './hands.mjs';
import { fixture } from './site.mjs';
import { browser, openedHere, site } from './stage.mjs';
import { chooseBytes, openFiles, visit } from './steplens.mjs';

let found;
before(async () => {
  const core = await open(fixture('ps4w.pb'));
  found = JSON.parse(core.session.findings());
  core.session.free();
});
after(() => {
  found = null;
});

const texts = (page) => page.$$eval('.highlight', (all) => all.map((one) => one.textContent.replace(/\s/g, ' ')));

test('the verdict is the largest sentence, next to what would save most, what to do, and its replay', async () => {
  // A straggler that a replay with its peers' lengths would mend.
  const file = fixture('releases/cluster-2.2.3.pb.gz');
  const core = await open(file);
  const found = JSON.parse(core.session.findings());
  core.session.free();
  const { page, faults } = await visit(browser, site.url);
  await page.setViewport({ width: 1600, height: 900 });
  await openFiles(page, file);
  await page.waitForSelector('.highlight');
  assert.equal(await page.$eval('.verdict-said', ({ firstChild, lastChild }) => `${firstChild.textContent} ${lastChild.textContent}`.trimEnd().replaceAll('\u00a0', ' ')), found.verdict);
  const look = await page.$eval('.verdict', (own) => ({ size: parseFloat(getComputedStyle(own).fontSize), lines: own.clientHeight / parseFloat(getComputedStyle(own).lineHeight), is_whole: own.parentElement.scrollHeight <= own.parentElement.clientHeight + 1 }));
  assert.ok(look.size >= 17 && look.lines <= 2 && look.is_whole, JSON.stringify(look));
  const sizes = await page.$$eval('.workspace :is(p, span, button, td, th)', (all) => all.filter((one) => one.checkVisibility() && !one.matches('.verdict')).map((one) => parseFloat(getComputedStyle(one).fontSize)));
  assert.ok(Math.max(...sizes) < look.size, 'nothing is as large');
  const [shown, ...others] = await texts(page);
  assert.deepEqual(others, []);
  const [first] = found.findings;
  const [, saving, said] = /^(−\S+ \S+) (.*)$/.exec(shown);
  assert.ok(first.saving_ns > 0 && saving.startsWith('−'), saving);
  assert.equal(said, `${first.what.replace(/\s/g, ' ').match(/^.*?\.(?=\s|$)/)[0]} ${first.advice}`);
  const cut = await page.$$eval('.highlight > span', (all) => all.filter((one) => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight + 1).map((one) => one.textContent));
  assert.deepEqual(cut, []);
  assert.ok((await page.$eval('.highlight', (own) => own.title)).includes(first.advice));
  assert.deepEqual(await faultsOf(page), []);
  await page.click('.highlight');
  await untilField(page, 'op', String(first.where[0].op_row));
  await page.click('.try-it');
  await until(page, () => document.querySelector('#tab-what_if').ariaSelected === 'true' && document.querySelectorAll('.if-change').length === 1);
  assert.equal(await untilField(page, 'if'), first.change);
  assert.deepEqual(await faults(), []);
  await page.close();
});

/** A step of 10 ms that Keras calls, of which ops run for 8 ms, and then 80 ms of Python: (thread, name, start, length) in µs. */
const ONE_STEP = [
  [1, 'train_function', 1_000, 10_000],
  [1, 'EagerExecute: __inference_train_function_7', 1_100, 9_800],
  [1, 'EagerKernelExecute', 1_200, 9_700],
  [2, 'a:MatMul', 2_000, 5_000],
  [2, 'b:MatMul', 7_000, 3_000],
  [1, 'LogicalAnd:LogicalAnd', 80_000, 10],
  [1, 'FlushSummaryWriter:FlushSummaryWriter', 86_000, 5_000],
];
function recordingOfOneStep() {
  const named = (what, tid, name) => ({ ph: 'M', name: what, pid: 7, tid, args: { name } });
  const names = [named('process_name', 0, '/host:CPU'), named('thread_name', 1, 'python3'), named('thread_name', 2, 'tf_Compute/2')];
  const events = ONE_STEP.map(([tid, name, ts, dur]) => ({ ph: 'X', name, pid: 7, tid, ts, dur, args: {} }));
  return new TextEncoder().encode(JSON.stringify({ displayTimeUnit: 'ns', traceEvents: [...names, ...events] }));
}

test('a recording opens at the step that its verdict is about, until one goes back to everything', async () => {
  const { page, faults } = await visit(browser, site.url);
  await chooseBytes(page, [{ name: 'host.trace.json', bytes: recordingOfOneStep() }]);
  await until(page, () => /^The step \(train_function\), 10\.00\sms of a recording of 90\.00\sms/.test(document.querySelector('.verdict').textContent));
  // It begins before its first op, at 2 ms.
  assert.equal(await untilField(page, 'r'), '-1000000,9000000');
  await until(page, () => document.querySelector('.split-bar .part-compute')?.title.replace(/\s/g, ' ').includes('80.0 %'));
  assert.match(await page.$eval('.legend .scope-length', (own) => own.textContent), /^10\.00\sms$/);
  assert.match(await page.$eval('.verdict', (own) => own.textContent), /compute on the CPU takes 80\.0\s% of the time/);
  await page.click('.legend .scope-length ~ .chip');
  await until(page, () => /^8\d\.\d+\sms$/.test(document.querySelector('.legend .scope-length').textContent));
  await until(page, () => !/[#&]r=/.test(location.hash));
  assert.deepEqual(await faults(), []);
  await page.close();
});

test('a finding without a saving stands there without a figure, which the verdict has of another part of the path', async () => {
  const { page, faults } = await visit(browser, site.url);
  await page.setViewport({ width: 1600, height: 900 });
  await openFiles(page, fixture('ps4w.pb'));
  await page.waitForSelector('.highlight');
  const [first] = found.findings;
  assert.deepEqual([first.saving_ns, first.change], [null, null]);
  assert.deepEqual(await texts(page), [`${first.what.replace(/\s/g, ' ').match(/^.*?\.(?=\s|$)/)[0]} ${first.advice}`]);
  assert.equal(await page.$eval('.try-it', (own) => own.checkVisibility()), false);
  assert.deepEqual(await faults(), []);
  await page.close();
});

test('the tab has all findings with advice and evidence, and what could not be judged', async () => {
  const { page, faults } = await visit(browser, site.url);
  await page.setViewport({ width: 1280, height: 900 });
  await openFiles(page, fixture('ps4w.pb'));
  await page.waitForSelector('.findings-open:not([hidden])');
  await page.click('.findings-open');
  await page.waitForSelector('#panel-findings .advice-item', { visible: true });
  const rules = await page.$$eval('#panel-findings .advice-item', (all) => all.map((one) => one.dataset.rule));
  assert.deepEqual(rules, found.findings.map(({ rule }) => rule));
  const text = await page.$eval('#panel-findings', (panel) => panel.innerText.replace(/\s+/g, ' '));
  for (const { sentence, advice } of found.findings) {
    assert.ok(text.includes(sentence.replace(/\s+/g, ' ')) && text.includes(advice), sentence);
  }
  assert.ok(text.includes(`${found.not_judged.length} rules could not judge this trace`), text);
  await page.click('#panel-findings summary');
  const judged = await page.$$eval('#panel-findings details code', (all) => all.map((one) => one.textContent));
  assert.deepEqual(judged, found.not_judged.map(({ rule }) => rule));
  await page.click('#panel-findings .advice-item:nth-child(2) .op-link');
  await untilField(page, 'op', String(found.findings[1].where[0].op_row));
  assert.deepEqual(await faultsOf(page), []);
  assert.deepEqual(await faults(), []);
  await page.close();
});

test('a step in which nothing would help says so above the timeline and in its tab', async () => {
  const { page } = await openedHere('', fixture('containers/paddle-trainer0.profile'));
  await until(page, () => document.body.dataset.state === 'ready');
  await toTab(page, 'findings');
  await until(page, () => document.querySelector('#panel-findings .advice-sentence')?.innerText.startsWith('No change that was tried'));
  assert.ok((await page.$eval('.highlights', (list) => list.innerText)).includes('No change that was tried'));
  await page.close();
});

test('nothing below the findings moves when they arrive', async () => {
  const { page } = await visit(browser, site.url);
  for (const width of [1600, 390]) {
    await page.setViewport({ width, height: 900 });
    await page.evaluate(() => {
      window.places = new Set();
      const look = () => {
        const below = document.querySelector('.minimap-row');
        if (below?.checkVisibility()) window.places.add(Math.round(below.getBoundingClientRect().top));
        window.looking = requestAnimationFrame(look);
      };
      look();
    });
    await openFiles(page, fixture('ps4w.pb'));
    await page.waitForSelector('.highlight');
    await page.waitForSelector('.path-strip:not([aria-valuemax="1"])');
    const places = await page.evaluate(() => {
      cancelAnimationFrame(window.looking);
      return [...window.places];
    });
    assert.equal(places.length, 1, `${width} px: ${places}`);
  }
  await page.close();
});

test('in a narrow window the verdict is whole, and a finding has a line', async () => {
  const { page } = await visit(browser, site.url);
  await page.setViewport({ width: 390, height: 844 });
  await openFiles(page, fixture('ps4w.pb'));
  await page.waitForSelector('.highlight');
  assert.match(await page.$eval('.findings-open', (button) => button.innerText), /^\d findings$/);
  const verdict = await page.$eval('.verdict-said', (own) => ({ is_whole: own.scrollHeight <= own.clientHeight + 1, right: own.getBoundingClientRect().right }));
  assert.ok(verdict.is_whole && verdict.right <= 390, JSON.stringify(verdict));
  assert.ok(await page.$eval('.highlight', (own) => own.clientHeight) < 40);
  await page.close();
});

test('of more than half a million ops, the page says why it waits to be asked, and then finds out', async () => {
  const op = (_, at) => `{"ph":"X","pid":1,"tid":1,"name":"MatMul","ts":${at * 2},"dur":1}`;
  const bytes = gzipSync(`[${Array.from({ length: 500_001 }, op).join(',')}]`, { level: 1 });
  const { page, faults } = await visit(browser, site.url);
  await chooseBytes(page, [{ name: 'large.json.gz', bytes }]);
  await until(page, () => document.querySelector('.highlights .note')?.textContent.startsWith('What dominates 500,001 ops'));
  assert.equal(await page.$eval('.verdict', (own) => own.textContent), '');
  const [ask] = await page.$$('.verdict-tools button:not([hidden])');
  await ask.click();
  await until(page, () => document.querySelector('.verdict').textContent !== '');
  assert.equal(await page.$$eval('.highlights .note', (all) => all.filter((one) => one.textContent.startsWith('What dominates')).length), 0);
  assert.deepEqual(await faults(), []);
  await page.close();
});
