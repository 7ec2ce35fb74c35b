// The tab Flame in Chromium: bars and names say what the core says; a click goes into a bar, a name shows what is around it, keys walk.

import assert from 'node:assert/strict';
import { faultsOf } from './axe.mjs';
import { until } from './hands.mjs';
import { fixture } from './site.mjs';
import { onPage } from './stage.mjs';
import { chooseBytes, openFiles, waitForReady } from './steplens.mjs';

const event = (cat, name, tid, ts, dur, args = {}) => ({ ph: 'X', cat, name, pid: tid === 7 ? 0 : 10, tid, ts, dur, args });
const HOSTILE = '<img src=x onerror="window.hit=1">';
const TRACE = {
  schemaVersion: 1,
  traceEvents: [
    event('python_function', 'nn.Module: Linear_0', 1, 100, 100),
    event('cpu_op', 'aten::mm', 1, 110, 80),
    event('cuda_runtime', 'cudaLaunchKernel', 1, 130, 20, { correlation: 1 }),
    event('cpu_op', HOSTILE, 1, 220, 10),
    event('kernel', 'gemm', 7, 150, 60, { correlation: 1, device: 0, stream: 7 }),
  ],
};

const names = (page) => page.$$eval('#panel-flame tbody tr:not(.spacer)', (rows) => rows.map((row) => row.cells[0].textContent));
const path = (page) => page.$eval('.flame-path', (own) => own.textContent);
const said = (page) => page.$eval('.flame-said', (own) => own.textContent.replaceAll('\u00a0', ' '));
const openTrace = async (page) => {
  await waitForReady(page, () => chooseBytes(page, [{ name: 'gpu.json', bytes: new TextEncoder().encode(JSON.stringify(TRACE)) }]));
  await page.$eval('#tab-flame', (tab) => tab.click());
  await until(page, () => document.querySelectorAll('#panel-flame tbody tr:not(.spacer)').length === 4);
};
/** Where a bar is: bars at the bottom share the width, so its middle is a share of it. */
const clickAt = async (page, share, row) => {
  const box = await (await page.$('.flame-canvas')).boundingBox();
  await page.mouse.click(box.x + box.width * share, box.y + row * 20 + 10);
};

onPage('bars on one another, and the time of each name', async ({ page }) => {
  await page.setViewport({ width: 1600, height: 1000 });
  await openTrace(page);
  assert.deepEqual(await names(page), ['aten::mm', 'cudaLaunchKernel', 'Linear_0', HOSTILE]);
  assert.equal(await page.evaluate(() => globalThis.hit), undefined);
  assert.deepEqual(await faultsOf(page), []);
  // 100 of 110 µs are the module's.
  const colors = await page.$eval('.flame-canvas', (canvas) => {
    const at = (share, row) => {
      const ratio = canvas.width / canvas.clientWidth;
      const pixel = canvas.getContext('2d').getImageData(canvas.width * share, (row * 20 + 3) * ratio, 1, 1).data;
      return [...pixel].join();
    };
    return { module: at(0.5, 0), operator: at(0.7, 1), launch: at(0.1, 2), other: at(0.95, 0), nothing: at(0.95, 1) };
  });
  assert.equal(new Set([colors.module, colors.operator, colors.launch]).size, 3);
  assert.equal(colors.other, colors.operator, 'both compute');
  assert.equal(colors.nothing, '0,0,0,0');

  await clickAt(page, 0.5, 1);
  await until(page, () => document.querySelector('.flame-path').textContent.includes('aten::mm'));
  assert.match(await path(page), /^All›Linear_0›aten::mm/);
  await page.$eval('.flame-path button', (all) => all.click());
  await until(page, () => document.querySelector('.flame-path').textContent === '');

  // What is around one name.
  await page.$$eval('#panel-flame tbody tr:not(.spacer)', (rows) => rows.find((row) => row.textContent.includes('cudaLaunchKernel')).cells[0].click());
  await until(page, () => document.querySelector('.flame-path').textContent.includes('every cudaLaunchKernel'));
  const box = await (await page.$('.flame-canvas')).boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + 30);
  await until(page, () => document.querySelector('.flame-said').textContent.startsWith('aten::mm'));
  assert.equal(await said(page), 'aten::mm: 20.00 µs, of which 0 ns itself, 1 time; launched 60.00 µs of GPU time');
});

onPage('keys walk, go into a bar and back', async ({ page }) => {
  await page.setViewport({ width: 1280, height: 800 });
  await openTrace(page);
  await page.focus('.flame-canvas');
  await until(page, () => document.querySelector('.flame-said').textContent.startsWith('Linear_0'));
  await page.keyboard.press('ArrowRight');
  await until(page, () => document.querySelector('.flame-said').textContent.startsWith('<img'));
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowDown');
  await until(page, () => document.querySelector('.flame-said').textContent.startsWith('aten::mm'));
  await page.keyboard.press('Enter');
  await until(page, () => document.querySelector('.flame-path').textContent.includes('aten::mm'));
  await page.keyboard.press('Backspace');
  await until(page, () => document.querySelector('.flame-path').textContent === 'AllLinear_0' || !document.querySelector('.flame-path').textContent.includes('aten::mm'));
  // As wide as the time of GPUs: what launched nothing has no bar.
  await page.select('#panel-flame select:nth-of-type(2)', 'gpu');
  await until(page, () => document.querySelector('.flame-sentence').textContent.includes('launched'));
  await page.select('#panel-flame select:nth-of-type(1)', 'ops');
  await until(page, () => document.querySelector('.flame-path').textContent === '');
});

onPage('name scopes of RunMetadata, without transfers, and its keyboard', async ({ page }) => {
  await page.setViewport({ width: 1600, height: 1000 });
  await openFiles(page, fixture('ps4w.pb'));
  await page.$eval('#tab-flame', (tab) => tab.click());
  await until(page, () => /^\d+ names took/.test(document.querySelector('.flame-sentence')?.textContent ?? ''));
  assert.match(await said(page), /^991 transfers are left out/);
  await page.keyboard.press('Escape');
  await page.focus('.flame-canvas');
  await page.keyboard.press('ArrowDown');
  await until(page, () => !document.querySelector('.flame-said').textContent.includes('left out'));
});
