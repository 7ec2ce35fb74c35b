// The critical paths in Chromium: the bar, the tab, and the timeline lit along the path.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { faultsOf } from './axe.mjs';
import { fragment } from './canvas.mjs';
import { open } from './core.mjs';
import { boxOf, toTab, untilField, untilRest } from './hands.mjs';
import { fixture } from './site.mjs';
import { browser, openedHere, site } from './stage.mjs';
import { openFiles, visit } from './steplens.mjs';

let core;
before(async () => {
  core = await open(fixture('ps4w.pb'));
});
after(() => core?.session.free());

test('what the step waited for is summed, listed, followed to ops and lit', async () => {
  const path = JSON.parse(core.session.criticalPath());
  const { page } = await openedHere('', fixture('ps4w.pb'));

  // The row of the path comes after the first frame, by itself.
  await page.waitForSelector('.path-strip:not([aria-valuemax="1"])');
  assert.equal(await page.$eval('.path-strip', (strip) => Number(strip.ariaValueMax)), path.ops.length);
  // It is the last of the timeline.
  assert.ok(await page.evaluate(() => document.querySelector('.path-strip').getBoundingClientRect().top >= document.querySelector('canvas.lanes').getBoundingClientRect().bottom));

  await toTab(page, 'path');
  await page.waitForSelector('#panel-path .path-sums tbody tr', { visible: true });
  assert.equal(await page.$eval('#panel-path .path-sentence', (own) => own.textContent), path.sentence);
  const rows = () => page.$$eval('#panel-path .path-sums tbody tr', (rows) => rows.map((row) => row.cells[0].textContent));
  assert.equal((await rows()).length, path.by_category.length);
  await page.evaluate(() => [...document.querySelectorAll('#panel-path .path-choices button')].find((button) => button.textContent === 'By device').click());
  await page.waitForFunction((count) => document.querySelectorAll('#panel-path .path-sums tbody tr').length === count, {}, path.by_device.length);

  // A segment selects its op.
  await page.waitForSelector('#panel-path .path-right tbody tr:not(.spacer)');
  await page.click('#panel-path .path-right tbody tr:not(.spacer)');
  await page.waitForFunction((op) => location.hash.includes(`op=${op}`), {}, path.ops[0]);
  assert.deepEqual(await faultsOf(page), []);

  // One key lights the timeline: the rest stands back.
  const ink = () =>
    page.$eval('canvas.lanes', (canvas) => {
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      let sum = 0;
      for (let at = 0; at < data.length; at += 4) sum += Math.max(data[at], data[at + 1], data[at + 2]) - Math.min(data[at], data[at + 1], data[at + 2]);
      return sum;
    });
  // The whole step again: each path is somewhere in it.
  await page.focus('canvas.lanes');
  await page.keyboard.press('0');
  await untilRest(page);
  const before = await ink();
  await page.keyboard.press('l');
  await page.waitForSelector('.path-light[aria-pressed="true"]');
  await page.waitForFunction(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true)))));
  const lit = await ink();
  assert.ok(lit < 0.8 * before, `${lit} of ${before}: nothing stands back`);
  await page.keyboard.press('l');
  await page.waitForSelector('.path-light[aria-pressed="false"]');

  // The other paths are lit in the same way: by the control of the tab, and by the key that goes on to the next one.
  const pictures = [];
  const drawn = async (said) => {
    await page.waitForFunction((said) => document.querySelector('.notice, [role="status"]') && document.body.textContent.includes(said), {}, said);
    await page.waitForFunction(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true)))));
    pictures.push(await ink());
  };
  await page.select('#panel-path .path-which', 'static');
  await page.waitForSelector('.path-light[aria-pressed="true"]');
  await drawn('The static path is lit');
  await page.focus('canvas.lanes');
  for (const said of ['The path that shares least with the static path is lit', 'The critical path is lit', 'The static path is lit']) {
    await page.keyboard.down('Alt');
    await page.keyboard.press('l');
    await page.keyboard.up('Alt');
    await drawn(said);
  }
  const [of_static, of_next, of_observed, again] = pictures;
  assert.equal(of_observed, lit);
  assert.equal(again, of_static);
  assert.equal(new Set([of_static, of_next, of_observed]).size, 3, `${pictures}: three paths are three pictures`);
  for (const picture of pictures) assert.ok(picture < 0.8 * before, `${picture} of ${before}: nothing stands back`);
  assert.equal(await page.$eval('#panel-path .path-which', (own) => own.value), 'static');
  assert.deepEqual(await faultsOf(page), []);
});

