// Drives the page as a user does, through the names that DESIGN promises: #open-file, body[data-state], #error.

import { handOnPage } from './hands.mjs';

/**
 * Opens `url` and collects everything that a strict page must never do: script errors, policy violations, and requests
 * to anywhere else. `prepare` runs in the document before the page does. Without `complete` nothing waits for the later part of the page, which
 * comes after its first frame. The window has the size `viewport` and the theme `scheme` from the start: a page need not be loaded again for them.
 *
 * What takes as long as the page itself and few tests are about is left out: a service worker that keeps the page comes with `keep`, and what is
 * asked ahead while no hand is on the page with `ahead`.
 *
 * What the page reports to its user as a failure of its own is in the console, and so among the faults.
 *
 * Most tests are about what is in the drawer: they come as somebody who has left it open, and has what is selected in it. With `fresh` nothing was
 * chosen before.
 */
export async function visit(browser, url, { keep = false, ahead = false, prepare = null, complete = true, fresh = false, viewport = null, scheme = null } = {}) {
  const { page, load } = await browser.pageFor(url, viewport);
  const visited = listenTo(page);
  await page.evaluateOnNewDocument(() => {
    window.policyViolations = [];
    addEventListener('securitypolicyviolation', (event) => window.policyViolations.push(`${event.violatedDirective}: ${event.blockedURI}`));
  });
  if (!keep) await page.evaluateOnNewDocument(() => delete Navigator.prototype.serviceWorker);
  if (!ahead) await page.evaluateOnNewDocument(handOnPage);
  if (!fresh) await page.evaluateOnNewDocument(leaveDrawerOpen);
  if (prepare) await page.evaluateOnNewDocument(prepare);
  if (scheme) await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
  await load();
  if (complete) await page.waitForFunction(() => performance.getEntriesByName('steplens:later').length > 0);
  return visited;
}

/** Runs in the document before the page does. */
function leaveDrawerOpen() {
  try {
    for (const name of ['steplens.drawer-open', 'steplens.selection-pinned']) if (localStorage.getItem(name) === null) localStorage.setItem(name, 'yes');
  } catch {
    // A page from a block of data keeps nothing.
  }
}

/** What a page asks for and says from now on. */
function listenTo(page) {
  const faults = [];
  const warnings = [];
  page.on('pageerror', (error) => faults.push(`page error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()}`);
    if (message.type() === 'warn') warnings.push(message.text());
  });
  const requests = [];
  page.on('request', (request) => requests.push(request.url()));
  return {
    page,
    requests,
    /** What browsers say of the page that is no fault. */
    warnings,
    /** Everything that went wrong so far; a good page leaves it empty. */
    async faults() {
      return [...faults, ...(await page.evaluate(() => window.policyViolations))];
    },
  };
}

/**
 * A page at `url` that has just opened these files: where a test has closed one that was opened like this, and has set nothing that outlives
 * an opening, it is that one. Opening takes away the trace before with all that was done with it.
 */
export async function opened(browser, url, ...paths) {
  const left = await browser.openPage(url, settings);
  const visited = left ? listenTo(left) : await visit(browser, url);
  const { page } = visited;
  if (left) await page.evaluate(begin, new URL(url).hash);
  await openFiles(page, ...paths);
  await browser.isOpen(page, settings);
  return visited;
}

/** Runs in a page: what is set in it that another opening leaves as it is, what a test has added to it, and a dialog that was left open. */
function settings() {
  const { body } = document;
  const panels = document.querySelector('.workspace')?.classList.contains('full');
  return JSON.stringify([{ ...localStorage }, innerWidth, innerHeight, Object.keys(window), body.dataset.fleet, panels, document.querySelector('dialog[open], .context-menu') === null]);
}

/**
 * Runs in a page that was used: nothing has the focus, and the file that is chosen next is opened at the address with `hash`. Not before: what was
 * done with the trace before may still write its own.
 */
function begin(hash) {
  window.policyViolations = [];
  document.activeElement.blur();
  const arrive = () => history.replaceState(history.state, '', location.pathname + location.search + hash);
  addEventListener('change', arrive, { capture: true, once: true });
}

