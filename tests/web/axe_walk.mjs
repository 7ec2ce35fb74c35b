// All states of the page, and that axe-core finds nothing in any of them: the tests of one look.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { faultsOf, inTurn } from './axe.mjs';
import { boxOf, searchFor, until, untilField, untilSpoken } from './hands.mjs';
import { runMetadata } from './run_metadata.mjs';
import { fixture } from './site.mjs';
import { browser, site } from './stage.mjs';
import { chooseBytes, openFiles, share, visit, waitForState } from './steplens.mjs';

/** The states of a page that has a trace open, one after the other, and how a user gets from each to the next. */
const WALK = {
  ready: async () => {},
  'op selected': async (page) => {
    await page.keyboard.press('.');
    await untilField(page, 'op');
  },
  'help sheet': async (page) => {
    await page.keyboard.press('?');
    await page.waitForSelector('dialog[open]');
  },
  'transfer selected, search with results': async (page) => {
    await page.keyboard.press('Escape');
    await searchFor(page, 'RecvTensor');
    await page.keyboard.press('Enter');
    await untilSpoken(page, /^Selected .*communication/);
  },
  'search without results': async (page) => {
    await searchFor(page, 'no such op');
    await until(page, () => document.querySelector('.search-count').classList.contains('none'));
  },
  'range selected': async (page) => {
    const { x, y, width, height } = await boxOf(page, 'canvas.axis');
    await page.mouse.move(x + width / 4, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width / 2, y + height / 2, { steps: 4 });
    await page.mouse.up();
    await untilField(page, 'r');
  },
  'a mark being named': async (page) => {
    await page.keyboard.press('m');
    await until(page, () => document.activeElement.matches('.note-field'));
  },
  'marks in the list': async (page) => {
    await page.keyboard.press('Enter');
    await until(page, () => document.querySelector('.note-field').hidden);
    await page.keyboard.press('m');
    await until(page, () => document.activeElement.matches('.note-field'));
    await page.keyboard.press('Enter');
    await page.$eval('#tab-marks', (tab) => tab.click());
    await until(page, () => document.querySelectorAll('.note-row').length === 2);
  },
  'a mark deleted, on the wall clock': async (page) => {
    await page.focus('.note-row .note-when');
    await page.keyboard.press('Delete');
    await page.keyboard.press('t');
    await until(page, () => !document.querySelector('.status-line').hidden);
    await untilField(page, 't');
  },
  'the clocks, one of them typed': async (page) => {
    await page.$eval('#tab-clocks', (tab) => tab.click());
    await page.waitForSelector('.clock-field');
    await page.focus('.clock-field');
    await page.keyboard.type('7');
    await until(page, () => document.querySelectorAll('.clocks-early.warning, .is-typed').length === 2);
  },
  'patterns for communication, and one that is none': async (page) => {
    await page.$eval('#tab-range', (tab) => tab.click());
    await page.click('[aria-controls="patterns"]');
    await page.type('#pattern', 'Conv2D');
    await page.keyboard.press('Enter');
    await until(page, () => document.querySelectorAll('.pattern-list .figure:not(:empty)').length === 1);
    await page.type('#pattern', '(');
    await page.keyboard.press('Enter');
    await until(page, () => !document.querySelector('#pattern-problem').hidden);
  },
  'the menu of lanes': async (page) => {
    await page.click('[aria-controls="lanes-menu"]');
    await until(page, () => !document.querySelector('#lanes-menu').hidden);
  },
  'a device hidden, with textures': async (page) => {
    await page.keyboard.press('Escape');
    await page.focus('canvas.lanes');
    const { x, y } = await boxOf(page, 'canvas.lanes');
    await page.mouse.move(x + 50, y + 40);
    await page.keyboard.press('h');
    await untilField(page, 'hide');
    // The browser keeps them from the page before.
    if (await page.evaluate(() => document.documentElement.dataset.textures !== 'on')) await page.keyboard.press('x');
    await until(page, () => document.documentElement.dataset.textures === 'on');
  },
  folded: async (page) => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.focus('canvas.lanes');
    await page.keyboard.press('c');
    await untilField(page, 'fold');
  },
  'choosing a part': async (page) => {
    await page.$eval('#open-part', (button) => button.click());
    await page.waitForSelector('#part[open] .part-device');
  },
  'a part shown': async (page) => {
    await page.$eval('#part .part-device input', (box) => box.click());
    await page.$eval('#part [type="submit"]', (button) => button.click());
    await until(page, () => !document.querySelector('#part-bar').hidden);
    await waitForState(page, 'ready');
  },
  'an error beside the trace': async (page) => {
    await chooseBytes(page, [{ name: 'noise.pb', bytes: new TextEncoder().encode('this is no trace at all') }]);
    await waitForState(page, 'error');
  },
};

