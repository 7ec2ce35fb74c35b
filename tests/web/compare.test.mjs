// The tab Compare in Chromium: its figures are those of the program, B is opened in every way, and both steps are drawn, chosen from and kept.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { pathToFileURL } from 'node:url';
import { faultsOf } from './axe.mjs';
import { boxOf, fields, toTab, until, untilField, untilRead } from './hands.mjs';
import { runMetadata } from './run_metadata.mjs';
import { ROOT, fixture } from './site.mjs';
import { browser, onPage } from './stage.mjs';
import { chooseBytes, clickButton, openFiles, share, summary, visit, waitForReady, waitForState } from './steplens.mjs';

const PROGRAM = process.env.STEPLENS_PROGRAM ?? path.join(ROOT, 'target/debug/steplens');
const A = fixture('ps4w.pb');
const B = fixture('ps4w-later.pb');

/** What the program answers, as JSON. */
async function program(...options) {
  const { stdout } = await promisify(execFile)(PROGRAM, ['compare', '--json', ...options], { maxBuffer: 1 << 26 });
  return JSON.parse(stdout);
}

const compareFiles = async (page, ...files) => (await page.$('#compare-file')).uploadFile(...files);
const untilSentence = (page, wanted) => until(page, (wanted) => document.querySelector('.cmp-sentence')?.textContent === wanted, wanted);
const untilCompared = (page) => page.waitForSelector('.cmp-waterfall .cmp-whole', { visible: true });

/** The bars that have a row of their own. */
const largeOf = ({ a, b, waterfall }) =>
  waterfall.filter(({ difference_ns }) => Math.abs(difference_ns) * 1000 >= Math.max(a.length_ns, b.length_ns));

/** One device with ops of these lengths in microseconds, one after the other. */
function step(name, lengths) {
  let at = 1000;
  const ops = Object.entries(lengths).map(([op, length]) => {
    const own = { name: op, label: `${op} = MatMul(x)`, start: at, end: at + length };
    at += length + 10;
    return own;
  });
  return { name, bytes: runMetadata([{ device: '/job:worker/replica:0/task:0/device:CPU:0', ops }]) };
}

const BEFORE = step('before.pb', { load: 2000, conv: 3000, dense: 1000, gone: 500 });
const AFTER = step('after.pb', { load: 2000, conv: 6000, dense: 1000, added: 700 });

/** How many pixels of the mirrored timelines have about the colour of this custom property, in each half of its first row. */
const inked = (page, property) => page.$eval('.cmp-mirror-canvas', (canvas, property) => {
  const probe = document.createElement('canvas').getContext('2d');
  probe.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(property).trim();
  probe.fillRect(0, 0, 1, 1);
  const [r, g, b] = probe.getImageData(0, 0, 1, 1).data;
  const { data, width } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  const rows = new Map();
  for (let at = 0; at < data.length; at += 4) {
    if (Math.abs(data[at] - r) + Math.abs(data[at + 1] - g) + Math.abs(data[at + 2] - b) > 12 || data[at + 3] < 250) continue;
    const y = Math.floor(at / 4 / width);
    rows.set(y, (rows.get(y) ?? 0) + 1);
  }
  return [...rows].map(([y, pixels]) => ({ y, pixels }));
}, property);

/** What a bar says next to its figure: the sentence without that. */
const causeOf = ({ sentence }) => sentence.replace(/ The step (?:is \S+ \S+ (?:longer|shorter)|takes as long with it as without)\.$/, '');

