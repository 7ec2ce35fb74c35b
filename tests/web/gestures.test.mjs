// Gestures of other viewers, chosen in the help sheet: the wheel that zooms, a drag that selects, the keys of speedscope.

import assert from 'node:assert/strict';
import { faultsOf } from './axe.mjs';
import { boxOf, fields, until, untilField, untilRest } from './hands.mjs';
import { fixture } from './site.mjs';
import { onTrace } from './stage.mjs';

async function choose(page, gestures) {
  await page.keyboard.press('?');
  await page.waitForSelector('#help[open] .help-gestures');
  await page.select('.help-gestures', gestures);
  const said = await page.$eval('#help', (help) => help.innerText);
  assert.deepEqual(await faultsOf(page), []);
  await page.keyboard.press('Escape');
  await until(page, () => !document.querySelector('#help[open]'));
  return said;
}

const windowOf = async (page) => ((await fields(page)).w ?? null)?.split(',').map(Number) ?? null;

async function dragOverLanes(page) {
  const { x: left, y: top, width, height } = await boxOf(page, 'canvas.lanes');
  await page.mouse.move(left + width * 0.3, top + height * 0.5);
  await page.mouse.down();
  await page.mouse.move(left + width * 0.6, top + height * 0.5, { steps: 5 });
  await page.mouse.up();
  await untilRest(page);
}

onTrace(fixture('ps4w.pb'), 'the wheel zooms where the user wants it to, also after the page is loaded again', async ({ page }) => {
  const { x: left, y: top, width, height } = await boxOf(page, 'canvas.lanes');
  await page.mouse.move(left + width / 2, top + height / 2);
  await page.mouse.wheel({ deltaY: -300 });
  await untilRest(page);
  assert.equal(await windowOf(page), null, 'the wheel scrolls');
  await choose(page, 'wheel-zoom');
  await page.mouse.move(left + width / 2, top + height / 2);
  await page.mouse.wheel({ deltaY: -300 });
  await untilField(page, 'w');
  const [start, end] = await windowOf(page);
  assert.ok(end - start < 339e6 * 0.9, `zoomed in to ${end - start}`);
  assert.equal(await page.evaluate(() => localStorage.getItem('steplens.gestures')), 'wheel-zoom');
  await page.reload();
  // A key that is pressed while the page is loading its later part is nobody's.
  await until(page, () => performance.getEntriesByName('steplens:later').length > 0);
  await page.keyboard.press('?');
  await page.waitForSelector('#help[open] .help-gestures');
  assert.equal(await page.$eval('.help-gestures', (select) => select.value), 'wheel-zoom');
});

onTrace(fixture('ps4w.pb'), 'a drag selects as in Perfetto, and keys zoom as in speedscope', async ({ page }) => {
  await dragOverLanes(page);
  assert.equal((await fields(page)).r, undefined, 'a drag moves the view');
  const perfetto = await choose(page, 'perfetto');
  assert.match(perfetto, /select a time range/);
  await dragOverLanes(page);
  await untilField(page, 'r');
  await page.keyboard.press('Escape');
  const speedscope = await choose(page, 'speedscope');
  assert.doesNotMatch(speedscope, /taller or lower lanes[\s\S]*fit lanes/);
  const before = await windowOf(page);
  await page.keyboard.press('+');
  await untilRest(page);
  await until(page, (before) => new URLSearchParams(location.hash.slice(1)).get('w') !== before, before?.join(',') ?? null);
});