/** Turns the next answers to `question` into failures. */
const failing = (page, question) => page.evaluate((question) => {
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (message, ...rest) {
    if (message.query !== question) return post.call(this, message, ...rest);
    const error = { code: 'internal', message: 'the core failed on purpose' };
    return setTimeout(() => this.onmessage(new MessageEvent('message', { data: { kind: 'failure', id: message.id, error, stack: '' } })));
  };
}, question);

/** A host with the time of day, and a GPU whose clock has just started. */
function clocksApart() {
  const ops = (start) => Array.from({ length: 20 }, (_, at) => ({ name: `op${at}`, start: start + at * 100, end: start + at * 100 + 90 }));
  return runMetadata([
    { device: '/job:worker/replica:0/task:0/device:CPU:0', ops: ops(1_500_000_000_000_000) },
    { device: '/gpu:0/stream:1', ops: ops(5_000_000) },
  ]);
}

/** A fresh page that looks like `look`. */
async function visitAs(url, { scheme, viewport }, prepare = null) {
  const { page } = await visit(browser, url, { prepare, viewport, scheme });
  return page;
}

/** The tests of one look; `is_first` of the two that share the states of a quick run. */
export function axeTests(look) {
  test(`${look.name}: empty, loading, error`, async () => {
    const faults = inTurn(look.is_first);
    const page = await visitAs(site.url, look);
    await waitForState(page, 'empty');
    assert.deepEqual(await faults(page), [], 'empty');
    await chooseBytes(page, [{ name: 'noise.pb', bytes: new TextEncoder().encode('this is no trace at all') }]);
    await waitForState(page, 'error');
    assert.deepEqual(await faults(page), [], 'error');
    // A worker that never hears of the file leaves the page loading for as long as it is looked at.
    await page.evaluate(() => {
      Worker.prototype.postMessage = () => {};
    });
    await chooseBytes(page, [{ name: 'long.pb', bytes: new Uint8Array(100) }]);
    await waitForState(page, 'loading');
    assert.deepEqual(await faults(page), [], 'loading');
    await page.close();
  });

  test(`${look.name}: with a trace`, async () => {
    const faults = inTurn(look.is_first);
    const page = await visitAs(site.url, look);
    await openFiles(page, fixture('ps4w.pb'));
    for (const [state, arrange] of Object.entries(WALK)) {
      await arrange(page);
      assert.deepEqual(await faults(page), [], state);
    }
    await page.close();
  });

  test(`${look.name}: an answer that failed`, async () => {
    const faults = inTurn(look.is_first);
    const page = await visitAs(site.url, look);
    await openFiles(page, fixture('ps4w.pb'));
    for (const [tab, question] of [['network'], ['clocks'], ['transfers'], ['what_if', 'whatIf']]) {
      await failing(page, question ?? tab);
      await page.$eval(`#tab-${tab}`, (button) => button.click());
      await page.waitForSelector(`#panel-${tab} .failed-note`, { visible: true });
      await waitForState(page, 'error');
      assert.deepEqual(await faults(page), [], `${tab}, with its failure above`);
    }
    await page.close();
  });

  test(`${look.name}: steps, and what the doctor repairs`, async () => {
    const faults = inTurn(look.is_first);
    const page = await visitAs(site.url, look);
    await openFiles(page, fixture('containers/events.out.tfevents.1795196999.host'), fixture('containers/events.out.tfevents.1795197000.tf2'));
    await page.$eval('#tab-steps', (tab) => tab.click());
    await until(page, () => document.querySelectorAll('#panel-steps tbody tr:not(.spacer)').length > 0);
    assert.deepEqual(await faults(page), [], 'the list of steps');
    await page.keyboard.press('e');
    await until(page, () => window.steplens.summary().view.step === null);
    assert.deepEqual(await faults(page), [], 'all steps');
    await chooseBytes(page, [{ name: 'apart.pb', bytes: clocksApart() }]);
    await until(page, () => window.steplens.summary().files[0].name === 'apart.pb');
    // The page turns to the findings when they arrive; a click on the tab that is chosen already would close the drawer.
    await until(page, () => document.querySelector('#tab-problems .tab-count').textContent !== '');
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    await page.$eval('#tab-problems', (tab) => tab.getAttribute('aria-selected') === 'true' || tab.click());
    await page.waitForSelector('.repair');
    assert.deepEqual(await faults(page), [], 'findings');
    await page.$eval('.repair', (button) => button.click());
    await until(page, () => window.steplens.summary().view.repairs.length === 1);
    await until(page, () => document.querySelector('.device .repaired') !== null);
    assert.deepEqual(await faults(page), [], 'repaired');
    await page.close();
  });

  test(`${look.name}: every tab of the drawer`, async () => {
    const faults = inTurn(look.is_first);
    const page = await visitAs(site.url, look);
    await openFiles(page, fixture('ps4w.pb'));
    await page.keyboard.press('.');
    await untilField(page, 'op');
    const tabs = await page.$$eval('.drawer .tab:not([hidden])', (tabs) => tabs.map((tab) => tab.id));
    assert.ok(tabs.length > 1);
    for (const tab of tabs) {
      await page.$eval(`#${tab}[aria-selected="false"]`, (tab) => tab.click()).catch(() => undefined);
      await page.waitForSelector(`#${tab}[aria-selected="true"]`);
      await until(page, () => document.querySelector('[role="tabpanel"]:not([hidden])').textContent !== '');
      assert.deepEqual(await faults(page), [], tab);
    }
    await page.$eval('#tab-what_if', (tab) => tab.click());
    await page.waitForSelector('.if-saving-table .op-link', { visible: true });
    await page.$eval('.if-saving-table .op-link', (row) => row.click());
    await page.waitForSelector('.if-mirror .is-after');
    assert.deepEqual(await faults(page), [], 'what if something were faster');
    await page.$eval('#tab-compare', (tab) => tab.click());
    await page.waitForSelector('.cmp-nothing', { visible: true });
    assert.deepEqual(await faults(page), [], 'nothing is compared yet');
    await (await page.$('#compare-file')).uploadFile(fixture('ps4w-later.pb'));
    await page.waitForSelector('.cmp-waterfall summary', { visible: true });
    await page.$eval('.cmp-waterfall summary', (bar) => bar.click());
    await page.waitForSelector('.cmp-op-table .op-link', { visible: true });
    await page.waitForSelector('#cmp-types-0');
    assert.deepEqual(await faults(page), [], 'compared');
    await page.$eval('#tab-flame', (tab) => tab.click());
    await page.waitForSelector('#flame-0', { visible: true });
    await page.$eval('#flame-0', (row) => row.click());
    await until(page, () => document.querySelector('.flame-path').textContent !== '');
    assert.deepEqual(await faults(page), [], 'what is around a name');
    await page.$eval('#tab-memory', (tab) => tab.click());
    await page.waitForSelector('#alive-0', { visible: true });
    await page.$eval('#alive-0', (row) => row.click());
    await until(page, () => document.querySelector('.memory-why').textContent.includes('Last reader'));
    assert.deepEqual(await faults(page), [], 'why a tensor is alive');
    await page.$eval('#tab-network', (tab) => tab.click());
    await page.waitForSelector('#network-links', { visible: true });
    await page.$eval('#network-links', (question) => question.click());
    await page.waitForSelector('.matrix td', { visible: true });
    await page.$eval('.matrix td:not(:empty)', (cell) => cell.click());
    await page.waitForSelector('.link-summary', { visible: true });
    assert.deepEqual(await faults(page), [], 'a link');
    await page.close();
  });

  test(`${look.name}: a fleet, its lists, and a trace that is missing`, async () => {
    const faults = inTurn(look.is_first);
    const page = await visitAs(site.url, look);
    await (await page.$('#open-file')).uploadFile(path.join(import.meta.dirname, 'fleet/overview.steplens-fleet'));
    await page.waitForSelector('#fleet-list button', { visible: true });
    assert.deepEqual(await faults(page), [], 'stragglers');
    for (const list of ['findings', 'links', 'files']) {
      await page.$eval(`#fleet-tab-${list}`, (tab) => tab.click());
      await page.waitForSelector(`#fleet-tab-${list}[aria-selected="true"]`);
      assert.deepEqual(await faults(page), [], list);
    }
    await page.focus('canvas.fleet-canvas');
    for (const key of ['ArrowRight', 'Enter']) await page.keyboard.press(key);
    await page.waitForSelector('#fleet-missing', { visible: true });
    assert.deepEqual(await faults(page), [], 'a trace that is missing');
    await page.close();
  });

  test(`${look.name}: an export opened from disk`, async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'steplens-axe-'));
    try {
      const { page } = await visit(browser, site.url);
      await openFiles(page, fixture('mnist-adam.pb'));
      const file = path.join(folder, 'shared.html');
      await writeFile(file, await share(page));
      await page.close();
      const exported = await visitAs(pathToFileURL(file).href, look);
      await waitForState(exported, 'ready');
      assert.deepEqual(await faultsOf(exported), []);
      await exported.close();
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
}