onPage('two traces: figures of the program, a bar opens its ops, and an op shows its partner', async ({ page }) => {
  const answer = await program(A, B);
  await openFiles(page, A);
  await toTab(page, 'compare');
  await page.waitForSelector('.cmp-nothing', { visible: true });
  assert.deepEqual(await faultsOf(page), []);
  await compareFiles(page, B);
  await untilSentence(page, answer.sentence);
  await untilCompared(page);
  const bars = await page.$$eval('.cmp-cause', (all) => all.slice(1, -1).map((own) => own.textContent));
  assert.deepEqual(bars.filter((own) => !/ of less than 0.1 % of the step/.test(own)), largeOf(answer).map(causeOf));
  // What would help in one of them only comes after that: both steps are replayed for it.
  const findings = answer.findings.filter(({ change }) => change === 'new' || change === 'gone');
  assert.ok(findings.length > 0);
  await until(page, (count) => document.querySelectorAll('.cmp-findings li').length === count, findings.length);
  const said = await page.$$eval('.cmp-findings li', (all) => all.map((own) => own.textContent));
  assert.deepEqual(said, findings.map(({ change, what }) => `${change} in B ${what}`));
  const shown = await page.$$eval('.cmp-matches dd', (all) => all.map((own) => own.textContent.replaceAll(',', '')));
  assert.equal(shown[0], String(answer.matches.exact));
  const counts = await page.$$eval('.cmp-legend .tab-count', (all) => all.map((own) => Number(own.textContent.replaceAll(',', ''))));
  const pairs = answer.matches.exact + answer.matches.retyped + answer.matches.renumbered + answer.matches.structural + answer.matches.edited;
  assert.equal(counts[0] + counts[1] + counts[2], pairs);
  assert.deepEqual(counts.slice(3), [answer.matches.only_a, answer.matches.only_b]);
  await page.waitForSelector('#cmp-types-0');
  const first = await page.$eval('#cmp-types-0', (row) => row.textContent);
  assert.ok(first.startsWith(answer.op_types[0].op_type), first);
  // The open trace is as it was.
  assert.equal((await summary(page)).files[0].name, 'ps4w.pb');

  // A bar opens its ops; one of them is selected, and the sentence says what became of it.
  await page.click('.cmp-waterfall summary');
  await page.waitForSelector('.cmp-op-table .op-link', { visible: true });
  await page.click('.cmp-op-table .op-link');
  await untilField(page, 'op', String(answer.waterfall[0].ops_a[0].op_row));
  await until(page, () => /In B /.test(document.querySelector('.cmp-pair').textContent));
  assert.deepEqual(await faultsOf(page), []);
  await toTab(page, 'selection');
  await until(page, () => /^In B In B .* instead of /.test(document.querySelector('.op-in-b:not([hidden])')?.textContent ?? ''));
});

onPage('bars are differences on one scale, each where the one above it ends, and none is too small to be said', async ({ page }) => {
  const answer = await program(A, B);
  const { a, b, waterfall } = answer;
  const large = largeOf(answer);
  assert.ok(large.length < waterfall.length);
  const small = waterfall.reduce((sum, { difference_ns }) => sum + difference_ns, 0) - large.reduce((sum, { difference_ns }) => sum + difference_ns, 0);
  await openFiles(page, A);
  const before = await page.evaluate(() => document.querySelector('.drawer').offsetHeight);
  await compareFiles(page, B);
  await untilCompared(page);
  const bars = await page.$$eval('.cmp-bar', (all) => all.map((own) => {
    const { left, width } = own.getBoundingClientRect();
    return { left, right: left + width, width: width - 2 };
  }));
  const differences = [0, ...large.map(({ difference_ns }) => difference_ns), small, b.length_ns - a.length_ns];
  const scale = Math.max(...bars.map(({ width }) => width)) / Math.max(...differences.map(Math.abs));
  bars.forEach(({ width }, at) => assert.ok(Math.abs(width - Math.abs(differences[at]) * scale) < 1.5, `${at}: ${width}`));
  // It ends where the next one begins.
  const endOf = (at) => (differences[at] < 0 ? bars[at].left : bars[at].right);
  for (let at = 1; at + 2 < bars.length; at++)
    assert.ok(Math.abs(endOf(at) - (differences[at + 1] < 0 ? bars[at + 1].right : bars[at + 1].left)) <= 3, `${at}`);
  // Closed, it leaves the drawer as tall as any place is.
  await page.$$eval('.cmp-actions .chip', (all) => all.at(-1).click());
  await page.waitForSelector('.cmp-nothing', { visible: true });
  await toTab(page, 'range');
  assert.equal(await page.evaluate(() => document.querySelector('.drawer').offsetHeight), before);
});

