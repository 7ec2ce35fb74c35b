// What the hosted page starts before its own script has arrived: the worker, which loads the core.
//
// A worker starts only while the page's thread is free, and building and laying out the page keeps that busy for a tenth of a second.

import { wantedLanguage } from '../base/language';

declare global {
  interface Window {
    /** The worker that was started before the page; null once it was taken, or if it stopped: then the next one says why. */
    steplens_worker?: Worker | null;
  }
}

export const WORKER_FILE = 'worker.js';

export function startEarly(): void {
  const language = wantedLanguage();
  // Before the page's own scripts, which make some of their texts as they are loaded. A parser waits for what it is given like this.
  if (language !== 'en') document.write(`<script src="${language}.js"></script>`);
  const worker = new Worker(WORKER_FILE, { name: language });
  worker.onerror = (event) => {
    event.preventDefault();
    window.steplens_worker = null;
  };
  window.steplens_worker = worker;
}

/** The worker that was started early, once. */
export function takeWorker(): Worker | null {
  const worker = window.steplens_worker ?? null;
  window.steplens_worker = null;
  return worker;
}
