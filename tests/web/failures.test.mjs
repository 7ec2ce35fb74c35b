// Whatever fails in the page reaches the user, and every test that asks for faults; only superseded questions are dropped.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from './hands.mjs';
import { fixture } from './site.mjs';
import { browser, site } from './stage.mjs';
import { clickButton, errorCode, openFiles, state, text, visit, waitForReady, waitForState } from './steplens.mjs';

/**
 * Runs in the page before its script. `window.failing` is by question the error that it is answered with, and `window.held` has the
 * questions that are answered only once `window.release(question)` is called.
 */
function tamperWithAnswers() {
  window.failing = {};
  window.held = [];
  let waiting = [];
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (message, ...rest) {
    const question = message.query ?? message.kind;
    const error = window.failing[question];
    const send = () => {
      if (!error) return post.call(this, message, ...rest);
      const data = { kind: 'failure', id: message.id, error, stack: 'at the place in the worker' };
      return setTimeout(() => this.onmessage(new MessageEvent('message', { data })));
    };
    if (window.held.includes(question)) waiting.push({ question, send });
    else send();
  };
  window.release = (question) => {
    window.held = window.held.filter((held) => held !== question);
    const released = waiting.filter((one) => one.question === question);
    waiting = waiting.filter((one) => one.question !== question);
    for (const { send } of released) send();
  };
  window.isHeld = (question) => waiting.some((one) => one.question === question);
}

const FAILURE = { code: 'internal', message: 'the core failed on purpose' };

/** A page of its own for `body`; `faults` may be anything afterwards. */
function onFailingPage(name, body, prepare = tamperWithAnswers) {
  test(name, async () => {
    const visited = await visit(browser, site.url, { prepare });
    try {
      await body(visited);
    } finally {
      await visited.page.close();
    }
  });
}

const errorText = (page) => page.$eval('#error', (element) => element.innerText);
const fail = (page, ...questions) => page.evaluate((questions, error) => {
  for (const question of questions) window.failing[question] = error;
}, questions, FAILURE);
const mend = (page) => page.evaluate(() => {
  window.failing = {};
});
const dismiss = async (page) => {
  await page.$eval('#error [aria-label="Dismiss"]', (button) => button.click());
  await until(page, () => document.querySelector('#error').hidden);
};

/** The error is there to be read, and the tests see it. */
async function seen({ page, faults }, code, words) {
  await waitForState(page, 'error');
  assert.equal(await errorCode(page), code);
  assert.match(await errorText(page), words);
  assert.ok((await faults()).some((fault) => fault.includes(`Code: ${code}`)), `${words} is among the faults`);
}

onFailingPage('a painter that throws in the first frame of a trace', async (visited) => {
  const { page } = visited;
  await page.evaluate(() => {
    const { fillRect } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillRect = function () {
      CanvasRenderingContext2D.prototype.fillRect = fillRect;
      throw new TypeError('painted on purpose');
    };
  });
  const input = await page.$('#open-file');
  await input.uploadFile(fixture('mnist-adam.pb'));
  await seen(visited, 'internal', /^The page was not drawn\. painted on purpose This is a fault of Steplens, not of your file\. Reload the page\./);
  await dismiss(page);
  assert.equal(await state(page), 'ready', 'the trace is there all the same');
  await page.keyboard.press('.');
  await until(page, () => new URLSearchParams(location.hash.slice(1)).has('op'));
});

onFailingPage('a painter that throws in each frame stops neither the others nor the page', async (visited) => {
  const { page } = visited;
  await openFiles(page, fixture('mnist-adam.pb'));
  await page.evaluate(() => {
    window.painted = 0;
    CanvasRenderingContext2D.prototype.fillRect = () => {
      window.painted += 1;
      throw new TypeError('painted on purpose');
    };
  });
  await page.focus('canvas.lanes');
  await page.keyboard.press('e');
  await page.keyboard.press('.');
  await seen(visited, 'internal', /painted on purpose/);
  // The details are drawn by other painters.
  await page.waitForSelector('.op-name', { visible: true });
  const painted_in_20_frames = () =>
    page.evaluate(() => new Promise((resolve) => {
      const before = window.painted;
      let frames = 0;
      const next = () => (++frames < 20 ? requestAnimationFrame(next) : resolve(window.painted - before));
      next();
    }));
  // Rows and figures follow once the view has come to rest; then nothing is left to draw.
  let painted = await painted_in_20_frames();
  for (let tries = 0; painted > 0 && tries < 20; tries++) painted = await painted_in_20_frames();
  assert.equal(painted, 0, 'an idle page draws nothing, also where a painter fails');
});

onFailingPage('a worker that dies', async (visited) => {
  const { page } = visited;
  await openFiles(page, fixture('mnist-adam.pb'));
  const [worker] = page.workers();
  await worker.evaluate(() => {
    setTimeout(() => {
      throw new Error('died on purpose');
    });
  });
  await seen(visited, 'worker-failed', /^The page’s worker stopped\. .*died on purpose.* Open the file again/);
  // Opening again starts another worker.
  await openFiles(page, fixture('collective.pb'));
  assert.match(await text(page), /collective\.pb/);
  assert.equal(await errorCode(page), null);
});

