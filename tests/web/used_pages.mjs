// Pages of Chromium that tests of one file use one after the other.
//
// A page in a process of its own costs more than the test in it: the process starts, and compiles scripts and core that it has never seen. Loaded
// anew in the process that has shown it before, the page is there in a third of that time, and opens its first trace in two thirds. What a page
// has in memory goes with its document. What it keeps elsewhere (storage, kept traces) the other pages of a file have always met, used or new.

/** What changes a page for good, or in a way that nobody here takes back: such a page is not used again. */
const WEARING = [
  'authenticate',
  'createCDPSession',
  'emulate',
  'emulateCPUThrottling',
  'emulateMediaType',
  'emulateNetworkConditions',
  'emulateTimezone',
  'emulateVisionDeficiency',
  'exposeFunction',
  'setBypassCSP',
  'setBypassServiceWorker',
  'setCacheEnabled',
  'setExtraHTTPHeaders',
  'setGeolocation',
  'setJavaScriptEnabled',
  'setOfflineMode',
  'setRequestInterception',
  'setUserAgent',
];
const HEARD = ['console', 'dialog', 'error', 'pageerror', 'popup', 'request', 'requestfailed', 'requestfinished', 'response'];

const isTouched = ({ isMobile, hasTouch }) => Boolean(isMobile || hasTouch);
const documentOf = (url) => url.split('#')[0];

/** Runs in a page: nothing writes to the history of the tab any more, not even what a timer was set for. The entry is a new one's at `hash`. */
function leave(hash) {
  const { replaceState } = history;
  History.prototype.pushState = History.prototype.replaceState = () => undefined;
  replaceState.call(history, null, '', location.pathname + location.search + hash);
  sessionStorage.clear();
}

export class UsedPages {
  #left = [];
  /** By page that has a trace open, how it was set when it had just opened it. */
  #set = new Map();

  /** Has `page`, which is new, come back here when a test closes it, unless that knows that the page is no good any more. */
  expect(page) {
    const scripts = [];
    let is_worn = false;
    let emulates = false;
    for (const name of WEARING) {
      const own = page[name];
      page[name] = function (...given) {
        is_worn = true;
        return own.apply(this, given);
      };
    }
    const { close, emulateMediaFeatures, evaluateOnNewDocument, keyboard } = page;
    const { down, up } = keyboard;
    const held = new Set();
    keyboard.down = function (key, ...given) {
      held.add(key);
      return down.call(this, key, ...given);
    };
    keyboard.up = function (key) {
      held.delete(key);
      return up.call(this, key);
    };
    page.emulateMediaFeatures = function (...given) {
      emulates = true;
      return emulateMediaFeatures.apply(this, given);
    };
    page.evaluateOnNewDocument = async function (...given) {
      const script = await evaluateOnNewDocument.apply(this, given);
      scripts.push(script.identifier);
      return script;
    };
    const end = () => close.call(page);
    page.close = async ({ is_good = true } = {}) => {
      // Only the page as it is hosted is visited again and again.
      if (!is_good || is_worn || !page.url().startsWith('http://127.0.0.1')) return end();
      for (const type of HEARD) page.off(type);
      for (const key of held) await keyboard.up(key);
      // No button is pressed, and the pointer is where that of a new page is.
      await page.mouse.reset();
      if (emulates) await emulateMediaFeatures.call(page, []);
      emulates = false;
      this.#left.push({ page, scripts, url: documentOf(page.url()) });
    };
  }

  /**
   * A page that shows the document at `url`, with fingers where `viewport` has them: nothing else of a window needs another page. Null where none
   * was left. It has to be loaded anew, by `load`.
   */
  async take(url, viewport) {
    const at = this.#left.findIndex((left) => left.url === documentOf(url) && isTouched(left.page.viewport()) === isTouched(viewport));
    if (at < 0) return null;
    const [{ page, scripts }] = this.#left.splice(at, 1);
    this.#set.delete(page);
    for (const script of scripts.splice(0)) await page.removeScriptToEvaluateOnNewDocument(script);
    return page;
  }

  /** A page that shows the document at `url` with a trace open, and is still set as it was then; `settings` runs in it and says how it is set. */
  async takeOpen(url, settings) {
    for (const left of this.#left.filter(({ page, url: own }) => own === documentOf(url) && this.#set.has(page) && !isTouched(page.viewport()))) {
      const { page } = left;
      if ((await page.evaluate(settings)) !== this.#set.get(page)) continue;
      this.#left.splice(this.#left.indexOf(left), 1);
      return page;
    }
    return null;
  }

  /** `page` has a trace open, which a test may replace. */
  async isOpen(page, settings) {
    if (!this.#set.has(page)) this.#set.set(page, await page.evaluate(settings));
  }

  /** Loads a page that was taken at `url`, as a new one is in a window like `viewport`. */
  async load(page, url, viewport) {
    await page.evaluate(leave, new URL(url).hash);
    if (JSON.stringify(page.viewport()) !== JSON.stringify(viewport)) await page.setViewport(viewport);
    await page.reload({ waitUntil: 'load' });
  }
}
