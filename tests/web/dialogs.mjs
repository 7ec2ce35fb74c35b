// What the tests of the dialogs that save have in common: files that are kept in place of a download, and a look at every width in every language.

import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { faultsOf } from './axe.mjs';
import { layoutFaults } from './layout_faults.mjs';
import { fixture } from './site.mjs';
import { browser, site } from './stage.mjs';
import { openFiles, visit } from './steplens.mjs';

const HAN = /\p{Script=Han}/u;
export const readsChinese = () => Object.defineProperty(Navigator.prototype, 'languages', { get: () => ['zh-CN', 'zh', 'en'] });

/** Before the page runs: keeps what it offers, with its name, in place of a download. */
export const keepBlobs = () => {
  const blobs = new Map();
  const create = URL.createObjectURL;
  URL.createObjectURL = (blob) => {
    const url = create(blob);
    blobs.set(url, blob);
    return url;
  };
  window.offered = [];
  const { click } = HTMLAnchorElement.prototype;
  HTMLAnchorElement.prototype.click = function () {
    if (this.download) window.offered.push({ name: this.download, blob: blobs.get(this.href) });
    else click.call(this);
  };
};

/** How many files were offered. */
export const offered = (page) => page.evaluate(() => window.offered.length);

/** The last file that was offered. */
export async function lastOffered(page) {
  const { name, type, base64 } = await page.evaluate(async () => {
    const { name, blob } = window.offered.at(-1);
    const bytes = new Uint8Array(await blob.arrayBuffer());
    let text = '';
    for (let at = 0; at < bytes.length; at += 32_768) text += String.fromCharCode(...bytes.subarray(at, at + 32_768));
    return { name, type: blob.type, base64: btoa(text) };
  });
  return { name, type, bytes: Buffer.from(base64, 'base64') };
}

/** Presses the button of the dialog `id` that saves, and gives the file that is offered then. */
export async function savedBy(page, id) {
  const before = await offered(page);
  // Not where the button is: it moves when the size of the file becomes known.
  await page.$eval(`#${id} .primary`, (button) => button.click());
  await page.waitForFunction((before) => window.offered.length > before, {}, before);
  return lastOffered(page);
}

export const untilClosed = (page) => page.waitForFunction(() => document.querySelector('dialog[open]') === null);

/** Tests that nothing of the dialog `id` is cut. */
export function testNothingIsCut(id, openDialog) {
  for (const [language, prepare] of [['en', null], ['zh-CN', readsChinese]]) {
    test(`nothing of the dialog is cut, in ${language}, on wide and narrow screens`, async () => {
      const { page } = await visit(browser, site.url, { prepare });
      await openFiles(page, fixture('ps4w.pb'));
      for (const [width, height] of [[1600, 900], [900, 700], [390, 844]]) {
        await page.setViewport({ width, height });
        await openDialog(page);
        assert.equal(HAN.test(await page.$eval(`#${id}`, (dialog) => dialog.innerText)), language !== 'en');
        assert.deepEqual((await layoutFaults(page)).filter((fault) => fault.includes(`#${id}`)), [], `${width} px`);
        if (process.env.STEPLENS_SHOTS) await page.screenshot({ path: path.join(process.env.STEPLENS_SHOTS, `${id}-${language}-${width}.png`) });
        assert.deepEqual(await faultsOf(page), []);
        await page.keyboard.press('Escape');
        await untilClosed(page);
      }
      await page.close();
    });
  }
}