onPage('a bar lists each of its ops once, next to its partner', async ({ page }) => {
  const bars = largeOf(await program(A, B)).filter(({ ops_a, ops_b }) => ops_a.length + ops_b.length > 0);
  assert.ok(bars.some(({ ops_a, ops_b }) => ops_a.length > 1 && ops_b.length > 1));
  await openFiles(page, A);
  await toTab(page, 'compare');
  await compareFiles(page, B);
  await untilCompared(page);
  await page.$$eval('.cmp-waterfall details', (all) => all.forEach((own) => (own.open = true)));
  await until(page, (count) => document.querySelectorAll('.cmp-waterfall .cmp-op-table').length === count, bars.length);
  const listed = await page.$$eval('.cmp-waterfall .cmp-op-table', (tables) =>
    tables.map(({ tBodies }) => [...tBodies[0].rows].map(({ cells }) => [1, 2].map((at) => cells[at].querySelector('button')?.title.match(/^Select (.*?) in [AB]/)[1] ?? null))));
  bars.forEach(({ ops_a, ops_b, sentence }, at) => {
    const of_b = new Map(ops_b.map((own) => [own.op_row, own]));
    const pairs = ops_a.map((a) => {
      const b = of_b.get(a.partner_row);
      of_b.delete(a.partner_row);
      return [a.op, b?.op ?? null];
    });
    const alone = [...of_b.values()].map((b) => [null, b.op]);
    assert.deepEqual(listed[at], [...pairs, ...alone], sentence);
  });
});

onPage('a planted change is the first bar, and its op is drawn longer in B', async ({ page }) => {
  await waitForReady(page, () => chooseBytes(page, [BEFORE]));
  await chooseBytes(page, [AFTER], '#compare-file');
  await untilCompared(page);
  const [bar] = await page.$$eval('.cmp-waterfall summary .cmp-cause', (all) => all.map((own) => own.textContent));
  assert.match(bar, /^conv \(MatMul\) takes 3\.000 ms longer: 6\.000 ms instead of 3\.000 ms\.$/);
  const counts = await page.$$eval('.cmp-legend .tab-count', (all) => all.map((own) => Number(own.textContent)));
  assert.deepEqual(counts, [1, 0, 2, 1, 1]);
  await until(page, () => document.querySelector('.cmp-mirror-canvas').width > 100);
  // The longer op is in both halves, twice as wide below; what is gone is only above, what is new only below.
  const slower = await untilRead(() => inked(page, '--change-slower'), (rows) => rows.length > 0);
  const middle = slower.reduce((sum, { y }) => sum + y, 0) / slower.length;
  const widest = (rows, is_below) => Math.max(0, ...rows.filter(({ y }) => y > middle === is_below).map(({ pixels }) => pixels));
  const ratio = widest(slower, true) / widest(slower, false);
  assert.ok(ratio > 1.9 && ratio < 2.1, String(ratio));
  const [gone, added] = [await inked(page, '--change-only-a'), await inked(page, '--change-only-b')];
  assert.ok(widest(gone, false) > 0 && widest(gone, true) === 0, JSON.stringify(gone));
  assert.ok(widest(added, true) > 0 && widest(added, false) === 0, JSON.stringify(added));

  // With the widths of A both are as wide, and what vanished is no filled mark below.
  await clickButton(page, 'Widths of A');
  await untilField(page, 'bwidth', 'a');
  await until(page, () => document.querySelectorAll('.cmp-group [aria-pressed="true"]').length === 1);
  const of_a = await untilRead(() => inked(page, '--change-slower'), (rows) => widest(rows, true) > 0);
  assert.ok(Math.abs(widest(of_a, true) - widest(of_a, false)) <= 2);
  assert.deepEqual(await faultsOf(page), []);
});

