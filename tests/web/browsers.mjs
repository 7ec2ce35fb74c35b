// The real browsers that the page is tested in.

import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { keepCore } from './kept_core.mjs';
import { PUPPETEER } from './puppeteer.mjs';
import { UsedPages } from './used_pages.mjs';

const { default: puppeteer, ElementHandle, Frame } = await import(pathToFileURL(PUPPETEER).href);

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

const { clickablePoint } = ElementHandle.prototype;
// A click or a finger goes to where the element was when it was asked for: what moves meanwhile is missed. A person waits, too.
ElementHandle.prototype.clickablePoint = async function (...options) {
  await this.evaluate(rest);
  return clickablePoint.apply(this, options);
};

const { waitForFunction } = Frame.prototype;
// Puppeteer looks at each frame that is drawn, and a page that is not in front draws none.
Frame.prototype.waitForFunction = function (condition, options, ...given) {
  return waitForFunction.call(this, condition, { polling: 20, ...options }, ...given);
};

/** Longer than anything here takes on a slow machine: it only bounds how long a broken test hangs. */
const PATIENCE_MS = 60_000;

/** What is measured is measured in a browser as users have it. */
const FOR_FIGURES = Boolean(process.env.STEPLENS_BROWSERS_FOR_FIGURES);

/** No page of a test lives for long: its code is compiled quickly, to run slowly. That takes a fifth less of the processors than V8's own choice. */
const SHORT_LIVED = [
  '--liftoff-only',
  '--no-maglev',
  '--no-turbofan',
  '--no-flush-bytecode',
  '--scavenger-max-new-space-capacity-mb=64',
  // Three pages on two processors have none left for helpers of each.
  '--single-threaded',
];

const CHROMIUM_ARGS = [
  '--no-sandbox', // tests may run as root, where Chromium has no sandbox
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--force-device-scale-factor=1',
  // One process for all pages: see `keepCore`.
  ...(FOR_FIGURES ? [] : [`--js-flags=${SHORT_LIVED.join(' ')}`, '--process-per-site']),
];

const KINDS = {
  chrome: { program: process.env.STEPLENS_CHROMIUM ?? '/usr/bin/chromium', args: CHROMIUM_ARGS, protocol: 'cdp' },
  firefox: { program: process.env.STEPLENS_FIREFOX ?? '/usr/bin/firefox-esr', args: [], protocol: 'webDriverBiDi' },
};
const VIEWPORT = { width: 1600, height: 900 };

/** Starts a browser of its own; `browser` is Puppeteer's, `close` ends it and deletes its profile. */
export async function start(kind) {
  const { program, args } = KINDS[kind];
  const profile = await mkdtemp(path.join(os.tmpdir(), `steplens-${kind}-`));
  const browser = await puppeteer.launch({
    browser: kind,
    executablePath: program,
    headless: program.includes('headless') ? 'shell' : true,
    args,
    userDataDir: profile,
    defaultViewport: VIEWPORT,
    protocolTimeout: PATIENCE_MS,
    timeout: PATIENCE_MS,
  });
  return {
    browser,
    /** Where others connect to it. Firefox serves one at a time: this one goes. */
    async lend() {
      const endpoint = browser.wsEndpoint();
      if (kind === 'firefox' && browser.connected) await browser.disconnect();
      return endpoint;
    },
    async close() {
      if (browser.connected) await browser.close();
      else await ended(browser.process());
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Ends a process, and waits until it has. */
async function ended(process) {
  if (process.exitCode !== null || process.signalCode !== null) return;
  process.kill();
  await once(process, 'exit');
}

/** Pages are slower without it, and no less right: that is no reason for a test to fail, but to be told. */
function notKept(error) {
  console.log(`the compiled core is not kept: ${error.message}`);
  return null;
}

/** What a test does with a browser; `contexts` makes pages, and `close` ends what was begun. */
function handle(kind, browser, contexts, close) {
  const used = kind === 'chrome' && !FOR_FIGURES ? new UsedPages() : null;
  let core;
  const newPage = async () => {
    const page = await contexts.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    return page;
  };
  return {
    newPage,
    /** A page for `url` in a window like `viewport`, and what loads it once it is prepared: a new page, or one that a test has closed. */
    async pageFor(url, viewport = null) {
      const left = await used?.take(url, viewport ?? VIEWPORT);
      if (left) return { page: left, load: () => used.load(left, url, viewport ?? VIEWPORT) };
      // The first page compiles the core together with it.
      if (used && url.startsWith('http:')) core ??= keepCore(contexts, PATIENCE_MS).catch(notKept);
      const page = await newPage();
      used?.expect(page);
      if (viewport) await page.setViewport(viewport);
      return { page, load: () => page.goto(url, { waitUntil: 'load' }) };
    },
    /** A page at `url` that has a trace open and was closed by a test; null where there is none: see `UsedPages`. */
    openPage: (url, settings) => used?.takeOpen(url, settings) ?? null,
    isOpen: (page, settings) => used?.isOpen(page, settings),
    /** The processes that pages live in; Chromium only. */
    async renderers() {
      const client = await browser.target().createCDPSession();
      const { processInfo } = await client.send('SystemInfo.getProcessInfo');
      await client.detach();
      return processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
    },
    async close() {
      await (await core)?.close();
      await close();
    },
  };
}

/**
 * A browser that was just started, and knows nothing. Its pages are in a context of its own, as those of a browser that is lent: such a context keeps
 * in memory what pages store. In the default context, on the disk, service workers once did not start within a minute, for want of room or speed.
 */
async function fresh(kind) {
  const { browser, close } = await start(kind);
  return handle(kind, browser, await browser.createBrowserContext(), close);
}

/** The kinds of which this process has borrowed a browser. */
const borrowed = new Set();

/**
 * A browser for the tests of one file: where `run.mjs` lends browsers, a context of its own in one that other files had before and will have
 * after, else one that is started for it. Who has borrowed one already gets a fresh one.
 */
async function provide(kind) {
  const lender = process.env.STEPLENS_BROWSERS;
  if (!lender || borrowed.has(kind)) return fresh(kind);
  borrowed.add(kind);
  const { endpoint, giveBack } = await borrow(`${lender}/${kind}`);
  const browser = await puppeteer.connect({
    browserWSEndpoint: endpoint,
    protocol: KINDS[kind].protocol,
    defaultViewport: VIEWPORT,
    protocolTimeout: PATIENCE_MS,
  });
  const context = await browser.createBrowserContext();
  return handle(kind, browser, context, async () => {
    await context.close();
    await browser.disconnect();
    await giveBack();
    borrowed.delete(kind);
  });
}

/** Asks the lender for a browser: it answers with where it is, and lends it until the connection ends. */
async function borrow(address) {
  const request = http.request(address, { method: 'POST' });
  request.flushHeaders();
  const [response] = await once(request, 'response');
  const [endpoint] = await once(response.setEncoding('utf8'), 'data');
  return {
    endpoint,
    /** Says that nothing is left in it: a browser that is lost without this word is started again. */
    async giveBack() {
      request.end('clean');
      await once(response.resume(), 'end');
    },
  };
}

export const chromium = () => provide('chrome');
export const firefox = () => provide('firefox');
