// The licences of what others wrote can be read in the help sheet: of the hosted page, and of the page as one file.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { faultsOf } from './axe.mjs';
import { DIST, ROOT } from './site.mjs';
import { browser, onPage } from './stage.mjs';
import { test } from 'node:test';
import { visit } from './steplens.mjs';

const wanted = await readFile(path.join(ROOT, 'www/licences.txt'), 'utf8');

async function licencesIn(page) {
  await page.keyboard.press('?');
  await page.waitForSelector('#help[open]');
  await page.click('.help-licences summary');
  await page.waitForFunction(() => document.querySelector('.help-licences pre').textContent.includes('Permission is hereby granted'));
  assert.deepEqual(await faultsOf(page), []);
  return page.$eval('.help-licences pre', (text) => text.textContent);
}

onPage('the hosted page reads them when they are asked for', async ({ page, requests }) => {
  assert.ok(!requests.some((url) => url.endsWith('licences.txt')));
  assert.equal(await licencesIn(page), wanted);
});

test('the single file carries them', async () => {
  const visited = await visit(browser, pathToFileURL(path.join(DIST, 'steplens.html')).href);
  assert.equal(await licencesIn(visited.page), wanted);
  assert.deepEqual(await visited.faults(), []);
  await visited.page.close();
});
