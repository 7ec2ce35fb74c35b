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

/** The build fills in its name, which has a hash: a page never gets the worker of another build. */
declare const WORKER_FILE: string;

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

/** The worker that was started early, once; then others, from the folder of the page. */
export function takeWorker(fileUrl: (name: string) => string, language: string): Worker {
  const worker = window.steplens_worker ?? new Worker(fileUrl(WORKER_FILE), { name: language });
  window.steplens_worker = null;
  return worker;
}
