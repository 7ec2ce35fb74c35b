// Tables and the timeline go together: what is asked of one leads to the right rows of another, and what is selected in one is shown in all.

import assert from 'node:assert/strict';
import { searchFor, until, untilSpoken } from './hands.mjs';
import { fixture } from './site.mjs';
import { onPage, onTrace } from './stage.mjs';
import { openFiles } from './steplens.mjs';

const rowsOf = (tab) => `#panel-${tab} [role="grid"] tbody tr:not(.spacer)`;

async function turnTo(page, tab) {
  await page.$eval(`#tab-${tab}`, (button) => button.click());
  await page.waitForSelector(`#panel-${tab}`, { visible: true });
}

/** The texts of the column called `title`, of the rows that are there. */
const column = (page, tab, title) =>
  page.$eval(
    `#panel-${tab} [role="grid"]`,
    (grid, title) => {
      const at = [...grid.querySelectorAll('thead th')].findIndex((head) => head.textContent.replace(/[↑↓]/, '').trim() === title);
      return [...grid.querySelectorAll('tbody tr:not(.spacer)')].map((row) => row.children[at]?.textContent);
    },
    title,
  );

async function filterBy(page, panel, words) {
  await page.$eval(
    `${panel} input[type="search"]`,
    (field, words) => {
      field.value = words;
      field.dispatchEvent(new Event('input'));
    },
    words,
  );
}

onTrace(fixture('ps4w.pb'), 'the tensor that was waited for longest leads to its transfers, longest wait first, with from and to', async ({ page }) => {
  await turnTo(page, 'network');
  await page.waitForSelector('#network-tensors');
  await page.$eval('#network-tensors', (question) => question.click());
  const first = '#panel-network .table-panel:not([hidden]) tbody tr:not(.spacer)';
  await until(page, (rows) => [...document.querySelectorAll(rows)].some((row) => row.offsetHeight > 0), first);
  const tensor = await page.evaluate((rows) => {
    const row = [...document.querySelectorAll(rows)].find((row) => row.offsetHeight > 0);
    const { title } = row.querySelector('th');
    row.click();
    return title;
  }, first);
  await page.waitForSelector('#panel-transfers', { visible: true });
  await until(page, () => document.querySelector('#panel-transfers input[type="search"]').value.includes('='));
  await until(page, (rows) => document.querySelectorAll(rows).length > 0 && document.querySelectorAll(rows).length < 20, rowsOf('transfers'));
  const [names, waits, sources] = await Promise.all(['Tensor', 'Waited', 'From'].map((title) => column(page, 'transfers', title)));
  assert.equal(new Set(names).size, 1, `${tensor}: ${names}`);
  const lengths = waits.map(nanoseconds);
  assert.ok(lengths[0] > 0, `the first of ${waits} was waited for`);
  assert.deepEqual(lengths, [...lengths].sort((a, b) => b - a));
  assert.ok(sources.every((source) => source?.length > 0), `${sources}`);
});

/** Of `1.234 ms`. */
function nanoseconds(text) {
  const [, figure, unit] = /^([\d.,]+)\s*(ns|µs|ms|s)$/u.exec(text) ?? assert.fail(`${text} is no duration`);
  return Number(figure.replaceAll(',', '')) * { ns: 1, µs: 1e3, ms: 1e6, s: 1e9 }[unit];
}

onTrace(fixture('ps4w.pb'), 'what is selected elsewhere is scrolled to in the table that is open', async ({ page }) => {
  await turnTo(page, 'table');
  await page.waitForSelector(rowsOf('table'));
  assert.equal(await page.$(`${rowsOf('table')}.selected`), null);
  // An op of the middle, whose row is far below.
  await searchFor(page, 'name=AddN_98');
  await page.keyboard.press('Enter');
  await untilSpoken(page, /^Selected AddN_98/);
  await turnTo(page, 'table');
  await until(page, () => {
    const [row, box] = [document.querySelector('#panel-table tr.selected'), document.querySelector('#panel-table .table-scroll')];
    if (!row) return false;
    const [own, frame] = [row.getBoundingClientRect(), box.getBoundingClientRect()];
    return own.top >= frame.top && own.bottom <= frame.bottom + 1 && row.textContent.includes('AddN_98');
  });
});

onPage('every table takes the filter of the devices: several words, commas, expressions, and what to leave out', async ({ page }) => {
  await page.setViewport({ width: 1600, height: 900 });
  await openFiles(page, fixture('ps4w.pb'));
  await turnTo(page, 'range');
  await until(page, () => [...document.querySelectorAll('#panel-range .range-part')].every((part) => part.querySelector('tbody tr')));
  const types = '#panel-range .range-part:nth-of-type(2)';
  const listed = () => page.$$eval(`${types} tbody tr:not(.spacer) th`, (cells) => cells.map((cell) => cell.textContent));
  const until_listed = (test) => until(page, `(() => { const names = [...document.querySelectorAll('${types} tbody tr:not(.spacer) th')].map((cell) => cell.textContent); return ${test}; })()`);
  await filterBy(page, types, 'conv2d, relugrad');
  await until_listed('names.length > 1 && names.every((name) => /conv2d|relugrad/i.test(name))');
  const both = await listed();
  await filterBy(page, types, 'conv2d, relugrad, -backprop');
  await until_listed(`names.length > 0 && names.length < ${both.length}`);
  assert.ok((await listed()).every((name) => !/backprop/i.test(name)));
  await filterBy(page, types, '/^(relugrad|slice)$/');
  await until_listed('names.length === 2');
});

onTrace(fixture('ps4w-skewed.pb'), 'ops of a finding are told apart by tensor, device and time', async ({ page }) => {
  await turnTo(page, 'problems');
  await page.waitForSelector('#panel-problems .found-ops button');
  const links = await page.$$eval('#panel-problems .found-ops', ([ops]) => [...ops.querySelectorAll('li:not(.note)')].map((link) => link.textContent));
  assert.ok(links.length > 2);
  assert.equal(new Set(links).size, links.length, links.join('\n'));
  assert.ok(links.every((text) => /, \d[\d.,]* (µs|ms|s)$/u.test(text.replaceAll('\u00a0', ' ').replaceAll('\u202f', ' '))), links.join('\n'));
});
