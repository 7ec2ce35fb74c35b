// An opening is cancelled in each of its phases, also when the worker has finished and the page has not heard of it: what was open before is open again,
// at once, and answers as before.

import assert from 'node:assert/strict';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { until } from './hands.mjs';
import { fixture } from './site.mjs';
import { browser, site } from './stage.mjs';
import { errorCode, openFiles, state, summary, visit, waitForReady } from './steplens.mjs';
import { is_thorough } from './thorough.mjs';

/** Runs in the document before the page does: `window.onheard` sees what workers say before the page does. */
function listenToWorkers() {
  const Own = window.Worker;
  window.onheard = () => undefined;
  window.Worker = class extends Own {
    set onmessage(hear) {
      super.onmessage = (event) => {
        window.onheard(event.data);
        hear(event);
      };
    }
  };
}

async function onHeard(name, body) {
  test(name, async () => {
    const { page, faults } = await visit(browser, site.url, {
      prepare: listenToWorkers,
    });
    try {
      await body(page);
      assert.deepEqual(await faults(), []);
    } finally {
      await page.close();
    }
  });
}

/** When the worker first says that it is at the phase `wanted`, or has the picture, cancels in the very task: by Escape, or by the button. */
const cancelAt = (page, wanted, by) =>
  page.evaluate(
    (wanted, by) => {
      const phaseOf = (data) =>
        data.kind === 'progress'
          ? data.progress.phase
          : data.kind !== 'answer'
            ? ''
            : data.answer?.whole
              ? 'picture'
              : data.answer?.files
                ? 'counted'
                : '';
      window.cancelled = null;
      window.onheard = (data) => {
        if (window.cancelled || phaseOf(data) !== wanted) return;
        window.cancelled = { frames: 0 };
        if (by === 'Escape') document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
        else [...document.querySelectorAll('.loading button')].find((own) => own.textContent.trim() === 'Cancel').click();
        const count = () => {
          if (document.body.dataset.state === 'loading') {
            window.cancelled.frames++;
            requestAnimationFrame(count);
          } else window.cancelled.is_over = true;
        };
        requestAnimationFrame(count);
      };
    },
    wanted,
    by,
  );

/** What the worker says of the open trace, not what the page remembers: how many ops match. */
async function matches(page) {
  const search = (words) =>
    page.$eval(
      'input[type="search"]',
      (box, words) => {
        box.value = words;
        box.dispatchEvent(new Event('input', { bubbles: true }));
      },
      words,
    );
  await search('');
  await until(page, () => document.querySelector('.search-count').textContent === '');
  await search('a');
  await until(page, () => document.querySelector('.search-count').textContent !== '');
  return page.$eval('.search-count', (count) => count.textContent);
}

/** The trace that is open before, what is said of it, and what the worker finds in it. */
async function openedBefore(page) {
  await openFiles(page, fixture('mnist-adam.pb'));
  const before = { said: await summary(page), found: await matches(page) };
  assert.match(before.found, /\d/);
  return before;
}

/** Whether the trace from before is open, on the page and in the worker, whose answers are of that one. */
async function isAsBefore(page, { said, found }) {
  assert.deepEqual([await state(page), await errorCode(page)], ['ready', null]);
  assert.deepEqual(await page.evaluate(() => window.steplens.summary()), said);
  assert.equal(await matches(page), found);
}

for (const phase of ['reading', 'arranging', 'picture']) {
  for (const by of ['Escape', 'button']) {
    onHeard(`opening is cancelled by ${by} while the worker is at: ${phase}`, async (page) => {
      const before = await openedBefore(page);
      await cancelAt(page, phase, by);
      await (await page.$('#open-file')).uploadFile(fixture('ps4w.pb'));
      await until(page, () => window.cancelled?.is_over);
      const frames = await page.evaluate(() => window.cancelled.frames);
      assert.ok(frames <= 2, `${frames} frames`);
      await isAsBefore(page, before);
      await waitForReady(page, async () => (await page.$('#open-file')).uploadFile(fixture('multidev.pb')));
      assert.notDeepEqual(await summary(page), before.said);
    });
  }
}

for (const phase of ['reading', 'arranging', 'counted']) {
  onHeard(`what was to be compared is cancelled while the worker is at: ${phase}`, async (page) => {
    const before = await openedBefore(page);
    await cancelAt(page, phase, 'Escape');
    await (await page.$('#compare-file')).uploadFile(fixture('ps4w.pb'));
    await until(page, () => window.cancelled?.is_over);
    await isAsBefore(page, before);
    assert.equal(await page.evaluate(() => document.querySelectorAll('canvas.lanes').length), 1);
  });
}

/** A step again and again, as a file of at least `bytes` bytes. */
async function large(folder, bytes) {
  const [step, file] = [await readFile(fixture('ps4w.pb')), path.join(folder, 'large.pb')];
  const out = await open(file, 'w');
  for (let written = 0; written < bytes; written += step.length) await out.write(step);
  await out.close();
  return file;
}

onHeard('a large file is cancelled while it is arranged, with a trace open and with none; the next one opens', async (page) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'steplens-cancel-'));
  try {
    const file = await large(folder, is_thorough ? 1 << 30 : 1 << 26);
    for (const after of ['empty', 'ready']) {
      await cancelAt(page, 'arranging', 'Escape');
      await (await page.$('#open-file')).uploadFile(file);
      await until(page, () => window.cancelled?.is_over);
      assert.deepEqual([await state(page), await errorCode(page)], [after, null]);
      assert.ok((await page.evaluate(() => window.cancelled.frames)) <= 2);
      await waitForReady(page, async () => (await page.$('#open-file')).uploadFile(fixture('multidev.pb')));
      assert.equal((await summary(page)).files[0].name, 'multidev.pb');
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});
