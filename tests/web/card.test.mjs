// What is selected opens a card next to it: never over it, never outside the window, closed by Escape and by a click elsewhere, pinned into the drawer.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultsOf } from './axe.mjs';
import { until, untilField, untilRest } from './hands.mjs';
import { layoutFaults } from './layout_faults.mjs';
import { fixture } from './site.mjs';
import { browser, site } from './stage.mjs';
import { openFiles, visit } from './steplens.mjs';
import { thorough } from './thorough.mjs';

/** A page as somebody has it who has chosen nothing. */
async function opened(viewport, { file = 'ps4w.pb', lang = 'en', scheme = 'light' } = {}) {
  const visited = await visit(browser, site.url, { fresh: true, viewport, scheme, prepare: `if (!window.name) { localStorage.clear(); window.name = 'here'; } localStorage.setItem('steplens.language', '${lang}')` });
  const { page } = visited;
  await openFiles(page, fixture(file));
  await page.waitForSelector('.highlight');
  await untilRest(page);
  return visited;
}

/** Waits until the card is there, and stays where it is: it follows the op, and grows as answers come. */
async function isThere(page, there) {
  await until(page, (there) => document.querySelector('.selection-card').checkVisibility() === there, there);
  if (there) await page.evaluate(cardRests);
}

/** Runs in the page. */
async function cardRests() {
  const placeOf = () => Object.values(document.querySelector('.selection-card').getBoundingClientRect().toJSON()).join();
  for (let before = '', same = 0; same < 10;) {
    await new Promise(requestAnimationFrame);
    const now = placeOf();
    same = now === before ? same + 1 : 0;
    before = now;
  }
}

/** Clicks at a share of the lanes; gives where, and the card that is there then, if an op was selected. */
async function clickAt(page, across, down) {
  const { left, top, width, height } = await page.$eval('canvas.lanes', (own) => own.getBoundingClientRect().toJSON());
  const at = { x: Math.round(left + width * across), y: Math.round(top + height * down) };
  await page.mouse.click(at.x, at.y);
  await untilRest(page);
  const card = await page.$eval('.selection-card', (own) => own.checkVisibility() && own.getBoundingClientRect().toJSON());
  return { at, card };
}

const VIEWPORTS = [{ width: 900, height: 700 }, { width: 1600, height: 900 }];
thorough(() => VIEWPORTS.push({ width: 1280, height: 720 }));

/** Where the selected op is drawn, and its card, for an op of this share of the lanes: the outline is the op's own rectangle. */
const places = (page) => page.evaluate(() => ({ card: document.querySelector('.selection-card').getBoundingClientRect().toJSON(), lanes: document.querySelector('canvas.lanes').getBoundingClientRect().toJSON() }));

for (const viewport of VIEWPORTS)
  test(`${viewport.width} px: wherever an op is, its card is in the window and not over it`, async () => {
    const { page, faults } = await opened(viewport);
    let found = 0;
    for (const across of [0.12, 0.45, 0.8, 0.985])
      for (const down of [0.06, 0.25, 0.6, 0.97]) {
        const { at, card } = await clickAt(page, across, down);
        // The one before may lie over the place of this click: then it stays.
        if (!card || (at.x > card.left && at.x < card.right && at.y > card.top && at.y < card.bottom)) {
          assert.ok(!card || at.x > card.left, 'a card is there because of this click');
          await page.keyboard.press('Escape');
          continue;
        }
        found += 1;
        assert.ok(card.left >= 0 && card.top >= 0 && card.right <= viewport.width && card.bottom <= viewport.height, JSON.stringify({ at, card }));
        assert.deepEqual(await layoutFaults(page), []);
        await page.keyboard.press('Escape');
        await isThere(page, false);
      }
    assert.ok(found >= 4, `${found}`);
    assert.deepEqual(await faults(), []);
    await page.close();
  });

test('it says what the op is, when it ran, why it was late, and what can be done; Escape and a click elsewhere close it', async () => {
  const { page, faults } = await opened({ width: 1600, height: 900 });
  await page.focus('canvas.lanes');
  await page.keyboard.press('.');
  const op = await untilField(page, 'op');
  await isThere(page, true);
  assert.equal(await page.$eval('.drawer', (own) => own.classList.contains('closed')), true, 'the lanes keep their room');
  const said = await page.$eval('.selection-card', (own) => own.innerText);
  for (const word of ['start', 'end', 'Why late?', 'Zoom to it', 'Arrows over']) assert.ok(said.includes(word), `${word} in ${said}`);
  // The keyboard comes to it from the lanes.
  for (let tabs = 0; tabs < 4 && !(await page.evaluate(() => document.activeElement.closest('.selection-card') !== null)); tabs++) await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.closest('.selection-card') !== null), true);
  await page.keyboard.press('Escape');
  await isThere(page, false);
  await untilField(page, 'op', null);
  await page.focus('canvas.lanes');
  await page.keyboard.press('.');
  await isThere(page, true);
  await page.mouse.click(600, 15);
  await isThere(page, false);
  // It stays selected.
  await untilField(page, 'op', op);
  await page.focus('canvas.lanes');
  await page.keyboard.press('y');
  await isThere(page, true);
  await until(page, () => document.activeElement.matches('.selection-card .why'));
  assert.deepEqual(await faults(), []);
  await page.close();
});

