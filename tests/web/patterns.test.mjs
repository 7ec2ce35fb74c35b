// Patterns for communication on the page: set and taken back by menu and by field, all figures follow, and they go where the view goes.

import assert from 'node:assert/strict';
import { open } from './core.mjs';
import { fields, toTab, until, untilField, untilRest } from './hands.mjs';
import { fixture } from './site.mjs';
import { browser, onTrace, site } from './stage.mjs';
import { clickButton, openFiles, share, summary, textOfPage, visit, waitForState } from './steplens.mjs';

const CONV = '^_MklNativeConv2DBackpropFilter$';

const withPatterns = async (...patterns) => JSON.parse((await open(fixture('ps4w.pb'), undefined, patterns)).summaryJson);

/** Waits until that many patterns are in force, and all figures are there. */
async function untilPatterns(page, count) {
  await until(page, (count) => document.querySelectorAll('.pattern-list > li').length === count && window.steplens.summary().transfers !== undefined, count);
  await until(page, () => !document.querySelector('.trace').matches('[aria-busy="true"]'));
}

/** Presses the right mouse button on the row of an op type, and chooses a line of the menu. */
async function chooseOn(page, op_type, words) {
  // Rows of another window are on their way, and the hand would miss.
  await untilRest(page);
  await page.click(`[data-op-type="${op_type}"]`, { button: 'right' });
  await page.waitForSelector('.context-menu');
  await page.evaluate((words) => [...document.querySelectorAll('.context-menu button')].find((button) => button.textContent.endsWith(words)).click(), words);
}

const same = async (page, wanted) => {
  // The totals of transfers come after the view.
  await until(page, (wanted) => JSON.stringify(window.steplens.summary().step) === wanted && window.steplens.summary().transfers !== undefined, JSON.stringify(wanted.step));
  assert.deepEqual(await summary(page), wanted);
};

onTrace(fixture('ps4w.pb'), 'a pattern that is typed while the view of another one comes is not lost', async ({ page }) => {
  await toTab(page, 'range');
  await page.click('[aria-controls="patterns"]');
  // The last that the new view asks for is its minimap: what is asked right after that is answered once the view is shown.
  await page.evaluate(() => {
    const post = Worker.prototype.postMessage;
    window.typed_between = 0;
    Worker.prototype.postMessage = function (message, ...rest) {
      post.call(this, message, ...rest);
      if (message.query !== 'minimap' || window.typed_between > 0) return;
      window.typed_between += 1;
      const field = document.querySelector('#pattern');
      field.value = '(';
      field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
    };
  });
  await page.type('#pattern', 'Conv2D');
  await page.keyboard.press('Enter');
  await until(page, () => !document.querySelector('#pattern-problem').hidden);
  assert.match(await page.$eval('#pattern-problem', (problem) => problem.textContent), /unclosed group/);
  assert.equal(await page.evaluate(() => window.typed_between), 1);
  await untilPatterns(page, 1);
});

onTrace(fixture('ps4w.pb'), 'what is open over a trace closes when another one comes, and stays with another view', async ({ page }) => {
  await toTab(page, 'range');
  await page.click('[aria-controls="patterns"]');
  await page.type('#pattern', 'Conv2D');
  await page.keyboard.press('Enter');
  await untilPatterns(page, 1);
  assert.ok(await page.$eval('#patterns', (own) => own.checkVisibility()));
  await openFiles(page, fixture('mnist-adam.pb'));
  assert.equal(await page.$eval('#patterns', (own) => own.hidden), true);
  await clickButton(page, 'Share');
  await page.waitForSelector('#share[open]');
  await openFiles(page, fixture('ps4w.pb'));
  assert.equal(await page.$('dialog[open]'), null);
});

