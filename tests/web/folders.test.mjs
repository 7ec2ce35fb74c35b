// A folder dropped on the page: everything in it that holds a trace opens, by its path.

import assert from 'node:assert/strict';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { chromium } from './browsers.mjs';
import { fixture, serveSite } from './site.mjs';
import { summary, visit, waitForReady } from './steplens.mjs';

/** Drops files or folders of the disk, as a file manager does. */
async function drop(page, ...files) {
  const client = await page.createCDPSession();
  const data = { items: [], files, dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop']) await client.send('Input.dispatchDragEvent', { type, x: 400, y: 400, data });
}

test('a dropped folder opens with the folders in it', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'steplens-folder-'));
  await mkdir(path.join(folder, 'runs/one'), { recursive: true });
  await copyFile(fixture('multidev.pb'), path.join(folder, 'runs/one/step_10.pb'));
  await copyFile(fixture('collective.pb'), path.join(folder, 'runs/one/step_9.pb'));
  await writeFile(path.join(folder, 'runs/notes.txt'), 'nothing to see here');
  await writeFile(path.join(folder, 'runs/.hidden'), '');
  const site = await serveSite();
  const browser = await chromium();
  try {
    const { page, faults } = await visit(browser, site.url);
    await waitForReady(page, () => drop(page, path.join(folder, 'runs')));
    const { files } = await summary(page);
    assert.deepEqual(files.map(({ name, format }) => [name, format]), [
      ['runs/notes.txt', 'unreadable'],
      ['runs/one/step_9.pb', 'run-metadata'],
      ['runs/one/step_10.pb', 'run-metadata'],
    ]);
    assert.deepEqual(await faults(), []);
  } finally {
    await browser.close();
    await site.close();
    await rm(folder, { recursive: true, force: true });
  }
});