test('pinned, it is the tab Selection, until it is taken out again', async () => {
  const { page, faults } = await opened({ width: 1600, height: 900 });
  await page.focus('canvas.lanes');
  await page.keyboard.press('.');
  await isThere(page, true);
  assert.equal(await page.$eval('#tab-selection', (own) => own.hidden), true);
  await page.click('.card-tools [aria-label^="Show what is selected in the drawer"]');
  await isThere(page, false);
  await page.waitForSelector('#panel-selection .why', { visible: true });
  await page.reload();
  await openFiles(page, fixture('ps4w.pb'));
  await page.focus('canvas.lanes');
  await page.keyboard.press('.');
  await page.waitForSelector('#panel-selection .op-name', { visible: true });
  await isThere(page, false);
  await page.click('#panel-selection [aria-pressed="true"][aria-label^="Show what is selected on a card"]');
  await isThere(page, true);
  assert.equal(await page.$eval('#tab-selection', (own) => own.hidden), true);
  assert.deepEqual(await faults(), []);
  await page.close();
});

test('on a phone it is below the lanes, as wide as the window', async () => {
  const { page } = await opened({ width: 390, height: 844, hasTouch: true, isMobile: true });
  await page.focus('canvas.lanes');
  await page.keyboard.press('.');
  await isThere(page, true);
  await untilRest(page);
  const { card, lanes } = await page.evaluate(() => ({ card: document.querySelector('.selection-card').getBoundingClientRect().toJSON(), lanes: document.querySelector('canvas.lanes').getBoundingClientRect().toJSON() }));
  assert.ok(card.left === 0 && card.width === 390 && Math.abs(card.bottom - lanes.bottom) <= 1 && card.height <= lanes.height * 0.55, JSON.stringify({ card, lanes }));
  await page.close();
});

test('it says what the op reads and makes, and tries the op faster with a slider', async () => {
  const { page, faults } = await opened({ width: 1600, height: 900 }, { file: 'mnist-adam.pb' });
  await page.keyboard.press('/');
  await page.keyboard.type('name=gradients/out/MatMul_grad/MatMul_1');
  await page.keyboard.press('Enter');
  await isThere(page, true);
  const facts = await page.$$eval('.selection-card .fact-line', (all) => all.map((own) => [...own.children].map((part) => part.textContent)));
  const said = Object.fromEntries(facts);
  // 128 KiB of Relu_1 and 5 KiB of the gradient; 10 KiB are made.
  assert.match(said.reads, /136,192/);
  assert.match(said.makes, /10,240/);
  await page.evaluate(() => [...document.querySelectorAll('.card-do button')].find((own) => own.textContent === 'Try it').click());
  const slider = await page.waitForSelector('#panel-what_if .if-slider', { visible: true });
  assert.equal(await slider.evaluate((own) => own.value), '0.5');
  assert.match(await page.$eval('#panel-what_if .if-name', (own) => own.textContent), /MatMul_grad\/MatMul_1/);
  assert.deepEqual(await faults(), []);
  await page.close();
});

for (const [scheme, lang] of [['light', 'zh-CN'], ['dark', 'en']])
  test(`${scheme}, ${lang}: axe finds nothing on it`, async () => {
    const { page } = await opened({ width: 1280, height: 720 }, { lang, scheme });
    await page.focus('canvas.lanes');
    await page.keyboard.press('.');
    await isThere(page, true);
    assert.deepEqual(await faultsOf(page), []);
    assert.deepEqual(await layoutFaults(page), []);
    await page.close();
  });

test('in a low window with a place open, the card of a long op covers the column of devices, or is lower, and not the op', async () => {
  const { page } = await opened({ width: 900, height: 700 });
  await page.click('#place-time');
  await page.focus('canvas.lanes');
  await page.keyboard.press('.');
  await isThere(page, true);
  // Zoomed to it, it is as long as the lanes.
  for (const key of ['f', '-', '-']) {
    await page.keyboard.press(key);
    await untilRest(page);
    const { card, lanes } = await places(page);
    // It is in the first lane of the first device, at the top.
    assert.ok(card.top > lanes.top + 20 || card.right < lanes.left + lanes.width / 2, JSON.stringify({ key, card, lanes }));
    assert.ok(card.left >= 0 && card.right <= 900 && card.bottom <= lanes.bottom + 1 && card.top >= lanes.top, JSON.stringify({ key, card, lanes }));
    assert.deepEqual(await layoutFaults(page), []);
  }
  await page.close();
});