onTrace(fixture('ps4w.pb'), 'an op type counts as communication by its menu, and again as what its name says', async ({ page }) => {
  const before = await summary(page);
  await toTab(page, 'range');
  await chooseOn(page, '_MklNativeConv2DBackpropFilter', 'count as communication');
  await same(page, await withPatterns(CONV));
  await untilField(page, 'com', CONV);
  assert.equal(await page.$eval('.fact.by-pattern', (fact) => fact.innerText), '1 pattern');
  await chooseOn(page, '_MklNativeConv2DBackpropFilter', 'count as what its name says');
  await same(page, before);
  await untilField(page, 'com', null);
});

onTrace(fixture('ps4w.pb'), 'patterns are typed, listed and removed, and a bad one says so at its field', async ({ page }) => {
  // The totals of transfers come after the view.
  await until(page, () => window.steplens.summary().transfers !== undefined);
  const before = await summary(page);
  await toTab(page, 'range');
  await page.click('[aria-controls="patterns"]');
  await page.type('#pattern', '(');
  await page.keyboard.press('Enter');
  await until(page, () => document.querySelector('#pattern-problem').checkVisibility());
  assert.match(await page.$eval('#pattern-problem', (problem) => problem.innerText), /`\(` is not a regular expression/);
  assert.equal(await page.$eval('#pattern', (input) => input.getAttribute('aria-invalid')), 'true');
  assert.deepEqual(await summary(page), before);
  await page.keyboard.press('Backspace');
  assert.equal(await page.$eval('#pattern-problem', (problem) => problem.hidden), true);
  for (const pattern of ['Conv2D', 'no op is called so']) {
    await page.type('#pattern', pattern);
    await page.keyboard.press('Enter');
    await until(page, () => document.querySelector('#pattern').value === '');
  }
  await untilPatterns(page, 2);
  await same(page, await withPatterns('Conv2D', 'no op is called so'));
  await until(page, () => [...document.querySelectorAll('.pattern-list .figure')].every((figure) => figure.textContent !== ''));
  const listed = await page.$$eval('.pattern-list > li', (all) => all.map((line) => [line.querySelector('code').innerText, line.querySelector('.figure').innerText]));
  const conv = (await open(fixture('ps4w.pb'))).session.patternOps(['Conv2D'])[0];
  assert.ok(conv > 500);
  assert.deepEqual(listed, [['Conv2D', `${conv.toLocaleString('en')} ops`], ['no op is called so', '0 ops']]);
  for (let left = 1; left >= 0; left--) {
    await page.click('.pattern-list button');
    await untilPatterns(page, left);
  }
  await same(page, before);
  // It lies over the rows that the next test looks for.
  await page.click('[aria-controls="patterns"]');
});

onTrace(fixture('ps4w.pb'), 'a view with patterns comes back by its address, after a reload, and in what is shared', async ({ page }) => {
  await toTab(page, 'range');
  await page.focus('canvas.lanes');
  await page.keyboard.press('w');
  const window = await untilField(page, 'w');
  await chooseOn(page, '_MklNativeConv2DBackpropFilter', 'count as communication');
  const wanted = await withPatterns(CONV);
  await same(page, wanted);
  await untilField(page, 'com', CONV);
  assert.equal((await fields(page)).w, window, 'the view stayed where it was');
  const html = textOfPage(await share(page));
  assert.match(html, /com=%5E_MklNativeConv2DBackpropFilter%24/);
  await until(page, () => performance.getEntriesByName('steplens:kept').length > 0);
  await page.reload({ waitUntil: 'load' });
  await waitForState(page, 'ready');
  await same(page, { ...wanted, files: (await summary(page)).files });
  // A damaged address takes nothing away.
  const other = await visit(browser, `${site.url}#${(await page.evaluate(() => location.hash.slice(1))).replace(/com=[^&]*/, 'com=(%0AReluGrad')}`);
  await openFiles(other.page, fixture('ps4w.pb'));
  await same(other.page, await withPatterns('ReluGrad'));
  assert.deepEqual(await other.faults(), []);
  await other.page.close();
});
