// Opening files in Chromium: what the page then says, and what it does with files that it cannot read.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { FIXTURES, open } from './core.mjs';
import { metricsOf } from './metrics.mjs';
import { runMetadata } from './run_metadata.mjs';
import { fixture } from './site.mjs';
import { onPage, site } from './stage.mjs';
import { chooseBytes, clickButton, errorCode, openFiles, state, summary, text, waitForReady, waitForState } from './steplens.mjs';

const HOSTILE = '</script><img src=x onerror=alert(1)>';

onPage('the page begins empty', async ({ page }) => {
  await waitForState(page, 'empty');
  assert.match(await page.evaluate(() => window.steplens.version), /^\d+\.\d+\.\d+/);
});

for (const file of FIXTURES) {
  onPage(`${file} shows its figures`, async ({ page }) => {
    await openFiles(page, fixture(file));
    const core = await open(fixture(file));
    const shown = await summary(page);
    // The page asks the doctor after the first frame, for an answer of its own.
    const figures = { ...core.summary };
    delete figures.doctor;
    assert.deepEqual(shown, figures, 'the page and the core agree');
    // They are counted after the first frame.
    if (shown.transfers > 0) await page.waitForFunction(() => /\d transfers?\b/.test(document.body.innerText));
    const words = await text(page);
    assert.ok(words.includes(file), `the page names ${file}`);
    assert.match(words, new RegExp(`\\b${shown.ops.toLocaleString('en-US')} ops\\b`));
    // Where nothing was sent, there is no table of links, and the op types have the room.
    if (shown.transfers === 0) assert.equal(await page.$eval('#panel-range section[aria-label="Transfers"]', (part) => part.checkVisibility()), false);
    else assert.match(words, new RegExp(`\\b${shown.transfers.toLocaleString('en-US')} transfers?\\b`));
    const metrics = metricsOf(file);
    if (!metrics) return;
    assert.equal(shown.ops, metrics.ops);
    assert.deepEqual(shown.devices.map((device) => device.name).sort(), Object.keys(metrics.devices).sort());
    for (const device of shown.devices) assert.equal(device.ops, metrics.devices[device.name].ops, device.name);
  });
}

onPage('the sample is one click away', async ({ page }) => {
  await waitForReady(page, () => clickButton(page, 'Open the sample'));
  assert.equal((await summary(page)).ops, metricsOf('ps4w.pb').ops);
});

onPage('several files open as one trace', async ({ page }) => {
  await openFiles(page, fixture('multidev.pb'), fixture('collective.pb'));
  const shown = await summary(page);
  assert.deepEqual(shown.files.map((file) => file.name), ['multidev.pb', 'collective.pb']);
  // They were recorded minutes apart: the first step is shown, and all of them are a key away.
  assert.deepEqual([shown.view.step, shown.view.steps], [1, 2]);
  await page.keyboard.press('e');
  await page.waitForFunction(() => window.steplens.summary().view.step === null);
  assert.equal((await summary(page)).ops, metricsOf('multidev.pb').ops + metricsOf('collective.pb').ops);
});

onPage('a Chrome trace opens like a RunMetadata', async ({ page }) => {
  await openFiles(page, fixture('chrome/timeline-hook.json'));
  const shown = await summary(page);
  assert.deepEqual(shown, (await open(fixture('chrome/timeline-hook.json'))).summary, 'the page and the core agree');
  const events = JSON.parse(await readFile(fixture('chrome/timeline-hook.json'), 'utf8')).traceEvents;
  assert.equal(shown.ops, events.filter((event) => event.ph === 'X').length);
  assert.equal(shown.files[0].format, 'chrome-trace');
  assert.deepEqual(shown.devices.map((device) => device.name), ['/job:localhost/replica:0/task:0/device:CPU:0']);
  assert.ok((await text(page)).includes('timeline-hook.json'));
});

onPage('bytes can be handed over by a script', async ({ page }) => {
  const bytes = [...(await readFile(fixture('collective.pb')))];
  await waitForReady(page, () => page.evaluate((bytes) => window.steplens.openBytes('by-script.pb', Uint8Array.from(bytes)), bytes));
  assert.equal((await summary(page)).files[0].name, 'by-script.pb');
});

