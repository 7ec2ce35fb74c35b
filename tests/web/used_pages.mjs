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
  #viewport;

  /** `viewport` is that of a new page. */
  constructor(viewport) {
    this.#viewport = viewport;
  }

  /** Has `page`, which is new, come back here when a test closes it. */
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
    const { close, emulateMediaFeatures, evaluateOnNewDocument } = page;
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
    page.close = async () => {
      const { isMobile, hasTouch } = page.viewport();
      // Only the page as it is hosted is visited again and again.
      if (is_worn || isMobile || hasTouch || !page.url().startsWith('http://127.0.0.1')) return end();
      for (const type of HEARD) page.off(type);
      for (const script of scripts.splice(0)) await page.removeScriptToEvaluateOnNewDocument(script);
      if (emulates) await emulateMediaFeatures.call(page, []);
      emulates = false;
      this.#left.push({ page, end, url: documentOf(page.url()) });
    };
  }

  /** A page that shows the document at `url`; null where none was left. It has to be loaded anew, by `load`. */
  take(url) {
    const at = this.#left.findIndex((left) => left.url === documentOf(url));
    if (at < 0) return null;
    const [{ page }] = this.#left.splice(at, 1);
    return page;
  }

  /** Loads a page that was taken at `url`, as a new one is. */
  async load(page, url) {
    const { width, height } = page.viewport();
    if (width !== this.#viewport.width || height !== this.#viewport.height) await page.setViewport(this.#viewport);
    // Where the pointer of a new page is.
    await page.mouse.move(0, 0);
    await page.evaluate(leave, new URL(url).hash);
    await page.reload({ waitUntil: 'load' });
  }
}