for (const [tab, question, words, outcome] of [
  ['network', 'network', 'The network could not be analysed.', /^Network not analysed\./],
  ['clocks', 'clocks', 'The clocks could not be compared.', /^Clocks not compared\./],
  ['range', 'opTypes', 'Some figures of this range could not be computed.', /^Figures of the range not computed\./],
  ['transfers', 'transfers', 'These transfers could not be listed.', /^Transfers not listed\./],
]) {
  onFailingPage(`the tab ${tab} says that its answer failed, and tries again`, async (visited) => {
    const { page } = visited;
    await openFiles(page, fixture('ps4w.pb'));
    if (tab === 'range') await page.$eval('#tab-network', (button) => button.click());
    await fail(page, question);
    if (tab === 'range') {
      await page.focus('canvas.lanes');
      await page.keyboard.press('.');
      await until(page, () => new URLSearchParams(location.hash.slice(1)).has('op'));
      await page.keyboard.press('r');
    } else await page.$eval(`#tab-${tab}`, (button) => button.click());
    await seen(visited, 'internal', outcome);
    const note = await page.waitForSelector(`#panel-${tab} .failed-note`, { visible: true });
    assert.equal(await note.evaluate((note) => note.firstChild.textContent), words);
    assert.doesNotMatch(await page.$eval(`#panel-${tab}`, (panel) => panel.innerText), /…$/m, 'nothing is waited for');
    await dismiss(page);
    await mend(page);
    await note.evaluate((note) => note.querySelector('button').click());
    await until(page, (tab) => document.querySelector(`#panel-${tab} .failed-note`).hidden, tab);
    assert.equal(await state(page), 'ready');
  });
}

for (const [question, outcome] of [
  ['doctor', /^Trace not checked for problems\./],
  ['totals', /^Transfers not counted\./],
  ['marks', /^Ops not drawn\./],
  ['minimap', /^Step not shown\./],
]) {
  onFailingPage(`an answer that fails is reported: ${question}`, async (visited) => {
    const { page } = visited;
    await waitForState(page, 'empty');
    if (question === 'doctor' || question === 'totals') {
      await fail(page, question);
      const input = await page.$('#open-file');
      await input.uploadFile(fixture('ps4w.pb'));
    } else {
      await openFiles(page, fixture('multidev.pb'), fixture('collective.pb'));
      await fail(page, question);
      await page.focus('canvas.lanes');
      await page.keyboard.press(question === 'marks' ? 'w' : 'e');
    }
    await seen(visited, 'internal', outcome);
  });
}

// What is drawn is asked for whenever the page is, and a failure is no answer.
for (const [question, key, outcome] of [
  ['marks', 'w', /^Ops not drawn\./],
  ['traffic', 'b', /^Bandwidth not drawn\./],
  ['memoryLanes', 'u', /^Memory not drawn\./],
]) {
  onFailingPage(`what failed is asked again by the next frame, in the same view: ${question}`, async (visited) => {
    const { page } = visited;
    await openFiles(page, fixture('ps4w.pb'));
    await fail(page, question);
    await page.focus('canvas.lanes');
    await page.keyboard.press(key);
    await seen(visited, 'internal', outcome);
    // At once: a frame in between would be answered, and no later one would ask.
    await page.evaluate((question) => {
      window.held.push(question);
      window.failing = {};
    }, question);
    await dismiss(page);
    await until(page, (question) => window.isHeld(question), question);
  });
}

onFailingPage('keys that come before the details of the op wait for them', async ({ page }) => {
  await openFiles(page, fixture('mnist-adam.pb'));
  await page.focus('canvas.lanes');
  for (const [key, has_come] of [
    ['r', () => new URLSearchParams(location.hash.slice(1)).has('r')],
    ['f', () => new URLSearchParams(location.hash.slice(1)).has('w')],
  ]) {
    await page.evaluate(() => window.held.push('op'));
    await page.keyboard.press('.');
    await until(page, () => window.isHeld('op'));
    await page.keyboard.press(key);
    await page.evaluate(() => window.release('op'));
    await until(page, has_come);
  }
});

onFailingPage('what no code of the page catches', async (visited) => {
  const { page } = visited;
  await openFiles(page, fixture('mnist-adam.pb'));
  await page.evaluate(() => {
    // A listener of the page calls what is not there.
    const event = Object.defineProperty(new KeyboardEvent('keydown', { key: '.', bubbles: true }), 'preventDefault', { value: undefined });
    document.querySelector('canvas.lanes').dispatchEvent(event);
  });
  await seen(visited, 'internal', /^The page failed\. .*preventDefault is not a function/);
  await dismiss(page);
  // The answer to an embedding page cannot be sent, which nobody waits for.
  await page.evaluate(() => {
    const source = Object.defineProperty(new MessageChannel().port1, 'postMessage', { value: undefined });
    const data = { steplens: 'open', name: 'noise.pb', bytes: new Uint8Array(9) };
    dispatchEvent(new MessageEvent('message', { data, source, origin: location.origin }));
  });
  await until(page, () => document.querySelector('#error').innerText.startsWith('The page failed'));
  await seen(visited, 'internal', /postMessage is not a function/);
});