test('the strip above the lanes says what the step waited for, by pointer and by keyboard', async () => {
  const path = JSON.parse(core.session.criticalPath());
  const { page, faults } = await visit(browser, `${site.url}${fragment(core.summary, 0, core.summary.span_ns)}`);
  await openFiles(page, fixture('ps4w.pb'));
  await page.waitForSelector('.path-strip:not([aria-valuemax="1"])');
  await untilRest(page);
  // The longest segment: under the pointer its op and length are there.
  const lengths = path.ops.map((_, at) => path.end_ns[at] - path.start_ns[at]);
  const longest = lengths.indexOf(Math.max(...lengths));
  const box = await boxOf(page, '.path-strip');
  const middle = (path.start_ns[longest] + path.end_ns[longest]) / 2;
  const x = box.x + (box.width * middle) / core.summary.span_ns;
  await page.mouse.move(x, box.y + box.height / 2);
  await page.waitForSelector('.tooltip:not([hidden])');
  assert.equal(path.kinds[path.kind[longest]], 'starting');
  assert.match(await page.$eval('.tooltip', (own) => own.innerText), /before the first op/);
  await page.mouse.click(x, box.y + box.height / 2);
  await untilField(page, 'op', String(path.ops[longest]));
  assert.equal(await page.$eval('.path-strip', (own) => own.getAttribute('aria-valuenow')), String(longest + 1));

  // Arrows go from segment to segment, Enter selects.
  await page.focus('.path-strip');
  await page.keyboard.press('Home');
  assert.equal(await page.$eval('.path-strip', (own) => own.getAttribute('aria-valuenow')), '1');
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.$eval('.path-strip', (own) => own.getAttribute('aria-valuenow')), '2');
  assert.match(await page.$eval('.path-strip', (own) => own.getAttribute('aria-valuetext')), new RegExp(`^starting the op, .*${path.names[1]}`));
  assert.equal(path.kinds[path.kind[1]], 'launching');
  await page.keyboard.press('Enter');
  await untilField(page, 'op', String(path.ops[1]));
  assert.deepEqual(await faultsOf(page), []);

  // Hidden, it stays so for the next page.
  await page.keyboard.down('Shift');
  await page.keyboard.press('l');
  await page.keyboard.up('Shift');
  await page.waitForSelector('.strip-row[hidden]');
  await page.reload();
  await openFiles(page, fixture('ps4w.pb'));
  await page.waitForSelector('.highlight');
  assert.equal(await page.$('.strip-row:not([hidden])'), null);
  await page.evaluate(() => localStorage.clear());
  assert.deepEqual(await faults(), []);
  await page.close();
});

test('why an op started late names what it waited for and what ran instead, each a link', async () => {
  const path = JSON.parse(core.session.criticalPath());
  const { page, faults } = await openedHere('', fixture('ps4w.pb'));
  await page.waitForSelector('.path-strip:not([aria-valuemax="1"])');
  const behind = path.behind_count.indexOf(Math.max(...path.behind_count.filter((_, at) => path.start_ns[at] > 68e6)));
  const why = JSON.parse(core.session.why(path.ops[behind]));
  assert.ok(why.instead.some(({ place }) => place === 'shared'));
  assert.ok(why.busy_ns > 0.9 * why.queued_ns);
  await toTab(page, 'path');
  await page.waitForSelector('#panel-path .path-right tbody tr:not(.spacer)');
  await page.type('#panel-path .path-right input', path.names[behind]);
  await page.waitForFunction((name) => document.querySelector('#panel-path .path-right tbody tr:not(.spacer)')?.innerText.includes(name), {}, path.names[behind]);
  await page.click('#panel-path .path-right tbody tr:not(.spacer)');
  await untilField(page, 'op', String(path.ops[behind]));

  // One key shows why; the keyboard is on the answer.
  await page.focus('canvas.lanes');
  await page.keyboard.press('y');
  await page.waitForSelector('.why .refs .op-link', { visible: true });
  assert.equal(await page.evaluate(() => document.activeElement.className), 'block why');
  const words = await page.$eval('.why', (own) => own.innerText);
  assert.ok(words.includes('waiting for its turn'), words);
  assert.ok(words.includes(why.cause.name), words);
  assert.ok(words.includes(`${why.instead_count.toLocaleString('en')} ops ran for`), words);
  assert.deepEqual(await faultsOf(page), []);

  // What ran instead is a link that selects it.
  await page.evaluate((name) => [...document.querySelectorAll('.why .op-link')].find((link) => link.textContent === name).click(), why.instead[0].op.name);
  await untilField(page, 'op', String(why.instead[0].op.op));
  // Another key follows what was waited for.
  const next = JSON.parse(core.session.why(why.instead[0].op.op));
  await page.waitForFunction((name) => document.querySelector('.why')?.innerText.includes(name), {}, next.cause.name);
  await page.keyboard.down('Shift');
  await page.keyboard.press('y');
  await page.keyboard.up('Shift');
  await untilField(page, 'op', String(next.cause.op));

  // The straggler's cause leads to the same answer.
  await toTab(page, 'network');
  await page.waitForSelector('.straggler-why .chip', { visible: true });
  await page.click('.straggler-why .chip');
  await page.waitForSelector('#panel-selection .why', { visible: true });
  assert.deepEqual(await faults(), []);
  await page.close();
});

test('over several steps each op says on how many paths it is, and in which step it is longest', async () => {
  const { page, faults } = await openedHere('', fixture('ps4w.pb'), fixture('ps4w-later.pb'));
  await page.waitForSelector('.path-strip:not([aria-valuemax="1"])');
  await toTab(page, 'path');
  await page.waitForFunction(() => [...document.querySelectorAll('#panel-path .path-choices button')].some((button) => button.textContent === 'Over steps' && !button.hidden));
  await page.evaluate(() => [...document.querySelectorAll('#panel-path .path-choices button')].find((button) => button.textContent === 'Over steps').click());
  await page.waitForSelector('.path-over-steps tbody tr:not(.spacer)', { visible: true });
  const first = await page.$eval('.path-over-steps tbody tr:not(.spacer)', (row) => [...row.cells].map((cell) => cell.textContent));
  // Those on both paths come first.
  assert.equal(first[2], '2');
  assert.notEqual(await page.$eval('.path-over-steps .path-sentence', (own) => own.textContent), '');
  assert.deepEqual(await faultsOf(page), []);
  assert.ok(['1', '2'].includes(first[6]), first[6]);
  assert.deepEqual(await faults(), []);
  await page.close();
});
