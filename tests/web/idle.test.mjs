// A page that nobody touches draws no frame, and the page follows what the user's system asks for.

import assert from 'node:assert/strict';
import { habit } from './habits.mjs';
import { boxOf, until, untilField, searchFor, untilSpoken } from './hands.mjs';
import { idleFrames } from './measure.mjs';

/** No frame is drawn, and none is asked for, once the browser keeps the trace and nothing is left to ask ahead. */
async function assertIdle(page) {
  for (const mark of ['steplens:kept', 'steplens:ahead']) {
    await until(page, (mark) => performance.getEntriesByName(mark).length > 0, mark);
  }
  assert.deepEqual(await idleFrames(page), { drawn: 0, asked: 0 });
}

/** The page asks ahead as long as nobody touches it. */
const UNTOUCHED = () => ({ ahead: true });

habit('an open trace that is looked at draws no frame', async ({ page }) => {
  await assertIdle(page);
}, UNTOUCHED);

habit('nor does one with a selection, a range, a search and the pointer over it', async ({ page, box }) => {
  await page.keyboard.press('.');
  await untilField(page, 'op');
  await page.keyboard.press('r');
  await untilField(page, 'r');
  await searchFor(page, 'MatMul');
  await untilSpoken(page, / for MatMul$/);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await assertIdle(page);
}, UNTOUCHED);

habit('nor does one that was moved by hand, once the hand rests', async ({ page, box, window }) => {
  await page.mouse.move(box.x + 300, box.y + 100);
  await page.mouse.down();
  await page.mouse.move(box.x + 500, box.y + 140, { steps: 5 });
  await page.mouse.up();
  await until(page, (before) => new URLSearchParams(location.hash.slice(1)).get('w') !== before, window.join(','));
  await assertIdle(page);
}, UNTOUCHED);

habit('a drag and a tap of a key draw only a few frames', async ({ page, box }) => {
  await idleFrames(page);
  await page.evaluate(() => performance.clearMeasures('steplens:frame'));
  await page.mouse.move(box.x + 300, box.y + 100);
  await page.keyboard.press('0');
  await untilField(page, 'w', null);
  await idleFrames(page);
  const drawn = await page.evaluate(() => performance.getEntriesByName('steplens:frame').length);
  assert.ok(drawn > 0 && drawn < 20, `${drawn} frames`);
});

const background = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);

habit('the colours follow the system, on the page and on the canvas, while it is open', async ({ page }) => {
  const scheme = async (value) => {
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }]);
    await until(page, (dark) => {
      const canvas = document.querySelector('canvas.lanes');
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      // The ground of the lanes, which is grey, and most of what is.
      let [darker, lighter] = [0, 0];
      for (let at = 0; at < data.length; at += 4) {
        const [r, g, b] = data.subarray(at, at + 3);
        if (data[at + 3] < 255 || Math.max(r, g, b) - Math.min(r, g, b) > 12) continue;
        if (r + g + b < 3 * 128) darker++;
        else lighter++;
      }
      return darker + lighter === 0 || darker > lighter === dark;
    }, value === 'dark');
    return background(page);
  };
  const [light, dark] = [await scheme('light'), await scheme('dark')];
  assert.notEqual(light, dark);
  assert.equal(await scheme('light'), light);
});

habit('nothing moves by itself for those who asked for less motion', async ({ page }) => {
  await page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]);
  const moving = () => page.evaluate(() => [...document.querySelectorAll('*')].filter((element) => {
    const { animationName, transitionDuration } = getComputedStyle(element);
    return animationName !== 'none' || Number.parseFloat(transitionDuration) > 0;
  }).map((element) => element.className));
  assert.deepEqual(await moving(), []);
  await page.keyboard.press('?');
  await page.waitForSelector('dialog[open]');
  assert.deepEqual(await moving(), []);
});

habit('a window that is made smaller or larger keeps the whole page in it', async ({ page }) => {
  for (const [width, height] of [[900, 700], [800, 450], [1600, 900], [3840, 2160]]) {
    await page.setViewport({ width, height });
    // The canvases follow the window a frame later.
    await until(page, (width) => {
      const { scrollWidth, scrollHeight } = document.documentElement;
      const { right } = document.querySelector('canvas.lanes').getBoundingClientRect();
      // In a wide window the drawer is next to the lanes.
      const drawer = document.querySelector('.at-side > .drawer')?.offsetWidth ?? 0;
      return scrollWidth <= innerWidth && scrollHeight <= innerHeight && right > width - drawer - 40;
    }, width);
    const lanes = await boxOf(page, 'canvas.lanes');
    assert.ok(lanes.height > 80, `${lanes.height} pixels are left for the lanes of ${width} by ${height}`);
  }
});
