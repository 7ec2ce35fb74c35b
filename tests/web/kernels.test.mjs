// Where a GPU was recorded: from an op to its kernels and back, and ops that last as long as these.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { picture } from './canvas.mjs';
import { until, untilField, untilSpoken } from './hands.mjs';
import { runMetadata } from './run_metadata.mjs';
import { fixture } from './site.mjs';
import { browser, openedHere, site } from './stage.mjs';
import { chooseBytes, summary, visit, waitForReady } from './steplens.mjs';

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
  await page.click('[aria-controls="lanes-menu"]');
  assert.equal(await page.$eval('.op-times', (choice) => choice.hidden), false);
  await choose(page, 'gpu');
  await untilSpoken(page, /GPU durations/);
  assert.equal(busy(await summary(page)), 405_000);
  assert.ok((await picture(page)) !== before, 'another picture');
  assert.match(await page.$eval('.facts', (facts) => facts.innerText), /GPU durations/);
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
  const { page } = await openedHere('', fixture('mnist-adam.pb'));
  await page.click('[aria-controls="lanes-menu"]');
  assert.equal(await page.$eval('.op-times', (choice) => choice.hidden), true);
  await page.close();
});

/** An operator in another one calls the driver, which launches a kernel; a collective of three events; counters. */
const PYTORCH = new TextEncoder().encode(
  JSON.stringify({
    schemaVersion: 1,
    traceEvents: [
      ...[[1, 'CPU'], [0, 'GPU 0']].flatMap(([pid, labels]) => [
        { ph: 'M', name: 'process_name', pid, args: { name: 'python3' } },
        { ph: 'M', name: 'process_labels', pid, args: { labels } },
      ]),
      ...[7, 9].map((tid) => ({ ph: 'M', name: 'thread_name', pid: 0, tid, args: { name: `stream ${tid} ` } })),
      { ph: 'X', cat: 'python_function', name: 'model.py(12): forward', pid: 1, tid: 1, ts: 90, dur: 500 },
      { ph: 'X', cat: 'cpu_op', name: 'aten::linear', pid: 1, tid: 1, ts: 100, dur: 100 },
      { ph: 'X', cat: 'cpu_op', name: 'aten::addmm', pid: 1, tid: 1, ts: 110, dur: 60 },
      { ph: 'X', cat: 'cuda_runtime', name: 'cudaLaunchKernel', pid: 1, tid: 1, ts: 120, dur: 10, args: { correlation: 7 } },
      { ph: 'X', cat: 'kernel', name: 'gemm', pid: 0, tid: 7, ts: 125, dur: 300, args: { correlation: 7 } },
      { ph: 'X', cat: 'cpu_op', name: 'c10d::allreduce_', pid: 1, tid: 1, ts: 300, dur: 50 },
      { ph: 'X', cat: 'user_annotation', name: 'nccl:all_reduce', pid: 1, tid: 1, ts: 310, dur: 30 },
      { ph: 'X', cat: 'cuda_runtime', name: 'cudaLaunchKernelExC', pid: 1, tid: 1, ts: 320, dur: 10, args: { correlation: 8 } },
      { ph: 'X', cat: 'kernel', name: 'ncclDevKernel_AllReduce_Sum_f32', pid: 0, tid: 9, ts: 400, dur: 100, args: { correlation: 8 } },
    ],
  }),
);

const refs = (page, title) =>
  page.$$eval(
    '#panel-selection .block',
    (blocks, title) => [...(blocks.find((block) => block.querySelector('h3').innerText.startsWith(title))?.querySelectorAll('.op-link') ?? [])].map((link) => link.innerText),
    title,
  );

async function find(page, name) {
  await page.keyboard.press('/');
  await page.$eval('input[type=search][aria-label^="Search"]', (input) => input.select());
  await page.keyboard.type(`name:${name}`);
  await page.keyboard.press('Enter');
  await untilSpoken(page, new RegExp(`^Selected ${name}`));
}

const arrows = (page) => until(page, () => /arrow/.test(document.querySelector('#panel-selection .hops')?.innerText)).then(() => page.$eval('#panel-selection .hops', (hops) => /(\d+) arrows?/.exec(hops.innerText)[1]));

test('a kernel leads to its call and its operator, and operators to the kernels of what they contain', async () => {
  const { page, faults } = await visit(browser, site.url);
  await waitForReady(page, () => chooseBytes(page, [{ name: 'rank.json', bytes: PYTORCH }]));
  await find(page, 'gemm');
  assert.deepEqual(await refs(page, 'Launched by'), ['aten::addmm', 'cudaLaunchKernel']);
  assert.equal(await arrows(page), '2');
  for (const name of ['aten::addmm', 'cudaLaunchKernel', 'aten::linear']) {
    await find(page, name);
    assert.deepEqual(await refs(page, 'Kernels 1'), ['gemm'], name);
    assert.equal(await arrows(page), '1', name);
  }
  assert.deepEqual(await faults(), []);
  await page.close();
});

test('a GPU has one row, which says its streams and unfolds into them', async () => {
  const rows = (page) => page.$$eval('.device .device-choose', (names) => names.map((name) => name.innerText.replace(/\s+/g, ' ').trim()));
  const { page, faults } = await visit(browser, site.url);
  await waitForReady(page, () => chooseBytes(page, [{ name: 'rank.json', bytes: PYTORCH }]));
  assert.deepEqual(await rows(page), ['GPU 0 2 streams', 'python3 CPU', 'Python frames']);
  assert.deepEqual(await page.$$eval('.group-name', (names) => names.map((name) => name.innerText.trim())), ['stream 7', 'stream 9', 'thread 1']);
  const expanded = () => page.$$eval('.device-fold', (folds) => folds.map((fold) => fold.getAttribute('aria-expanded')));
  assert.deepEqual(await expanded(), ['true', 'true', 'false'], 'frames of Python are folded away');
  await page.click('.device-fold');
  assert.deepEqual([await expanded(), await page.$$eval('.group-name', (names) => names.length)], [['false', 'true', 'false'], 1]);
  // Of RunMetadata, whose streams are devices: one row for three of them, and what the executor dispatched is the host's.
  await waitForReady(page, () => chooseBytes(page, [{ name: 'gpu.pb', bytes: GPU_STEP }]));
  assert.deepEqual(await rows(page), ['localhost 0 GPU:0 dispatch', 'GPU 0']);
  assert.deepEqual(await page.$$eval('.group-name', (names) => names.map((name) => name.innerText)), ['stream:7', 'stream:all']);
  const { accelerators, devices } = await summary(page);
  assert.deepEqual(accelerators.map(({ name, ops, streams, compute_ns }) => [name, ops, streams, compute_ns]), [['/device:GPU:0', 1, 1, 400_000]]);
  const share = Math.round((accelerators[0].compute_ns / accelerators[0].window_ns) * 1000) / 10;
  assert.match(await page.$eval(`[data-device="${devices.findIndex(({ accelerator }) => accelerator === 0)}"] .split-bar`, (bar) => bar.getAttribute('aria-label') ?? bar.title), new RegExp(`compute ${share}\\s%`));
  assert.deepEqual(await faults(), []);
  await page.close();
});
