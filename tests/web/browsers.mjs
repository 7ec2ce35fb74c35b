// Starts the real browsers that the page is tested in.

import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './site.mjs';

// The npm packages live beside the front-end.
const resolve = createRequire(path.join(ROOT, 'www/package.json')).resolve;
const { default: puppeteer, ElementHandle, Frame } = await import(pathToFileURL(resolve('puppeteer-core')).href);

/** Waits until an element has been at one place for two frames, but not for long: pages that are not in front have no frames. */
async function rest(element) {
  const placeOf = () => Object.values(element.getBoundingClientRect().toJSON()).join();
  const frame = () => new Promise((resolve) => {
    requestAnimationFrame(resolve);
    setTimeout(resolve, 100);
  });
  let before = '';
  for (let same = 0, frames = 0; same < 2 && frames < 60; frames++) {
    await frame();
    const now = placeOf();
    same = now === before ? same + 1 : 0;
    before = now;
  }
}

const { click } = ElementHandle.prototype;
// A click goes to where the element was when it was asked for: what moves meanwhile is missed. A person waits, too.
ElementHandle.prototype.click = async function (...options) {
  await this.evaluate(rest);
  return click.apply(this, options);
};

const { waitForFunction } = Frame.prototype;
// Puppeteer looks at each frame that is drawn, and a page that is not in front draws none.
Frame.prototype.waitForFunction = function (condition, options, ...given) {
  return waitForFunction.call(this, condition, { polling: 20, ...options }, ...given);
};

/** Longer than anything here takes on a slow machine: it only bounds how long a broken test hangs. */
const PATIENCE_MS = 60_000;

const CHROMIUM_ARGS = [
  '--no-sandbox', // tests may run as root, where Chromium has no sandbox
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--force-device-scale-factor=1',
];

export const chromium = () => launch('chrome', process.env.STEPLENS_CHROMIUM ?? '/usr/bin/chromium', CHROMIUM_ARGS);
export const firefox = () => launch('firefox', process.env.STEPLENS_FIREFOX ?? '/usr/bin/firefox-esr', []);

async function launch(kind, executablePath, args) {
  const profile = await mkdtemp(path.join(os.tmpdir(), `steplens-${kind}-`));
  const browser = await puppeteer.launch({
    browser: kind,
    executablePath,
    headless: true,
    args,
    userDataDir: profile,
    defaultViewport: { width: 1600, height: 900 },
    protocolTimeout: PATIENCE_MS,
    timeout: PATIENCE_MS,
  });
  return {
    async newPage() {
      const page = await browser.newPage();
      page.setDefaultTimeout(PATIENCE_MS);
      return page;
    },
    /** The processes that pages live in; Chromium only. */
    async renderers() {
      const client = await browser.target().createCDPSession();
      const { processInfo } = await client.send('SystemInfo.getProcessInfo');
      await client.detach();
      return processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
    },
    async close() {
      await browser.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
