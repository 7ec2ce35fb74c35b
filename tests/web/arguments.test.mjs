// What the panel of the selected op says of an event of PyTorch's: its arguments, what it ran inside of, and nothing that was not recorded.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { untilSpoken } from './hands.mjs';
import { browser, site } from './stage.mjs';
import { chooseBytes, visit, waitForReady } from './steplens.mjs';

const event = (cat, name, ts, dur, args, tid = 7) => ({ ph: 'X', cat, name, pid: cat === 'kernel' ? 0 : 7, tid, ts, dur, args });
const STACK = Array.from({ length: 40 }, (_, line) => `model.py(${line}): <b>forward</b>`).join(';');
const TRACE = JSON.stringify({
  schemaVersion: 1,
  traceEvents: [
    event('python_function', 'nn.Module: Net_0', 90, 400, { 'Python id': 1 }),
    event('cpu_op', 'aten::conv2d', 100, 200, { 'External id': 11, 'Input Dims': [[64, 3, 224, 224], []], 'Input type': ['float', 'Scalar'], 'Call stack': STACK }),
    event('cpu_op', 'aten::empty', 110, 10, { 'External id': 12 }),
    event('cpu_op', 'aten::cudnn_convolution', 125, 100, { 'External id': 13, 'Input Dims': [[64, 3, 224, 224]] }),
    event('cuda_runtime', 'cudaLaunchKernel', 150, 20, { correlation: 900 }),
    event('kernel', 'conv_kernel', 180, 263, { stream: 20, correlation: 900, 'registers per thread': 128, grid: [32, 4, 1], block: [256, 1, 1], 'est. achieved occupancy %': 31 }, 20),
  ],
});

test('the selected op says what its event says', async () => {
  const { page, faults } = await visit(browser, site.url);
  await waitForReady(page, () => chooseBytes(page, [{ name: 'torch.json', bytes: new TextEncoder().encode(TRACE) }]));
  const select = async (name) => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await page.keyboard.type(name);
    await page.keyboard.press('Enter');
    await untilSpoken(page, new RegExp(`^Selected ${name}`));
  };
  const block = (title) => page.$$eval('#panel-selection .block', (blocks, title) => blocks.find((block) => block.querySelector('h3').textContent.startsWith(title))?.textContent ?? '', title);
  await select('aten::cudnn_convolution');
  assert.match(await block('Recorded'), /module *Net_0.*shapes.*64, 3, 224, 224.*Also recorded.*External id *13/s);
  assert.match(await block('On its thread'), /inside of.*aten::conv2d.*after.*aten::empty/s);
  assert.doesNotMatch(await block('Times'), /kernel/);
  assert.match(await block('Times'), /runs for/);
  assert.doesNotMatch(await block('As recorded'), /= aten/);
  await select('aten::conv2d');
  assert.match(await block('Recorded'), /types.*float.*stack.*<b>forward<\/b>/s);
  assert.equal(await page.$('#panel-selection .long-value b'), null, 'names are text');
  await select('conv_kernel');
  assert.match(await block('Recorded'), /grid.*32, 4, 1.*block.*256, 1, 1.*registers.*128.*occupancy.*31.*stream.*20.*correlation.*900/s);
  assert.match(await block('As recorded'), /node.*conv_kernel.*stream/s, 'kernels are on streams, not on threads');
  assert.deepEqual(await faults(), []);
  await page.close();
});