onPage('the mirrored timelines are moved, and ops chosen in them, by hand and by keyboard', async ({ page }) => {
  await openFiles(page, A);
  await compareFiles(page, B);
  await untilCompared(page);
  await page.$eval('.cmp-mirror-canvas', (canvas) => canvas.scrollIntoView({ block: 'start' }));
  const { x, y, width, height } = await boxOf(page, '.cmp-mirror-canvas');
  await page.mouse.move(x + width / 2, y + Math.min(height, 120) / 2);
  await page.keyboard.down('Control');
  await page.mouse.wheel({ deltaY: -240 });
  await page.keyboard.up('Control');
  const before = (await untilField(page, 'bw')).split(',').map(Number);
  await page.mouse.down();
  await page.mouse.move(x + width / 2 - 150, y + 60, { steps: 4 });
  await page.mouse.up();
  await until(page, (before) => Number(new URLSearchParams(location.hash.slice(1)).get('bw').split(',')[0]) > before, before[0]);
  const panned = (await fields(page)).bw.split(',').map(Number);
  assert.ok(Math.abs(panned[1] - panned[0] - (before[1] - before[0])) < 10, 'a drag does not zoom');
  const main = (await fields(page)).w;
  await page.focus('.cmp-mirror-canvas');
  await page.keyboard.press('w');
  await until(page, (length) => {
    const [start, end] = new URLSearchParams(location.hash.slice(1)).get('bw').split(',').map(Number);
    return end - start < length;
  }, panned[1] - panned[0]);
  assert.equal((await fields(page)).w, main, 'the timeline above stays');
  await page.keyboard.press('0');
  await untilField(page, 'bw', null);
  assert.match(await page.$eval('#cmp-mirror-said', (own) => own.textContent), /^From 0.* devices\. All ops, longer in B: /);

  // A click on the widest mark of B's half selects its partner in A; aligned there, both begin at one place.
  await page.click('[data-table="cmp-types"]');
  await page.click('.cmp-waterfall summary');
  await page.waitForSelector('.cmp-op-table tbody tr', { visible: true });
  await page.$$eval('.cmp-op-table tbody tr', (rows) => rows[0].querySelectorAll('.op-link')[1].click());
  await untilField(page, 'op');
  await clickButton(page, 'Align at the op');
  const aligned = await untilField(page, 'bop');
  assert.equal(aligned, (await fields(page)).op);
  await clickButton(page, 'Align at the start');
  await untilField(page, 'bop', null);
});

onPage('what cannot be compared leaves everything as it is, and B is swapped and closed', async ({ page }) => {
  await openFiles(page, A);
  const before = await summary(page);
  await chooseBytes(page, [{ name: 'noise.pb', bytes: new TextEncoder().encode('this is no trace at all') }], '#compare-file');
  await page.waitForSelector('#error[data-code]');
  assert.match(await page.$eval('#error', (own) => own.innerText.replace(/\s+/g, ' ')), /^Not compared/);
  assert.deepEqual(await summary(page), before);
  await clickButton(page, 'Dismiss').catch(() => page.keyboard.press('Escape'));

  await compareFiles(page, B);
  await untilSentence(page, (await program(A, B)).sentence);
  // A damaged B is no reason to lose the good one.
  await chooseBytes(page, [{ name: 'noise.pb', bytes: new TextEncoder().encode('this is no trace at all') }], '#compare-file');
  await page.waitForSelector('#error[data-code]');
  await untilSentence(page, (await program(A, B)).sentence);
  await page.keyboard.press('Escape');
  // It goes with the next frame.
  await until(page, () => !document.querySelector('#error')?.dataset.code);

  await clickButton(page, 'Swap A and B');
  await untilSentence(page, (await program(B, A)).sentence);
  assert.equal((await summary(page)).files[0].name, 'ps4w-later.pb');
  await clickButton(page, 'Close the comparison');
  await page.waitForSelector('.cmp-nothing', { visible: true });
  await untilField(page, 'b', null);
});

onPage('comparing has the room of the timeline, until Esc or another tab gives it back', async ({ page }) => {
  const hasLanes = (there) => until(page, (there) => document.querySelector('canvas.lanes').checkVisibility() === there, there);
  await openFiles(page, A);
  await hasLanes(true);
  await compareFiles(page, B);
  await untilCompared(page);
  await hasLanes(false);
  const { bottom, width } = await page.$eval('.drawer', (own) => own.getBoundingClientRect().toJSON());
  assert.deepEqual([Math.round(bottom), width], await page.evaluate(() => [innerHeight, innerWidth]));
  await toTab(page, 'range');
  await hasLanes(true);
  await toTab(page, 'compare');
  await hasLanes(false);
  await page.focus('#tab-compare');
  await page.keyboard.press('Escape');
  await hasLanes(true);
  assert.equal(await page.$eval('#tab-compare', (own) => own.ariaSelected), 'true');
  await page.keyboard.down('Shift');
  await page.keyboard.press('q');
  await page.keyboard.up('Shift');
  await hasLanes(false);
  // What is opened next is shown, whatever was compared.
  await openFiles(page, B);
  await hasLanes(true);
});

