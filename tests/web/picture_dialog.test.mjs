// Saving a picture: the page gives the very SVG that the program gives, shows it as an image before it is saved, and makes PNG of it.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { keepBlobs, readsChinese, savedBy, testNothingIsCut, untilClosed } from './dialogs.mjs';
import { toTab } from './hands.mjs';
import { runMetadata } from './run_metadata.mjs';
import { ROOT, fixture } from './site.mjs';
import { browser, openedHere, site } from './stage.mjs';
import { chooseBytes, clickButton, openFiles, share, summary, visit, waitForState } from './steplens.mjs';

const program = process.env.STEPLENS_PROGRAM ?? path.join(ROOT, 'target/debug/steplens');
const KINDS = ['view', 'split', 'waterfall', 'matrix', 'memory', 'critical-path'];

let folder;
before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'steplens-pictures-'));
});
after(() => rm(folder, { recursive: true, force: true }));

/** The SVG that the program writes of `name`, with a heading of that name. */
const drawn = (name, kind, ...more) =>
  execFileSync(program, ['picture', fixture(name), '--of', kind, '--output', '-', ...more], { encoding: 'utf8', stdio: 'pipe', maxBuffer: 1 << 26 });

async function openDialog(page) {
  await page.focus('canvas.lanes');
  await page.keyboard.down('Shift');
  await page.keyboard.press('P');
  await page.keyboard.up('Shift');
  await page.waitForSelector('#picture[open]');
  await shown(page);
}

/** Once the preview is that of the choices. */
const shown = (page) => page.waitForFunction(() => !document.querySelector('#picture .primary').disabled);

/** Sets a field as a user does, and waits for the picture. */
async function choose(page, name, value) {
  await page.evaluate(
    (name, value) => {
      const field = document.querySelector(`#picture [name="${name}"]`);
      if (field.type === 'checkbox') field.checked = value;
      else field.value = value;
      field.dispatchEvent(new Event('input', { bubbles: true }));
    },
    name,
    value,
  );
  await shown(page);
}

/** What is in the preview: the text behind its address. */
const preview = (page) =>
  page.$eval('#picture img', (image) => {
    const bytes = Uint8Array.from(atob(image.src.split(',')[1]), (letter) => letter.codePointAt(0));
    return new TextDecoder().decode(bytes);
  });

const saved = (page) => savedBy(page, 'picture');

test('every picture is the SVG that the program writes', async () => {
  const { page, faults } = await visit(browser, site.url, { prepare: keepBlobs });
  await openFiles(page, fixture('ps4w.pb'));
  for (const [at, kind] of KINDS.entries()) {
    await openDialog(page);
    await choose(page, 'picture-kind', kind);
    const [theme, width] = at % 2 === 0 ? ['light', '1000'] : ['dark', '640'];
    await choose(page, 'picture-theme', theme);
    await choose(page, 'picture-width', width);
    await choose(page, 'picture-heading', at !== 3);
    const wanted = drawn('ps4w.pb', kind, '--theme', theme, '--width', width, ...(at === 3 ? ['--no-heading'] : []));
    assert.equal(await preview(page), wanted, kind);
    const file = await saved(page);
    assert.equal(Buffer.from(file.bytes).toString(), wanted, kind);
    assert.deepEqual([file.name, file.type], [`ps4w.${kind}.svg`, 'image/svg+xml']);
  }
  assert.deepEqual(await faults(), []);
  await page.close();
});

test('the time in view and the devices that are shown are drawn, and both boxes take that back', async () => {
  const first = await visit(browser, site.url);
  await openFiles(first.page, fixture('ps4w.pb'));
  const { ops, span_ns } = await summary(first.page);
  await first.page.close();
  const { page } = await visit(browser, `${site.url}#k=${ops}.${span_ns}&w=10000000,60000000&hide=0`, { prepare: keepBlobs });
  await openFiles(page, fixture('ps4w.pb'));
  await openDialog(page);
  const part = ['--window', '10ms..60ms'];
  const workers = ['--devices', 'job:worker'];
  for (const kind of ['view', 'split', 'critical-path']) {
    await choose(page, 'picture-kind', kind);
    await choose(page, 'picture-in-view', true);
    await choose(page, 'picture-as-listed', true);
    assert.equal(await preview(page), drawn('ps4w.pb', kind, ...part, ...workers), kind);
    await choose(page, 'picture-in-view', false);
    assert.equal(await preview(page), drawn('ps4w.pb', kind, ...workers), kind);
    await choose(page, 'picture-as-listed', false);
    assert.equal(await preview(page), drawn('ps4w.pb', kind), kind);
  }
  await page.close();
});

test('tabs offer the picture of what they show', async () => {
  const { page } = await openedHere('', fixture('ps4w.pb'));
  for (const [tab, kind] of [
    ['path', 'critical-path'],
    ['memory', 'memory'],
  ]) {
    await toTab(page, tab);
    await page.waitForFunction((tab) => [...document.querySelectorAll(`#panel-${tab} .chip`)].some((chip) => chip.textContent === 'Picture' && chip.checkVisibility()), {}, tab);
    await page.evaluate((tab) => [...document.querySelectorAll(`#panel-${tab} .chip`)].find((chip) => chip.textContent === 'Picture').click(), tab);
    await page.waitForSelector('#picture[open]');
    assert.equal(await page.$eval('#picture [name=picture-kind]', (field) => field.value), kind);
    await page.keyboard.press('Escape');
  }
  await page.close();
});

