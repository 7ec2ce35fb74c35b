// The palette, the menu of a device, and whom a shared file is for.

import assert from 'node:assert/strict';
import { faultsOf } from './axe.mjs';
import { until, untilSpoken } from './hands.mjs';
import { fixture } from './site.mjs';
import { onTrace } from './stage.mjs';

async function ask(page, words) {
  await page.keyboard.down('Control');
  await page.keyboard.press('k');
  await page.keyboard.up('Control');
  await page.waitForSelector('#palette[open]');
  await page.keyboard.type(words);
  return page.$$eval('#palette [role="option"]', (all) => all.map((one) => one.querySelector('.palette-words').textContent));
}

onTrace(fixture('ps4w.pb'), 'Ctrl+K finds commands, tabs, devices and settings by words of both languages', async ({ page }) => {
  assert.equal((await ask(page, 'memory tab'))[0], 'Memory');
  assert.deepEqual(await faultsOf(page), []);
  await page.keyboard.press('Enter');
  await page.waitForSelector('#tab-memory[aria-selected="true"]');
  // Chinese, on a page in English.
  assert.equal((await ask(page, '网络'))[0], 'Network');
  await page.keyboard.press('Enter');
  await page.waitForSelector('#tab-network[aria-selected="true"]');
  assert.ok((await ask(page, 'worker 2'))[0].includes('worker 2'));
  await page.keyboard.press('Enter');
  await until(page, () => document.querySelector('.device.chosen')?.dataset.device === '3');
  await ask(page, 'colour by op type');
  await page.keyboard.press('Enter');
  await until(page, () => document.querySelector('.legend').innerText.includes('op type'));
  // Arrows choose, Esc leaves everything as it was.
  await ask(page, 'drawer');
  await page.keyboard.press('ArrowDown');
  assert.equal(await page.$$eval('#palette [aria-selected="true"]', (all) => all[0].id), 'palette-1');
  await page.keyboard.press('Escape');
  await until(page, () => !document.querySelector('#palette').open);
  assert.deepEqual(await ask(page, 'no such command'), []);
  assert.equal(await page.$eval('.palette-more', (more) => more.textContent), 'Nothing of that name');
});

onTrace(fixture('mnist-adam.pb'), 'commands have the keys that the help sheet tells, whosever gestures they are', async ({ page }) => {
  for (const gestures of ['steplens', 'speedscope']) {
    await page.focus('canvas.lanes');
    await page.keyboard.press('?');
    await page.waitForSelector('#help[open]');
    await page.select('.help-gestures', gestures);
    const told = await page.$$eval('#help .help-line', (lines) =>
      lines.map((line) => [line.querySelector('dd').textContent, [...line.querySelectorAll('kbd')].map((key) => key.textContent)]));
    await page.keyboard.press('Escape');
    await until(page, () => !document.querySelector('#help').open);
    await ask(page, 'command');
    const commands = await page.$$eval('#palette [role="option"]', (all) =>
      all
        .filter((one) => one.querySelector('.note').textContent === 'command')
        .map((one) => [one.querySelector('.palette-words').textContent, [...one.querySelectorAll('kbd')].map((key) => key.textContent)]));
    assert.ok(commands.length > 30, `${commands.length} commands`);
    // A line of the help sheet may be of two commands.
    const keys = new Map();
    for (const [words, own] of commands) keys.set(words, [...(keys.get(words) ?? []), ...own]);
    const of_help = new Map(told.filter(([, own]) => !own.some((key) => /wheel|drag|click/.test(key))));
    for (const [words, own] of keys) assert.deepEqual(own, of_help.get(words) ?? [], `${words}, ${gestures}`);
    await page.keyboard.press('Escape');
    await until(page, () => !document.querySelector('#palette').open);
  }
});

onTrace(fixture('ps4w.pb'), 'G says what the words mean', async ({ page }) => {
  await page.focus('canvas.lanes');
  await page.keyboard.press('g');
  await page.waitForSelector('#glossary[open]');
  const text = await page.$eval('#glossary', (dialog) => dialog.innerText);
  for (const word of ['exposed communication', 'only waiting', 'waiting for its turn', 'before the first op']) assert.ok(text.includes(word), word);
  assert.deepEqual(await faultsOf(page), []);
  await page.keyboard.press('Escape');
  await until(page, () => !document.querySelector('#glossary').open);
});

onTrace(fixture('ps4w.pb'), 'the menu of a device leads to its op types, its memory and its transfers, and shows it alone', async ({ page }) => {
  const menu = async (words) => {
    await page.click('.device[data-device="2"] .device-head', { button: 'right' });
    await page.waitForSelector('.context-menu');
    await page.evaluate((words) => [...document.querySelectorAll('.context-menu button')].find((one) => one.textContent === words).click(), words);
  };
  await menu('Its op types');
  await until(page, () => document.querySelector('.device.chosen')?.dataset.device === '2' && document.querySelector('#tab-range').getAttribute('aria-selected') === 'true');
  await menu('Its memory');
  await page.waitForSelector('#alive-0', { visible: true });
  await menu('Its memory');
  await until(page, () => [...document.querySelectorAll('.memory select')].some((one) => one.selectedOptions[0]?.text.includes('worker 1')));
  await menu('Its transfers');
  await until(page, () => document.querySelector('#panel-transfers input[type="search"]')?.value.includes('worker 1'));
  await menu('Show only this device');
  await until(page, () => document.querySelectorAll('.device').length === 1);
});

onTrace(fixture('ps4w.pb'), 'Share is for a team or for the public, and says which', async ({ page }) => {
  await page.$$eval('.header button', (all) => all.find((one) => one.textContent.trim() === 'Share').click());
  await page.waitForSelector('#share[open]');
  const pressed = () => page.$$eval('#share .share-for', (all) => all.map((one) => one.getAttribute('aria-pressed')));
  const [team, everybody] = await page.$$('#share .share-for');
  await team.click();
  assert.deepEqual(await pressed(), ['true', 'false']);
  assert.match(await page.$eval('.share-about', (about) => about.textContent), /^Every name as recorded/);
  await until(page, () => document.querySelector('.share-size').textContent.includes('ps4w.steplens.html'));
  await everybody.click();
  assert.deepEqual(await pressed(), ['false', 'true']);
  assert.match(await page.$eval('.share-about', (about) => about.textContent), /^Hashes replace every name/);
  await until(page, () => document.querySelector('.share-size').textContent.includes('trace.steplens.html'));
  await page.click('#share [type="submit"]');
  await untilSpoken(page, /Saved trace\.steplens\.html/);
});
