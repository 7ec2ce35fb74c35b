// What a screen reader hears and where the keyboard goes: the live region, the accessibility tree, focus.

import assert from 'node:assert/strict';
import { core, details, habit } from './habits.mjs';
import { boxOf, searchFor, spoken, until, untilField, untilSpoken } from './hands.mjs';

/** The nodes of Chromium's accessibility tree that a screen reader would stop at, one after the other. */
async function heard(page) {
  const flat = (node) => [node, ...(node.children ?? []).flatMap(flat)];
  return flat(await page.accessibility.snapshot());
}

const timelineOf = async (page) => (await heard(page)).find((node) => node.roledescription === 'timeline');

habit('opening says what was opened', async ({ page }) => {
  const { ops, devices } = core.summary;
  const words = `Opened ps4w.pb: ${ops.toLocaleString('en-US')} ops on ${devices.length} devices, `;
  assert.ok((await spoken(page)).startsWith(words), await spoken(page));
  // Transfers are counted after the first frame, and said when they are.
  await untilSpoken(page, /^Opened ps4w\.pb: .*\. 991 transfers, 3\.67\sMiB$/);
});

habit('the selection is said, with its length and place', async ({ page }) => {
  await page.keyboard.press('.');
  const op = details(Number(await untilField(page, 'op')));
  const said = await untilSpoken(page, /^Selected /);
  for (const part of [op.name, op.op_type, op.category, core.summary.devices[op.device].name]) assert.ok(said.includes(part), `${said}: ${part}`);
  assert.equal((await timelineOf(page)).description, said, 'the timeline says it again when the keyboard comes back');
  await page.keyboard.press('Escape');
  await untilSpoken(page, /^Nothing selected$/);
});

habit('the range is said with its split, once the hand rests', async ({ page, box }) => {
  const axis = await boxOf(page, 'canvas.axis');
  await page.mouse.move(box.x + 100, axis.y + 5);
  await page.mouse.down();
  await page.mouse.move(box.x + 400, axis.y + 5, { steps: 5 });
  await page.mouse.up();
  await untilSpoken(page, /^Range of .* from .* to .*: compute .*%, exposed communication .*%, idle .*%$/);
  await page.keyboard.press('Escape');
  await untilSpoken(page, /^No range selected$/);
});

habit('search results are said, and so is that there are none', async ({ page }) => {
  await searchFor(page, 'MatMul');
  await untilSpoken(page, /^[\d,]+ matches for MatMul$/);
  await page.keyboard.type(' or not');
  await untilSpoken(page, /^0 matches for MatMul or not$/);
});

habit('the ends of a lane and of the data are said', async ({ page }) => {
  await page.keyboard.press(',');
  await untilSpoken(page, /^The first op of its lane$/);
}, () => ({ op: firstOfLane() }));

function firstOfLane() {
  for (let op = 0; op < core.summary.ops; op++) if (core.session.neighbour(op, -1) === undefined) return op;
  throw new Error('no lane begins');
}

habit('the timeline says what is in sight and where the table is', async ({ page }) => {
  await page.keyboard.press('0');
  await untilField(page, 'w', null);
  const whole = (await timelineOf(page)).name;
  assert.match(whole, /^Timeline from 0\.0\sms to 339\.\d\sms: .*ps 0.*worker 0.*\. .*tab Table/);
  await page.keyboard.press('w');
  await untilField(page, 'w');
  assert.notEqual((await timelineOf(page)).name, whole);
});

habit('every control has a name', async ({ page }) => {
  const nameless = (await heard(page)).filter((node) => /button|tab|searchbox|textbox|slider|checkbox|combobox|application|separator/.test(node.role) && !node.name);
  assert.deepEqual(nameless.map(({ role }) => role), []);
});

