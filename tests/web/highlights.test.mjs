// What matters most, above the timeline: the sentences say what the core found, and a click shows it.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { faultsOf } from './axe.mjs';
import { open } from './core.mjs';
import { untilField } from './hands.mjs';
import { fixture } from './site.mjs';
import { browser, site } from './stage.mjs';
import { openFiles, visit } from './steplens.mjs';

let core;
before(async () => {
  core = await open(fixture('ps4w.pb'));
});
after(() => core?.session.free());

const sentences = (page) => page.$$eval('.highlight', (all) => all.map((one) => one.textContent.replace(/\s/g, ' ')));

test('three sentences say what matters most, and each shows it', async () => {
  const found = JSON.parse(core.session.highlights());
  const { page } = await visit(browser, site.url);
  await page.setViewport({ width: 1600, height: 900 });
  await openFiles(page, fixture('ps4w.pb'));
  await page.waitForSelector('.highlight');
  const [straggler, wait, op_type, ...more] = await sentences(page);
  assert.deepEqual(more, []);
  assert.equal(straggler, 'worker 0 finished last, 15.85 ms after worker 1: net/tower_0/Relu started late');
  assert.match(wait, /^worker 3 waited 12\.41 ms for net\/mixed_7\/b2b\/w from ps 0$/);
  // A long name is cut; the title has all of it.
  assert.match(op_type, /^_MklNativeConv2DBack\S*… took 32\.2 % of compute \(147\.4 ms\)$/);
  assert.ok((await page.$eval('.highlight-op-type', (own) => own.title)).startsWith(`${found.op_type.op_type} took `));
  // Whole at this width, and all in one line.
  assert.equal(found.straggler.cause.op.name, 'net/tower_0/Relu');
  const cut = await page.$$eval('.highlight', (all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent));
  assert.deepEqual(cut, []);
  assert.deepEqual(await faultsOf(page), []);

  // The straggler leads to its root cause and why that was late.
  await page.click('.highlight-straggler');
  await untilField(page, 'op', String(found.straggler.cause.op.op));
  await page.waitForSelector('#panel-selection', { visible: true });
  await page.click('.highlight-wait');
  await untilField(page, 'op', String(found.wait.worst));
  await page.close();
});

test('an idle GPU is named as long as nothing of it ran', async () => {
  const gpu = await open(fixture('gpu/kernels.pb'));
  const found = JSON.parse(gpu.session.highlights());
  gpu.session.free();
  const { page } = await visit(browser, site.url);
  await openFiles(page, fixture('gpu/kernels.pb'));
  await page.waitForSelector('.highlight');
  assert.ok(found.idle.idle_ns > found.span_ns / 10);
  assert.match((await sentences(page)).find((one) => one.includes('idle')), /^GPU\S* was idle for [\d.]+ .?s \(\d+\.\d %\)$/);
  await page.close();
});

test('in a narrow window the sentences scroll in one line', async () => {
  const { page } = await visit(browser, site.url);
  await page.setViewport({ width: 390, height: 844 });
  await openFiles(page, fixture('ps4w.pb'));
  await page.waitForSelector('.highlight');
  const line = await page.$eval('.highlights', (list) => ({ height: list.clientHeight, over: list.scrollWidth > list.clientWidth, right: list.getBoundingClientRect().right }));
  assert.ok(line.height < 40 && line.over && line.right <= 390, JSON.stringify(line));
  await page.close();
});