export const state = (page) => page.evaluate(() => document.body.dataset.state);
export const errorCode = (page) => page.evaluate(() => document.querySelector('#error')?.dataset.code ?? null);
/** The summary with its totals of transfers, which come after the first frame. */
export async function summary(page) {
  await page.waitForFunction(() => window.steplens.summary() === null || window.steplens.summary().transfers !== undefined);
  return page.evaluate(() => window.steplens.summary());
}
export const text = (page) => page.evaluate(() => document.body.innerText);

export async function waitForState(page, wanted) {
  await page.waitForFunction((wanted) => document.body.dataset.state === wanted, {}, wanted);
}

/** Chooses files on disk, and waits until they are on the screen. */
export async function openFiles(page, ...paths) {
  await waitForReady(page, async () => {
    const input = await page.$('#open-file');
    await input.uploadFile(...paths);
  });
}

/** Does `action`, which opens a trace, and waits for the first frame that shows it, and for the drawer's panel, which comes a frame later. */
export async function waitForReady(page, action) {
  const before = await page.evaluate(() => performance.now());
  await action();
  const opened = page.waitForFunction(
    (before) => {
      const drawn = performance.getEntriesByName('steplens:ready').some((mark) => mark.startTime >= before);
      const has_panels = performance.getEntriesByName('steplens:later').length > 0;
      const waits = has_panels && document.querySelector('.panels:not([hidden]) > .panel:not([hidden]):empty');
      return drawn && !waits && document.body.dataset.state === 'ready';
    },
    {},
    before,
  );
  await opened.catch(async (error) => {
    throw new Error(`nothing was opened: ${await page.evaluate(howItIs)}`, { cause: error });
  });
}

/** Runs in the page: what there is to know of one that does not open a file. */
async function howItIs() {
  const has_frames = await new Promise((resolve) => {
    requestAnimationFrame(() => resolve(true));
    setTimeout(resolve, 2000, false);
  });
  const marks = performance.getEntriesByType('mark').map(({ name, startTime }) => `${name} at ${Math.round(startTime)}`);
  const { hidden, body } = document;
  const texts = ['.loading', '#error'].map((selector) => document.querySelector(selector)?.innerText);
  return JSON.stringify({ state: body.dataset.state, hidden, has_frames, now: Math.round(performance.now()), marks, texts });
}

/** Gives the page bytes that are no file on disk, through the input `to`. */
export async function chooseBytes(page, files, to = '#open-file') {
  await page.evaluate((files, to) => {
    const transfer = new DataTransfer();
    for (const { name, bytes } of files) transfer.items.add(new File([Uint8Array.from(bytes)], name));
    const input = document.querySelector(to);
    input.files = transfer.files;
    input.dispatchEvent(new Event('change', { bubbles: true }));
  }, files.map(({ name, bytes }) => ({ name, bytes: [...bytes] })), to);
}

/** Clicks a button by the words on it, whether or not it can be seen at this moment. */
export async function clickButton(page, words) {
  await page.evaluate((words) => {
    const button = [...document.querySelectorAll('button')].find((button) => button.textContent.trim() === words);
    if (!button) throw new Error(`no button says ${words}`);
    button.click();
  }, words);
}

/** The text of a shared page. */
export const textOfPage = (bytes) => new TextDecoder('utf-8', { fatal: true }).decode(bytes);

/** Presses Share, includes all texts or those that `choose` leaves, and gives the bytes of the file that the page would save. */
export async function share(page, choose = (page) => page.click('#share .part-all button')) {
  await page.evaluate(() => {
    const create = URL.createObjectURL;
    window.shared = new Promise((resolve) => {
      URL.createObjectURL = (blob) => {
        if (blob.type === 'text/html') {
          const reader = new FileReader();
          reader.onload = () => resolve(reader.result);
          reader.readAsDataURL(blob);
        }
        return create(blob);
      };
    });
  });
  await clickButton(page, 'Share');
  await page.waitForSelector('#share[open]');
  await choose(page);
  await clickButton(page, 'Save');
  const url = await page.evaluate(() => window.shared);
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
}