/** Presses Tab until the keyboard leaves the page; `visit` sees each element that has it. */
async function tabThrough(page, visit) {
  // The field for files takes no Tab and stands before everything that does.
  await page.focus('#open-file');
  for (let steps = 0; steps < 200; steps++) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(() => document.activeElement === document.body)) return;
    await visit();
  }
  assert.fail('the keyboard never leaves the page');
}

habit('arrows move in the header and from device to device; each is one stop of Tab', async ({ page }) => {
  const inHand = () => page.evaluate(() => {
    const { activeElement: own } = document;
    return { area: own.closest('header, .tree, .tracks')?.className, device: own.closest('[data-device]')?.dataset.device ?? null, is_lanes: own.matches('.lanes'), label: own.title || own.textContent };
  });
  await page.focus('#open-file');
  await page.keyboard.press('Tab');
  const first = await inHand();
  await page.keyboard.press('ArrowRight');
  // What is there only while one searches is passed.
  if (await page.evaluate(() => document.activeElement.matches('.search-regex'))) await page.keyboard.press('ArrowRight');
  const second = await inHand();
  assert.ok(first.area === 'header' && second.area === 'header' && first.label !== second.label, JSON.stringify([first, second]));
  await page.keyboard.press('Tab');
  assert.ok((await inHand()).is_lanes);
  // The header is where it was left.
  await page.keyboard.down('Shift');
  await page.keyboard.press('Tab');
  await page.keyboard.up('Shift');
  assert.deepEqual(await inHand(), second);
  await page.focus('canvas.lanes');
  await page.keyboard.press('Tab');
  assert.equal((await inHand()).device, '0');
  await page.keyboard.press('ArrowDown');
  await until(page, () => document.activeElement.closest('[data-device]')?.dataset.device === '1');
  // In a field, an arrow moves the caret until it is at the end.
  await page.focus('#search');
  await page.keyboard.type('ab');
  await page.keyboard.press('ArrowLeft');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'search');
});

habit('Tab goes through the page as it is read, and the place of the keyboard is to be seen', async ({ page }) => {
  await page.evaluate(() => {
    // A field may leave it to the frame around it to show that it has the keyboard.
    window.looksOf = (element) => [element, element.parentElement].map((one) => {
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one);
      return `${outlineStyle} ${outlineWidth} ${boxShadow}`;
    }).join();
    window.places = [];
  });
  await tabThrough(page, () => page.evaluate(() => {
    const element = document.activeElement;
    const { width, height } = element.getBoundingClientRect();
    const area = ['header', '.time-side', '.overview', '.drawer'].findIndex((selector) => element.closest(selector));
    window.places.push({ element, looks: window.looksOf(element), seen: width > 0 && height > 0, area });
  }));
  const places = await page.evaluate(() => window.places.map(({ element, looks, seen, area }) => ({
    what: `${element.tagName} ${element.className} ${element.id}`,
    seen,
    shows: window.looksOf(element) !== looks,
    area,
  })));
  assert.deepEqual(places.filter(({ shows, seen }) => !shows || !seen), []);
  const areas = places.map(({ area }) => area);
  assert.ok(!areas.includes(-1), `an element lies outside of all areas: ${places[areas.indexOf(-1)]?.what}`);
  assert.deepEqual(areas, [...areas].sort((a, b) => a - b), 'the header, the timeline, what stands above it, the drawer');
  // The header is one stop, whose arrows move in it; the timeline is the next, and all devices are one more.
  assert.ok(places[1].what.includes('lanes'), `two presses reach the timeline: ${places[1].what}`);
  assert.equal(places.filter(({ what }) => /device-(?:choose|tool|transfers|fold)|task-fold/.test(what)).length, 1);
});

habit('a dialog keeps the keyboard, and gives it back', async ({ page }) => {
  await page.keyboard.press('?');
  await page.waitForSelector('dialog[open]');
  assert.ok(await page.evaluate(() => document.querySelector('dialog[open]').contains(document.activeElement)));
  await page.keyboard.press('Escape');
  await until(page, () => document.activeElement.matches('canvas.lanes'));
});
