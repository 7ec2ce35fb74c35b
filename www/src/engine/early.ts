// What the hosted page starts before its own script has arrived: the worker, which loads the core.
//
// A worker starts only while the page's thread is free, and building and laying out the page keeps that busy for a tenth of a second.

import { wantedLanguage } from '../base/language';

declare global {
  interface Window {
    /** The worker that was started before the page; null once it was taken, or if it stopped: then the next one says why. */
    steplens_worker?: Worker | null;
    /** In a frame: ends once the browser has answered its document. */
    steplens_answered?: Promise<unknown>;
  }
}

/** The build fills in its name, which has a hash: a page never gets the worker of another build. */
declare const WORKER_FILE: string;

export function startEarly(): void {
  const language = wantedLanguage();
  // Before the page's own scripts, which make some of their texts as they are loaded. A parser waits for what it is given like this.
  if (language !== 'en') document.write(`<script src="${language}.js"></script>`);
  if (window !== window.parent) {
    // Chromium loses a worker, or says that it could not be loaded, if it is made in a frame before the browser has taken note of the frame's
    // document: of 150 frames on a busy machine 8 and 34, and none once a request was answered. The script comes with the request.
    window.steplens_answered = fetch(WORKER_FILE);
    return;
  }
  const worker = new Worker(WORKER_FILE, { name: language });
  worker.onerror = (event) => {
    event.preventDefault();
    window.steplens_worker = null;
  };
  window.steplens_worker = worker;
}

/** The worker that was started early, once; then others, from the folder of the page. In a frame the first ones may come later. */
export function takeWorker(fileUrl: (name: string) => string, language: string): Worker | Promise<Worker> {
  const started = () => new Worker(fileUrl(WORKER_FILE), { name: language });
  // Where the file is not to be had, the worker says so.
  if (window.steplens_answered) return window.steplens_answered.then(started, started);
  const worker = window.steplens_worker ?? started();
  window.steplens_worker = null;
  return worker;
}
