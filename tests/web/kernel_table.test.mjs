// The tab Kernels in Chromium: its table says what the core says, with short names; of the range, where there is one.

import assert from 'node:assert/strict';
import { faultsOf } from './axe.mjs';
import { until, untilField } from './hands.mjs';
import { fixture } from './site.mjs';
import { onPage, onTrace } from './stage.mjs';
import { chooseBytes, waitForReady } from './steplens.mjs';

const event = (cat, name, tid, ts, dur, args) => ({ ph: 'X', cat, name, pid: tid === 7 ? 0 : 10, tid, ts, dur, args });
const launched = (correlation, blocks) => ({
  correlation,
  device: 0,
  stream: 7,
  grid: [blocks, 2, 1],
  block: [128, 1, 1],
  'registers per thread': 32,
  'shared memory': 2048,
  'est. achieved occupancy %': 50,
});
const ADD = 'void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, at::detail::Array<char*, 3> >(int, float)';
const TRACE = {
  schemaVersion: 1,
  traceEvents: [
    event('cpu_op', 'aten::add', 1, 100, 50, {}),
    event('cuda_runtime', 'cudaLaunchKernel', 1, 110, 5, { correlation: 1 }),
    event('cuda_runtime', 'cudaLaunchKernel', 1, 120, 5, { correlation: 2 }),
    event('cuda_runtime', 'cudaLaunchKernel', 1, 200, 5, { correlation: 3 }),
    event('kernel', ADD, 7, 130, 10, launched(1, 8)),
    event('kernel', ADD, 7, 150, 30, launched(2, 16)),
    event('kernel', 'volta_sgemm_64x64_nt', 7, 210, 10, { correlation: 3, device: 0, stream: 7 }),
  ],
};

const rows = (page) =>
  page.$$eval('#panel-kernels tbody tr:not(.spacer)', (rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent)));
const openTrace = (page, trace = TRACE) =>
  waitForReady(page, () => chooseBytes(page, [{ name: 'gpu.json', bytes: new TextEncoder().encode(JSON.stringify(trace)) }]));

onPage('kernels by name, how they were launched and by which ops', async ({ page }) => {
  await page.setViewport({ width: 1600, height: 1000 });
  await openTrace(page);
  await page.$eval('#tab-kernels', (tab) => tab.click());
  await until(page, () => document.querySelectorAll('#panel-kernels tbody tr:not(.spacer)').length === 2);
  const [add, gemm] = await rows(page);
  assert.equal(add[0], 'vectorized_elementwise_kernel<CUDAFunctor_add<float>>');
  const said = add.slice(1).map((text) => text.replaceAll('\u00a0', ' '));
  assert.deepEqual(said, ['40.00 µs', '80.0 %', '2', '20.00 µs', '30.00 µs', '50.0 %', '16×2 …', '128 …', '32', '2.00 KiB', 'aten::add']);
  assert.equal(gemm[0], 'volta_sgemm_64x64_nt');
  assert.ok(gemm.includes('–'), 'what was not recorded');
  // The whole name is what hovering says.
  assert.ok(await page.$eval('#panel-kernels tbody', (body, whole) => [...body.querySelectorAll('[title]')].some(({ title }) => title.includes(whole)), ADD));
  const sentence = await page.$eval('.kernels-sentence', (own) => own.textContent);
  assert.match(sentence, /^3 kernels of 2 names took 50\.00\sµs in all; vectorized_elementwise_kernel<CUDAFunctor_add<float>> took 80\.0 % of that\.$/);
  assert.deepEqual(await faultsOf(page), []);

  // A click goes to the longest of them, whose whole name the tab Selection has.
  await page.click('#panel-kernels tbody tr:not(.spacer)');
  await untilField(page, 'op');
  await page.$eval('#tab-selection', (tab) => tab.click());
  await until(page, (whole) => document.querySelector('.op-name')?.title === whole, ADD);
  assert.equal(await page.$eval('.op-name', (own) => own.textContent), 'vectorized_elementwise_kernel<CUDAFunctor_add<float>>');
});

onPage('what kernels calculate and move, and how fast, where their operator has shapes', async ({ page }) => {
  await page.setViewport({ width: 1600, height: 1000 });
  const shapes = {
    'Input Dims': [
      [40, 50],
      [50, 60],
    ],
    'Input type': ['float', 'float'],
  };
  const product = event('cpu_op', 'aten::mm', 1, 190, 30, shapes);
  await openTrace(page, { ...TRACE, traceEvents: [...TRACE.traceEvents, product] });
  await page.$eval('#tab-kernels', (tab) => tab.click());
  await until(page, () => document.querySelectorAll('#panel-kernels tbody tr:not(.spacer)').length === 2);
  const said = (await rows(page)).map((row) => row.map((text) => text.replaceAll('\u00a0', ' ')));
  const gemm = said.find(([name]) => name === 'volta_sgemm_64x64_nt');
  // 2 · 40 · 50 · 60 operations and 7,400 numbers of four bytes in 10 µs.
  for (const figure of ['24.0 GFLOP/s', '2.96 GB/s']) assert.ok(gemm.includes(figure), `${figure}: ${gemm}`);
  const heads = await page.$$eval('#panel-kernels thead th', (heads) => heads.map((head) => head.textContent.trim()));
  assert.ok(heads.includes('FLOP/s') && heads.includes('Bytes/s'), heads.join());
  assert.deepEqual(await faultsOf(page), []);

  // The operator says it, too, and how it is known.
  await page.$$eval('#panel-kernels tbody tr:not(.spacer)', (rows) => rows.find((row) => row.textContent.includes('volta')).click());
  await untilField(page, 'op');
  await page.$eval('#tab-selection', (tab) => tab.click());
  await until(page, () => /240\skFLOP at 24\.0\sGFLOP\/s/.test(document.querySelector('#panel-selection').textContent));
});

onPage('kernels of one short name are told apart', async ({ page }) => {
  const norm = (width, ts) => event('kernel', `void norm<float, ${width}, true>(int)`, 7, ts, 10, { device: 0, stream: 7 });
  await openTrace(page, { ...TRACE, traceEvents: [...TRACE.traceEvents, norm(32, 300), norm(128, 400)] });
  await page.$eval('#tab-kernels', (tab) => tab.click());
  await until(page, () => document.querySelectorAll('#panel-kernels tbody tr:not(.spacer)').length === 4);
  const names = (await rows(page)).map(([name]) => name);
  assert.deepEqual(names.filter((name) => name.startsWith('norm')).toSorted(), ['norm<float, 128>', 'norm<float, 32>']);
});

onPage('the kernels of a range', async ({ page }) => {
  await openTrace(page);
  await page.$eval('#tab-kernels', (tab) => tab.click());
  await until(page, () => document.querySelectorAll('#panel-kernels tbody tr:not(.spacer)').length === 2);
  // The last kernel alone: it is selected, and R makes a range of it.
  await page.$$eval('#panel-kernels tbody tr:not(.spacer)', (rows) => rows[1].click());
  await untilField(page, 'op');
  await page.keyboard.press('r');
  await untilField(page, 'r');
  await page.$eval('#tab-kernels[aria-selected="false"]', (tab) => tab.click()).catch(() => undefined);
  await until(page, () => document.querySelectorAll('#panel-kernels tbody tr:not(.spacer)').length === 1);
  assert.match(await page.$eval('.kernels-sentence', (own) => own.textContent), /^1 kernel of 1 name took/);
});

onTrace(fixture('ps4w.pb'), 'a trace without a GPU has no such tab', async ({ page }) => {
  assert.equal(await page.$eval('#tab-kernels', (tab) => tab.hidden), true);
});
