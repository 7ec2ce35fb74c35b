// The header and the bars at the widths that people have: what is shown is whole, and says what it is.

import assert from 'node:assert/strict';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { until, untilRest } from './hands.mjs';
import { fixture } from './site.mjs';
import { browser, site } from './stage.mjs';
import { openFiles, visit } from './steplens.mjs';

const WIDTHS = [390, 768, 900, 1280, 1600];

/** The page in `language` with `files` open. */
async function opened(language, files) {
  const { page } = await visit(browser, site.url, { prepare: `localStorage.setItem('steplens.language', '${language}')` });
  await openFiles(page, ...files);
  return page;
}

for (const language of ['en', 'zh-CN']) {
  test(`${language}: the number of problems stands in the header, with steps and long names of files`, async (t) => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'steplens-widths-'));
    t.after(() => rm(folder, { recursive: true, force: true }));
    const long = path.join(folder, `${'a-long-name-of-a-run-'.repeat(5)}.pb`);
    await copyFile(fixture('ps4w-skewed.pb'), long);
    for (const files of [[fixture('ps4w-skewed.pb'), fixture('ps4w-later.pb')], [long, fixture('ps4w-later.pb')], [long]]) {
      const page = await opened(language, files);
      await until(page, () => /^[1-9]/.test(document.querySelector('.fact.warning:not([hidden])')?.textContent ?? ''));
      for (const width of WIDTHS) {
        await page.setViewport({ width, height: 700 });
        await untilRest(page);
        const faults = await page.evaluate(() => {
          const shown = document.querySelector('.fact.warning').getBoundingClientRect();
          const about = document.querySelector('.about').getBoundingClientRect();
          const { bottom } = document.querySelector('.header').getBoundingClientRect();
          const parts = [...document.querySelectorAll('.header > :not([hidden])')].map((part) => part.getBoundingClientRect());
          const overlap = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
          return [
            shown.width === 0 && 'no room',
            (shown.left < about.left - 1 || shown.right > about.right + 1) && `${shown.left} to ${shown.right} is not in ${about.left} to ${about.right}`,
            (shown.top < 0 || shown.bottom > bottom) && `${shown.bottom} is below ${bottom}`,
            document.documentElement.scrollWidth > innerWidth && 'the page is wider than the window',
            parts.some((a, at) => parts.some((b, other) => other > at && overlap(a, b))) && 'parts of the header lie on each other',
          ].filter(Boolean);
        });
        assert.deepEqual(faults, [], `${files.length} files at ${width}`);
      }
      await page.close();
    }
  });

  test(`${language}: each part of the split has its noun, share and time, and none of it is cut`, async () => {
    const page = await opened(language, [fixture('ps4w.pb')]);
    await page.waitForSelector('.legend-item .figure:not(:empty)');
    for (const width of WIDTHS) {
      await page.setViewport({ width, height: 900 });
      await untilRest(page);
      const labels = await page.$$eval('.legend-item, .legend-idle', (labels) => labels.map((label) => {
        const box = label.getBoundingClientRect();
        const bar = label.classList.contains('in-bar') ? label.parentElement.getBoundingClientRect() : box;
        const cut = [...label.children].some((part) => {
          const { left, right, width } = part.getBoundingClientRect();
          return width > 0 && (right > Math.min(box.right, bar.right) + 1 || left < box.left - 1 || part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0);
        });
        return { is_whole: ['.legend-name', '.part-share', '.figure'].every((part) => label.querySelector(part).textContent !== ''), cut, text: label.textContent };
      }));
      assert.equal(labels.length, 3);
      assert.deepEqual(labels.filter(({ is_whole, cut }) => cut || !is_whole), [], `at ${width}`);
      // What is in the bar is as wide as its share, and what is not has a segment all the same.
      const wide = await page.$$eval('.legend .split-bar > .part', (parts) => parts.map((part) => part.getBoundingClientRect().width));
      assert.equal(wide.length, 3);
      const shares = labels.map(({ text }) => Number(/([\d.]+)\s%/.exec(text)[1]) / 100).sort();
      const sum = wide.reduce((sum, own) => sum + own, 0);
      wide.sort((one, other) => one - other).forEach((own, at) => assert.ok(Math.abs(own / sum - shares[at]) < 0.01, `${wide} are ${shares}`));
    }
    await page.close();
  });
}

test('no key is hinted at where there is none', async () => {
  const page = await opened('en', [fixture('ps4w.pb')]);
  const isHinted = () => page.$eval('.search-hint', (hint) => hint.checkVisibility());
  assert.equal(await isHinted(), true);
  await page.setViewport({ width: 390, height: 844, hasTouch: true, isMobile: true });
  await untilRest(page);
  assert.equal(await isHinted(), false);
  await page.close();
});
