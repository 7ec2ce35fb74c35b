// Bytes in a shared page are letters of UTF-16: each of them comes back from a document, in Chromium and in Firefox.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { chromium, firefox } from './browsers.mjs';
import { serveSite } from './site.mjs';

let host, folder;
before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'steplens-letters-'));
  // It says of every page that it is UTF-8.
  host = await serveSite(folder);
});
after(async () => {
  await host?.close();
  await rm(folder, { recursive: true, force: true });
});

/** All that `www/src/engine/text_utf16.ts` may write: units that are kept, and pairs of the number of another and a byte. It runs in the page, too. */
function everyLetter() {
  const lost = [0x00, 0x0d, 0x3c, 0xfeff, 0xfffe, 0xffff];
  const letters = [];
  for (let unit = 0; unit < 0x10000; unit++) {
    if ((unit < 0xd800 || unit >= 0xe000) && !lost.includes(unit)) letters.push(String.fromCharCode(unit));
  }
  const numbers = [...Array(0x800 + lost.length).keys(), 0xfff];
  for (const number of numbers) for (let byte = 0; byte < 0x100; byte++) letters.push(String.fromCodePoint(0x10000 + number * 0x100 + byte));
  return letters.join('');
}

/** The place of the first unit that is another one in the document's element, or -1. */
function firstChanged(everyLetter) {
  const wanted = new Function(`return (${everyLetter})()`)();
  const got = document.getElementById('letters').textContent;
  for (let at = 0; at < wanted.length; at++) if (got.charCodeAt(at) !== wanted.charCodeAt(at)) return at;
  return got.length === wanted.length ? -1 : wanted.length;
}

for (const [name, start] of Object.entries({ Chromium: chromium, Firefox: firefox })) {
  test(`every letter comes back in ${name}, from disk and from a host`, async () => {
    const html = `\ufeff<!doctype html><meta charset="utf-8"><title>Letters</title><script type="application/gzip" id="letters">${everyLetter()}</script>`;
    await writeFile(path.join(folder, 'letters.html'), Buffer.from(html, 'utf16le'));
    const browser = await start();
    try {
      const page = await browser.newPage();
      for (const from of [pathToFileURL(`${folder}/`).href, host.url]) {
        await page.goto(`${from}letters.html`);
        assert.equal(await page.evaluate(() => document.characterSet), 'UTF-16LE', from);
        assert.equal(await page.evaluate(firstChanged, everyLetter.toString()), -1, from);
      }
    } finally {
      await browser.close();
    }
  });
}
