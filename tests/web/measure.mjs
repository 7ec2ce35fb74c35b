// What the benchmarks measure of the page in Chromium: opening, frames, memory.

import { readFile } from 'node:fs/promises';
import { chromium } from './browsers.mjs';
import { boxOf } from './hands.mjs';
import { openFiles, visit } from './steplens.mjs';

/** Longer than the largest file takes to open on a slow machine. */
const PATIENCE_MS = 300_000;
/** Nobody chooses a file sooner; what the page does meanwhile is not part of opening it. */
const BEFORE_OPENING_MS = 500;
/** A page that draws nothing for so long has come to rest. */
const REST_MS = 1000;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export const quantile = (values, share) => [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(share * values.length))];

/** A fresh page that has `file` open, and the time from the choice of the file to the first frame that shows it. */
export async function openTimed(browser, url, file) {
  // With all that the page does for its users.
  const { page } = await visit(browser, url, { keep: true, ahead: true });
  page.setDefaultTimeout(PATIENCE_MS);
  await pause(BEFORE_OPENING_MS);
  await openFiles(page, file);
  const open_ms = await page.evaluate(() => {
    const [opened, ready] = ['steplens:open', 'steplens:ready'].map((name) => performance.getEntriesByName(name).at(-1).startTime);
    return ready - opened;
  });
  return { page, open_ms };
}

/** A browser that was just started loads pages of its own, which take both cores for more than a second. */
const BROWSER_START_MS = 2500;

/** From the first visit of a browser without a cache to the first frame of the sample, which is asked for as soon as the page can be. */
export async function sampleTimed(url) {
  const browser = await chromium();
  try {
    const page = await browser.newPage();
    await pause(BROWSER_START_MS);
    await page.evaluateOnNewDocument(() => {
      const isIt = (button) => button.textContent.trim() === 'Open the sample';
      addEventListener('DOMContentLoaded', () => [...document.querySelectorAll('button')].find(isIt).click());
    });
    await page.goto(url);
    await page.waitForFunction(() => performance.getEntriesByName('steplens:ready').length > 0);
    return await page.evaluate(() => performance.getEntriesByName('steplens:ready').at(-1).startTime);
  } finally {
    await browser.close();
  }
}

/**
 * The work of a fixed scene, in milliseconds: 12,000 rectangles in eight colours on a canvas of the lanes' size. It says how
 * fast this machine draws, so that frames can be compared between machines.
 */
export async function sceneTimed(page, { width, height }) {
  const times = await page.evaluate(async (width, height) => {
    const canvas = Object.assign(document.createElement('canvas'), { width, height });
    const context = canvas.getContext('2d');
    const times = [];
    for (let frame = 0; frame < 30; frame++) {
      const started = performance.now();
      context.clearRect(0, 0, width, height);
      for (let mark = 0; mark < 12_000; mark++) {
        if (mark % 1500 === 0) context.fillStyle = `hsl(${mark / 1500 * 45} 60% 50%)`;
        context.fillRect((mark * 7919) % width, (mark * 104_729) % height, 3 + (mark % 40), 9);
      }
      context.getImageData(0, 0, 1, 1);
      times.push(performance.now() - started);
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    return times;
  }, width, height);
  return quantile(times, 0.5);
}

const zoom = (deltaY) => ({ deltaY, ctrlKey: true });
const pan = (deltaY) => ({ deltaY, shiftKey: true });
const times = (count, ...inputs) => Array.from({ length: count }, () => inputs).flat();

/** From the whole step of millions of ops down to single ops, along them, and back out: turns of the wheel. */
const TOUR = [...times(48, zoom(-100), pan(60)), ...times(20, pan(200)), ...times(48, zoom(100), pan(-60))];

/** Takes the tour, one input for each frame, and gives the milliseconds of work that each frame took. */
export async function tour(page) {
  return page.evaluate(async ({ x, y, width, height }, inputs) => {
    performance.clearMeasures('steplens:frame');
    const canvas = document.querySelector('canvas.lanes');
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    for (const input of inputs) {
      canvas.dispatchEvent(new WheelEvent('wheel', { clientX: x + width / 3, clientY: y + height / 2, bubbles: true, cancelable: true, ...input }));
      await frame();
      await frame();
    }
    return performance.getEntriesByName('steplens:frame').map((entry) => entry.duration);
  }, await boxOf(page, 'canvas.lanes'), TOUR);
}

/** How many frames a page draws, and how many it asks for, in a second of nothing. */
export async function idleFrames(page) {
  await page.evaluate(async (rest_ms) => {
    for (let before = -1, now = 0; before !== now; ) {
      before = performance.getEntriesByName('steplens:frame').length;
      await new Promise((resolve) => setTimeout(resolve, rest_ms));
      now = performance.getEntriesByName('steplens:frame').length;
    }
  }, REST_MS);
  return page.evaluate(async (rest_ms) => {
    const ask = window.requestAnimationFrame;
    const drawn = () => performance.getEntriesByName('steplens:frame').length;
    const before = drawn();
    let asked = 0;
    window.requestAnimationFrame = (callback) => {
      asked++;
      return ask(callback);
    };
    await new Promise((resolve) => setTimeout(resolve, rest_ms));
    window.requestAnimationFrame = ask;
    return { drawn: drawn() - before, asked };
  }, REST_MS);
}

/** The most memory that the tab's process ever had, in bytes, or null where the system does not tell. */
export async function peakOfTab(browser) {
  const peaks = await Promise.all((await browser.renderers()).map(async (pid) => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    const kib = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
    return kib === undefined ? 0 : Number(kib) * 1024;
  }));
  // Chromium keeps a spare process for the next tab; the one with the trace is the larger.
  return Math.max(0, ...peaks) || null;
}