onFailingPage('the details can be copied: all failures, where they were, version and browser', async (visited) => {
  const { page } = visited;
  await openFiles(page, fixture('ps4w.pb'));
  await page.evaluate(() => {
    window.copied = null;
    const write = async ([item]) => {
      window.copied = await (await item.getType('text/plain')).text();
    };
    Object.defineProperty(navigator, 'clipboard', { value: { write } });
  });
  await fail(page, 'network', 'clocks');
  await page.$eval('#tab-network', (tab) => tab.click());
  await seen(visited, 'internal', /^Network not analysed\./);
  await page.$eval('#tab-clocks', (tab) => tab.click());
  await page.waitForSelector('#panel-clocks .failed-note', { visible: true });
  assert.match(await errorText(page), /^Network not analysed\./, 'the first failure stays');
  await clickButton(page, 'Copy details');
  await until(page, () => window.copied !== null);
  const copied = await page.evaluate(() => window.copied);
  const version = await page.evaluate(() => window.steplens.version);
  for (const part of ['Network not analysed. the core failed on purpose', 'Clocks not compared.', 'Code: internal', `Steplens ${version}`, 'Browser: Mozilla/', 'EngineError', 'In the worker:\nat the place in the worker'])
    assert.ok(copied.includes(part), `the details have ${part}: ${copied}`);
  await until(page, () => document.querySelector('#error').innerText.includes('Copied'));
});

onFailingPage('a failed question about a trace that was replaced is dropped', async ({ page, faults }) => {
  await openFiles(page, fixture('ps4w.pb'));
  await fail(page, 'network');
  await page.evaluate(() => window.held.push('network'));
  await page.$eval('#tab-network', (tab) => tab.click());
  await until(page, () => window.isHeld('network'));
  const input = await page.$('#open-file');
  await waitForReady(page, () => input.uploadFile(fixture('mnist-adam.pb')));
  await mend(page);
  await page.evaluate(() => window.release('network'));
  await page.evaluate(() => new Promise((resolve) => setTimeout(() => requestAnimationFrame(resolve))));
  assert.equal(await errorCode(page), null);
  assert.deepEqual(await faults(), []);
});

onFailingPage('an op of a step that is being left is dropped', async ({ page, faults }) => {
  await openFiles(page, fixture('multidev.pb'), fixture('collective.pb'));
  await page.evaluate(() => {
    window.held.push('minimap');
    window.failing.op = { code: 'no-such-op', message: 'the trace has no op 7' };
  });
  await page.focus('canvas.lanes');
  await page.keyboard.press('e');
  await until(page, () => window.isHeld('minimap'));
  await page.keyboard.press('.');
  await page.evaluate(() => new Promise((resolve) => setTimeout(() => setTimeout(resolve))));
  await mend(page);
  await page.evaluate(() => window.release('minimap'));
  await until(page, () => window.steplens.summary().view.step === null);
  assert.equal(await errorCode(page), null);
  assert.deepEqual(await faults(), []);
});

test('what the user has set stays as it is when a second file is opened', async () => {
  const { page, faults } = await visit(browser, site.url);
  const figures = () => page.evaluate(() => ({
    textures: document.documentElement.dataset.textures,
    textures_button: document.querySelector('.button.textures').ariaPressed,
    theme: document.documentElement.dataset.theme,
    drawer_px: document.querySelector('.drawer').getBoundingClientRect().height,
    column_px: document.querySelector('.corner').getBoundingClientRect().width,
    bandwidth_px: document.querySelector('canvas.traffic')?.getBoundingClientRect().height ?? 0,
  }));
  await openFiles(page, fixture('ps4w.pb'));
  const at_first = await figures();
  await page.keyboard.press('x');
  await page.keyboard.press('b');
  await page.$eval('[title^="Colours:"]', (button) => button.click());
  await page.focus('.drawer [role="separator"], [aria-label="Height of the drawer"]');
  await page.keyboard.press('ArrowUp');
  await page.focus('.tree-edge');
  await page.keyboard.press('ArrowRight');
  await until(page, () => document.documentElement.dataset.textures === 'on' && document.documentElement.dataset.theme !== undefined);
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  const set = await figures();
  for (const [name, value] of Object.entries(set)) assert.notEqual(value, at_first[name], `${name} was changed`);
  await openFiles(page, fixture('ps4w-later.pb'));
  assert.deepEqual(await figures(), set);
  assert.deepEqual(await faults(), []);
  await page.close();
});
