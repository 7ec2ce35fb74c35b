// Where a GPU was recorded: from an op to its kernels and back, and ops that last as long as these.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { picture } from './canvas.mjs';
import { until, untilField, untilSpoken } from './hands.mjs';
import { runMetadata } from './run_metadata.mjs';
import { fixture } from './site.mjs';
import { browser, site } from './stage.mjs';
import { chooseBytes, openFiles, summary, visit, waitForReady } from './steplens.mjs';

const START = 1_500_000_000_000_000;
const at = (name, start, end, label = '') => ({ name, label, start: START + start, end: START + end });
/** An op scheduled for 10 us, whose kernel runs from 300 to 700 us. */
const GPU_STEP = runMetadata([
  { device: '/job:localhost/replica:0/task:0/device:GPU:0', ops: [at('first', 0, 5, 'first = NoOp()'), at('dense/MatMul', 100, 110, 'dense/MatMul = MatMul(first)')] },
  { device: '/device:GPU:0/stream:all', ops: [at('dense/MatMul:MatMul', 300, 700, '')] },
  { device: '/device:GPU:0/stream:7', ops: [at('dense/MatMul:MatMul', 300, 700, '')] },
]);

const choose = (page, op_time) => page.$eval(`.op-times input[value="${op_time}"]`, (input) => input.click());

test('ops last as long as their kernels where that is wished', async () => {
  const { page, faults } = await visit(browser, site.url);
  await waitForReady(page, () => chooseBytes(page, [{ name: 'gpu.pb', bytes: GPU_STEP }]));
  const scheduled = await summary(page);
  const busy = ({ devices }) => devices.find(({ kind }) => kind === 'gpu').busy_ns;
  assert.equal(busy(scheduled), 15_000);
  const before = await picture(page);
  await page.click('.menu-opener');
  assert.equal(await page.$eval('.op-times', (choice) => choice.hidden), false);
  await choose(page, 'gpu');
  await untilSpoken(page, /ops last on the GPU$/);
  assert.equal(busy(await summary(page)), 405_000);
  assert.ok((await picture(page)) !== before, 'another picture');
  assert.match(await page.$eval('.facts', (facts) => facts.innerText), /ops last on the GPU/);
  assert.equal(await untilField(page, 'time'), 'gpu');
  await choose(page, 'all');
  await until(page, () => window.steplens.summary().view.op_time === 'all');
  assert.equal(busy(await summary(page)), 605_000);
  await choose(page, 'schedule');
  await until(page, () => window.steplens.summary().view.op_time === undefined);
  assert.deepEqual(await summary(page), scheduled);
  assert.deepEqual(await faults(), []);
  await page.close();
});

test('an op leads to its kernels, and a kernel to its op', async () => {
  const { page } = await visit(browser, site.url);
  await waitForReady(page, () => chooseBytes(page, [{ name: 'gpu.pb', bytes: GPU_STEP }]));
  await page.keyboard.press('/');
  await page.keyboard.type('name:dense/MatMul');
  await page.keyboard.press('Enter');
  await untilSpoken(page, /^Selected dense\/MatMul, /);
  const block = (title) => page.$$eval('#panel-selection .block', (blocks, title) => blocks.find((block) => block.querySelector('h3').innerText.startsWith(title))?.innerText, title);
  assert.match(await block('Kernels'), /on the GPU\s+400\.0\s*µs[^]*dense\/MatMul/);
  await page.$$eval('#panel-selection .block', (blocks) => blocks.find((block) => block.querySelector('h3').innerText.startsWith('Kernels')).querySelector('.op-link').click());
  await untilSpoken(page, /on \/device:GPU:0\/stream/);
  await until(page, () => [...document.querySelectorAll('#panel-selection h3')].some((title) => title.innerText === 'Launched by'));
  await page.close();
});

test('without kernels there is no such choice', async () => {
  const { page } = await visit(browser, site.url);
  await openFiles(page, fixture('mnist-adam.pb'));
  await page.click('.menu-opener');
  assert.equal(await page.$eval('.op-times', (choice) => choice.hidden), true);
  await page.close();
});
