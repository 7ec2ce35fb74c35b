// The widget of the Python package in Chromium, with a model as a notebook gives it one: Python knows what is selected in the page.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { until } from './hands.mjs';
import { ROOT, fixture } from './site.mjs';
import { browser } from './stage.mjs';

const program = process.env.STEPLENS_PROGRAM ?? path.join(ROOT, 'target/debug/steplens');

/** A cell that shows `trace` as the widget does, and the model behind it. */
async function cell(trace) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'steplens-notebook-'));
  const file = path.join(folder, 'page.html');
  execFileSync(program, ['report', trace, '--include', 'all', '--output', file]);
  const html = await readFile(file, 'utf8');
  await rm(folder, { recursive: true });
  const script = await readFile(path.join(ROOT, 'python/steplens/widget.js'), 'utf8');
  const page = await browser.newPage();
  await page.setContent('<!doctype html><title>A notebook</title><div id="cell"></div>');
  await page.evaluate(async (script, html) => {
    const own = await import(URL.createObjectURL(new Blob([script], { type: 'text/javascript' })));
    const values = { page: html, height: 700, op: null, range: null, step: null };
    window.saved = [];
    window.listeners = new Map();
    const model = {
      get: (name) => values[name],
      set: (name, value) => (values[name] = value),
      save_changes: () => window.saved.push(structuredClone({ op: values.op, range: values.range, step: values.step })),
      on: (name, listener) => window.listeners.set(name, listener),
      off: (name) => window.listeners.delete(name),
    };
    window.values = values;
    window.leave = own.default.render({ model, el: document.querySelector('#cell') });
  }, script, html);
  const frame = await (await page.waitForSelector('iframe')).contentFrame();
  await frame.waitForFunction(() => document.body.dataset.state === 'ready');
  return { page, frame };
}

test('a widget says in Python what is selected in the page', async () => {
  const { page, frame } = await cell(fixture('ps4w.pb'));
  await until(page, () => window.saved.length > 0);
  assert.deepEqual(await page.evaluate(() => window.saved.at(-1)), { op: null, range: null, step: null });
  await frame.focus('canvas.lanes');
  await page.keyboard.press('.');
  await until(page, () => window.saved.at(-1).op !== null);
  const { op } = await page.evaluate(() => window.saved.at(-1));
  const rows = JSON.parse(execFileSync(program, ['ops', fixture('ps4w.pb'), '--json'], { maxBuffer: 1 << 30 })).ops;
  const [own] = rows.filter(({ name, device, start_ns }) => name === op.name && device === op.device && start_ns === op.start_ns);
  assert.deepEqual([own?.op_type, own?.end_ns], [op.op_type, op.end_ns]);
  // The selected op becomes the range.
  await page.keyboard.press('r');
  await until(page, () => window.saved.at(-1).range !== null);
  assert.deepEqual((await page.evaluate(() => window.saved.at(-1))).range, [op.start_ns, op.end_ns]);
  await page.evaluate(() => {
    window.values.height = 300;
    window.listeners.get('change:height')();
  });
  assert.equal(await page.$eval('iframe', (frame) => frame.getBoundingClientRect().height >= 300 && frame.style.height === '300px'), true);
  await page.evaluate(() => window.leave());
  assert.equal(await page.evaluate(() => window.listeners.size), 0);
  await page.close();
});

test('a selection in what somebody else opened is not told', async () => {
  const { page, frame } = await cell(fixture('mnist-adam.pb'));
  await until(page, () => window.saved.length > 0);
  const other = [...(await readFile(fixture('ps4w.pb')))];
  const ops = await frame.evaluate((bytes) => window.steplens.openBytes('own.pb', Uint8Array.from(bytes)).then(({ ops }) => ops), other);
  assert.equal(ops, 4175);
  const before = await page.evaluate(() => window.saved.length);
  await frame.focus('canvas.lanes');
  await page.keyboard.press('.');
  await frame.waitForFunction(() => document.querySelector('.op-name')?.textContent);
  assert.equal(await page.evaluate(() => window.saved.length), before);
  await page.close();
});