onPage('an unreadable file is an error with a code', async ({ page }) => {
  await chooseBytes(page, [{ name: 'noise.pb', bytes: new TextEncoder().encode('this is no trace at all') }]);
  await page.waitForSelector('#error[data-code]');
  assert.match(await errorCode(page), /^[a-z]+(-[a-z]+)*$/);
  assert.equal(await state(page), 'error');
  assert.equal(await page.$eval('#error', (element) => element.getAttribute('role')), 'alert');
  assert.match(await page.$eval('#error', (element) => element.innerText), /noise\.pb is a text file, not a trace\./);
});

onPage('an unreadable file leaves the open trace untouched', async ({ page }) => {
  await openFiles(page, fixture('mnist-adam.pb'));
  const before = await summary(page);
  await chooseBytes(page, [{ name: 'noise.pb', bytes: new TextEncoder().encode('this is no trace at all') }]);
  await page.waitForSelector('#error[data-code]');
  assert.deepEqual(await summary(page), before);
  assert.ok((await text(page)).includes('mnist-adam.pb'));
  // The core still answers for it.
  await openFiles(page, fixture('collective.pb'));
  assert.equal(await errorCode(page), null, 'the error goes away with the next good file');
});

onPage('a file cut short gives what is before the cut, and says so', async ({ page }) => {
  const whole = await readFile(fixture('mnist-adam.pb'));
  await waitForReady(page, () => chooseBytes(page, [{ name: 'cut.pb', bytes: whole.subarray(0, whole.length >> 2) }]));
  const [file] = (await summary(page)).files;
  assert.ok(file.ops > 0 && file.ops < metricsOf('mnist-adam.pb').ops);
  assert.ok(file.problems.length > 0);
  // Over all figures, and not only as a count of problems.
  const said = await page.$eval('#damage-bar', (bar) => ({ shown: bar.checkVisibility(), text: bar.innerText.replace(/\s+/g, ' ') }));
  assert.ok(said.shown && said.text.startsWith(`Part of cut.pb could not be read. The figures are of the ${file.ops.toLocaleString('en')} ops that could.`), said.text);
  await page.click('#damage-bar button');
  await page.waitForSelector('#panel-problems', { visible: true });
  await openFiles(page, fixture('mnist-adam.pb'));
  assert.equal(await page.$eval('#damage-bar', (bar) => bar.checkVisibility()), false);
});

onPage('opening can be cancelled', async ({ page }) => {
  await openFiles(page, fixture('mnist-adam.pb'));
  const before = await summary(page);
  const bytes = await readFile(fixture('ps4w.pb'));
  // Both in one task: whatever the machine's speed, the cancel is on its way before the file can have been read.
  await page.evaluate((base64) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], 'ps4w.pb'));
    const input = document.querySelector('#open-file');
    input.files = transfer.files;
    input.dispatchEvent(new Event('change', { bubbles: true }));
    [...document.querySelectorAll('button')].find((button) => button.textContent.trim() === 'Cancel').click();
  }, bytes.toString('base64'));
  await page.waitForFunction(() => document.body.dataset.state !== 'loading');
  assert.equal(await state(page), 'ready');
  assert.deepEqual(await summary(page), before);
  assert.equal(await errorCode(page), null, 'cancelling is no error');
});

onPage('hostile names are text', async ({ page }) => {
  const dialogs = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  const bytes = runMetadata([
    { device: `/job:${HOSTILE}/replica:0/task:0/device:CPU:0`, ops: [{ name: HOSTILE, label: `${HOSTILE} = MatMul(${HOSTILE})`, start: 1000, end: 2000 }] },
    { device: '/job:a/replica:0/task:1/device:CPU:0', ops: [{ name: `${HOSTILE}2`, label: HOSTILE, start: 1500, end: 2500 }] },
  ]);
  await waitForReady(page, () => chooseBytes(page, [{ name: `${HOSTILE}.pb`, bytes }]));
  assert.equal((await summary(page)).ops, 2);
  assert.ok((await text(page)).includes(`${HOSTILE}.pb`));
  assert.equal(await page.$$eval('img', (images) => images.length), 0);
  assert.deepEqual(dialogs, []);
});