test('PNG has the chosen pixels of the picture', async () => {
  const { page, faults } = await visit(browser, site.url, { prepare: keepBlobs });
  await openFiles(page, fixture('ps4w.pb'));
  await openDialog(page);
  await choose(page, 'picture-kind', 'split');
  await choose(page, 'picture-width', '500');
  await choose(page, 'picture-ending', 'png');
  await choose(page, 'picture-scale', '3');
  const height = await page.$eval('#picture img', (image) => image.naturalHeight);
  assert.match(await page.$eval('#picture [role=status]', (size) => size.textContent), /^1,500 × [\d,]+ px$/);
  const { name, type, bytes } = await saved(page);
  assert.deepEqual([name, type], ['ps4w.split.png', 'image/png']);
  const png = Buffer.from(bytes);
  assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [1500, 3 * height]);
  assert.ok(png.length > 10_000, `${png.length} bytes are an empty picture`);
  await writeFile(path.join(folder, 'split.png'), png);
  if (process.env.STEPLENS_SHOTS) await writeFile(path.join(process.env.STEPLENS_SHOTS, 'split.png'), png);
  assert.deepEqual(await faults(), []);
  await page.close();
});

test('names of a stranger stay within the image', async () => {
  const { page, faults } = await visit(browser, site.url, { prepare: keepBlobs });
  const name = '<script>document.title="owned"</script><img src=x onerror=alert(1)>';
  await chooseBytes(page, [{ name: `${name}.pb`, bytes: runMetadata([{ device: `/job:w/replica:0/task:0/device:${name}`, ops: [{ name, start: 1000, end: 5000 }] }]) }]);
  await waitForState(page, 'ready');
  for (const kind of ['view', 'split']) {
    await openDialog(page);
    await choose(page, 'picture-kind', kind);
    assert.equal(await page.$$eval('#picture svg', (all) => all.length), 0);
    assert.ok((await preview(page)).includes('&lt;script'));
    await page.keyboard.press('Escape');
  }
  assert.notEqual(await page.title(), 'owned');
  assert.deepEqual(await faults(), []);
  await page.close();
});

test('a shared page saves pictures from disk, in its own language', async () => {
  const { page } = await openedHere('', fixture('ps4w.pb'));
  const file = path.join(folder, 'shared.html');
  await writeFile(file, await share(page));
  await page.close();
  const shared = await visit(browser, pathToFileURL(file).href, { prepare: keepBlobs });
  await waitForState(shared.page, 'ready');
  await openDialog(shared.page);
  await choose(shared.page, 'picture-kind', 'matrix');
  assert.equal(Buffer.from((await saved(shared.page)).bytes).toString(), drawn('ps4w.pb', 'matrix'));
  assert.deepEqual(await shared.faults(), []);
  await shared.page.close();
  const chinese = await visit(browser, pathToFileURL(file).href, { prepare: readsChinese });
  await waitForState(chinese.page, 'ready');
  await openDialog(chinese.page);
  for (const kind of KINDS) {
    await choose(chinese.page, 'picture-kind', kind);
    assert.equal(await preview(chinese.page), drawn('ps4w.pb', kind, '--language', 'zh-CN'), kind);
  }
  await chinese.page.close();
});

test('the keyboard alone chooses, a width that is none is refused, and Esc leaves', async () => {
  const { page, faults } = await visit(browser, site.url, { prepare: keepBlobs });
  await openFiles(page, fixture('mnist-adam.pb'));
  await clickButton(page, 'Share');
  await page.waitForSelector('#share[open]');
  await page.focus('#share .save-ways button:nth-child(3)');
  await page.keyboard.press('Enter');
  await page.waitForSelector('#picture[open]');
  await shown(page);
  assert.equal(await page.evaluate(() => document.activeElement.name), 'picture-kind');
  await page.focus('#picture [name=picture-width]');
  await page.keyboard.down('Control');
  await page.keyboard.press('a');
  await page.keyboard.up('Control');
  await page.keyboard.type('12');
  await page.waitForFunction(() => /320 to 10,000/.test(document.querySelector('#picture [role=status]').textContent));
  assert.ok(await page.$eval('#picture .primary', (save) => save.disabled));
  await page.keyboard.type('00');
  await shown(page);
  await page.waitForFunction(() => document.querySelector('#picture img').naturalWidth === 1200);
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => window.offered.length === 1);
  await untilClosed(page);
  await openDialog(page);
  assert.equal(await page.$eval('#picture [name=picture-width]', (field) => field.value), '1200', 'what was chosen last');
  await page.keyboard.press('Escape');
  await untilClosed(page);
  assert.deepEqual(await faults(), []);
  await page.close();
});

testNothingIsCut('picture', openDialog);
