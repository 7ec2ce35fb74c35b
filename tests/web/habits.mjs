// The stage on which habits are tried: the sample of four workers, open at a window that is known.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { canvasBox, fragment } from './canvas.mjs';
import { open } from './core.mjs';
import { fields, until, untilSpoken } from './hands.mjs';
import { fixture } from './site.mjs';
import { browser, site } from './stage.mjs';
import { opened, openFiles, visit } from './steplens.mjs';

const FILE = fixture('ps4w.pb');

/** What the core itself says of the trace, for the tests of one file. */
export let core;
before(async () => {
  core = await open(FILE);
});
after(() => core?.session.free());

/** All about one op, from the core. */
export const details = (op) => JSON.parse(core.session.op(op));

/** The window in the middle of the step, a fifth of it wide: there is room to move to every side. */
export const middleWindow = () => [0.4, 0.6].map((share) => Math.round(core.summary.span_ns * share));

/**
 * One habit on a page that has just opened the sample: `body` gets the page, the canvas's box and the window at first. `start` may tell
 * another window, an op that is selected, and that the page may ask `ahead`. Every transfer has a lane, so that there is something to scroll to.
 * Nothing that `body` does may make a script fail or break the policy.
 */
export function habit(name, body, start = () => ({})) {
  test(name, async () => {
    const { window = middleWindow(), op, ahead = false } = start();
    const selected = op === undefined ? '' : `&op=${op}`;
    const address = `${site.url}${fragment(core.summary, ...window)}&open=0,1,2,3,4${selected}`;
    const { page, faults } = await (ahead ? visit(browser, address, { ahead }) : opened(browser, address, FILE));
    let is_good = false;
    try {
      if (ahead) await openFiles(page, FILE);
      // Where the browser has kept the trace of a test before, it was open already, and this one has an address of its own.
      await until(page, () => location.hash.includes('k='));
      if (op !== undefined) await untilSpoken(page, /^Selected /);
      await page.focus('canvas.lanes');
      await body({ page, box: await canvasBox(page), window });
      assert.deepEqual(await faults(), []);
      is_good = true;
    } finally {
      await page.close({ is_good });
    }
  });
}

/** The window that the address tells, or null while it tells the whole step. */
export async function shownWindow(page) {
  const { w } = await fields(page);
  return w === undefined ? null : w.split(',').map(Number);
}

/** Waits until the address tells another window than `window`, and gives it; null is the whole step. */
export async function movedFrom(page, window) {
  await until(page, (before) => {
    const now = new URLSearchParams(location.hash.slice(1));
    return now.has('k') && (now.get('w') ?? null) !== before;
  }, window && window.join(','));
  return shownWindow(page);
}

/** Waits until the address tells `window`, to a millionth of its length; null is the whole step. */
export async function untilWindow(page, window) {
  await until(page, (wanted) => {
    const text = new URLSearchParams(location.hash.slice(1)).get('w');
    if (text === null || wanted === null) return text === wanted;
    const now = text.split(',').map(Number);
    return now.every((value, index) => Math.abs(value - wanted[index]) <= (wanted[1] - wanted[0]) * 1e-6 + 0.001);
  }, window);
}

export const lengthOf = ([start, end]) => end - start;

/** Demands that `moved` is `window` moved by `share` of its length, give or take `slack`. */
export function assertMoved(moved, window, share, slack = 2e-3) {
  assert.ok(Math.abs(lengthOf(moved) / lengthOf(window) - 1) < 1e-3, 'moving does not zoom');
  const by = (moved[0] - window[0]) / lengthOf(window);
  assert.ok(Math.abs(by - share) < slack, `moved by ${by} of the window, want ${share}`);
}

/** Demands that the moment at `share` of the window stayed in its place. */
export function assertAnchored(zoomed, window, share) {
  const at = (one) => one[0] + share * lengthOf(one);
  assert.ok(Math.abs(at(zoomed) - at(window)) < lengthOf(window) * 2e-3, `the moment at ${share} moved from ${at(window)} to ${at(zoomed)}`);
}