onPage('two steps of one trace: nothing is read again, and nothing is significant', async ({ page }) => {
  await openFiles(page, A, B);
  await until(page, () => document.querySelector('#tab-steps .tab-count').textContent === '2');
  await page.keyboard.press('e');
  await until(page, () => window.steplens.summary().view.step !== null);
  await toTab(page, 'compare');
  await until(page, () => document.querySelectorAll('.cmp-with-step select option').length === 1);
  await page.click('.cmp-with-step button');
  await untilCompared(page);
  assert.ok(await page.$eval('.cmp-steps-said', (own) => own.textContent.startsWith('~')));
  assert.match(await untilField(page, 'bstep'), /^[12]$/);
  assert.equal((await fields(page)).b, undefined);
  // B follows what A is corrected by; a reload brings both back.
  const sentence = await page.$eval('.cmp-sentence', (own) => own.textContent);
  await until(page, () => performance.getEntriesByName('steplens:kept').length > 0);
  await page.reload({ waitUntil: 'load' });
  await waitForState(page, 'ready');
  await toTab(page, 'compare').catch(() => undefined);
  await untilSentence(page, sentence);
});

onPage('a drop in the middle compares, and a reload says which file to open again', async ({ page }) => {
  await openFiles(page, A);
  const client = await page.createCDPSession();
  const data = { items: [], files: [B], dragOperationsMask: 1 };
  const send = (type) => client.send('Input.dispatchDragEvent', { type, x: page.viewport().width / 2, y: 300, data });
  await send('dragEnter');
  await send('dragOver');
  assert.equal(await page.$eval('.drop-veil', (veil) => veil.dataset.purpose), 'compare');
  await send('drop');
  await untilCompared(page);
  await untilField(page, 'b', 'ps4w-later.pb');
  await until(page, () => performance.getEntriesByName('steplens:kept').length > 0);
  await page.reload({ waitUntil: 'load' });
  await waitForState(page, 'ready');
  await page.waitForSelector('.cmp-wanted', { visible: true });
  assert.match(await page.$eval('.cmp-wanted', (own) => own.textContent), /ps4w-later\.pb/);
  await compareFiles(page, B);
  await untilCompared(page);
});

/** Whether the shared file `html`, opened from disk, compares again; what it shows then. */
async function reopened(html) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'steplens-compare-'));
  try {
    const file = path.join(folder, 'shared.html');
    await writeFile(file, html);
    const { page, faults } = await visit(browser, pathToFileURL(file).href);
    await waitForState(page, 'ready');
    await untilCompared(page);
    const shown = await page.evaluate(() => ({ sentence: document.querySelector('.cmp-sentence').textContent, text: document.querySelector('.compare').innerText }));
    assert.deepEqual(await faults(), []);
    await page.close();
    return shown;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

onPage('a shared file carries both traces, redacted with the same key, too', async ({ page }) => {
  const { sentence, matches } = await program(A, B);
  await openFiles(page, A);
  await compareFiles(page, B);
  await untilSentence(page, sentence);
  const whole = await reopened(await share(page));
  assert.equal(whole.sentence, sentence);
  await page.reload({ waitUntil: 'load' });
  await openFiles(page, A);
  await compareFiles(page, B);
  await untilSentence(page, sentence);
  const hidden = await share(page, (page) => page.evaluate(() => [...document.querySelectorAll('#share .part-all button')].at(1).click()));
  assert.ok(!hidden.includes('ps4w-later'), 'the name of B is in a redacted file');
  const redacted = await reopened(hidden);
  assert.equal(redacted.sentence, sentence);
  assert.ok(redacted.text.includes(matches.exact.toLocaleString('en')), 'names of both are still the same');
});

onPage('a printed report says what differs', async ({ page }) => {
  const answer = await program(A, B);
  await openFiles(page, A);
  await compareFiles(page, B);
  await untilCompared(page);
  await page.evaluate(() => {
    window.print = () => dispatchEvent(new Event('beforeprint'));
  });
  await page.keyboard.down('Control');
  await page.keyboard.press('p');
  await page.keyboard.up('Control');
  await until(page, (sentence) => document.querySelector('.print-report')?.textContent.includes(sentence), answer.sentence);
  const report = await page.$eval('.print-report', (own) => own.textContent);
  assert.ok(report.includes(causeOf(answer.waterfall[0])));
});
