// The mouse and its wheel, as people use them on the timeline, its axis and the minimap.

import assert from 'node:assert/strict';
import { assertAnchored, assertMoved, core, details, habit, lengthOf, movedFrom, shownWindow, untilWindow } from './habits.mjs';
import { boxOf, fields, searchFor, until, untilField } from './hands.mjs';
import { placeOf, standsApart, windowAround } from './places.mjs';

/** Does `body` with keys held down. */
async function holding(page, keys, body) {
  for (const key of keys) await page.keyboard.down(key);
  await body();
  for (const key of keys) await page.keyboard.up(key);
}

/** Presses at one point, goes to another in a few steps, and lets go. */
async function drag(page, from, to, button = 'left') {
  await page.mouse.move(...from);
  await page.mouse.down({ button });
  await page.mouse.move(...to, { steps: 5 });
  await page.mouse.up({ button });
}

const range = async (page) => (await untilField(page, 'r')).split(',').map(Number);

/** Demands that the range is from `start` to `end`, in shares of the window, to a few pixels. */
function assertRange([from, to], window, start, end) {
  for (const [got, want] of [[from, start], [to, end]]) {
    const share = (got - window[0]) / lengthOf(window);
    assert.ok(Math.abs(share - want) < 0.01, `the range has an end at ${share} of the window, want ${want}`);
  }
}

/** Makes the lanes so tall that there is something to scroll to. */
async function tallLanes(page) {
  const { width, height } = page.viewport();
  await page.setViewport({ width, height: height - 120 });
  await page.keyboard.press('+');
  await page.keyboard.press('+');
  await untilField(page, 'l');
}

habit('the wheel scrolls', async ({ page, box, window }) => {
  await tallLanes(page);
  await page.mouse.move(box.x + 200, box.y + 100);
  await page.mouse.wheel({ deltaY: 90 });
  assert.equal(await untilField(page, 'y'), '90');
  await untilWindow(page, window);
});

habit('Alt+wheel makes lanes taller as + does, and lower as - does', async ({ page, box }) => {
  await page.keyboard.press('+');
  const taller = await untilField(page, 'l');
  await page.keyboard.press('-');
  await until(page, (taller) => new URLSearchParams(location.hash.slice(1)).get('l') !== taller, taller);
  const { l: lower } = await fields(page);
  await page.mouse.move(box.x + 200, box.y + 100);
  await holding(page, ['Alt'], () => page.mouse.wheel({ deltaY: -70 }));
  await untilField(page, 'l', taller);
  await holding(page, ['Alt'], () => page.mouse.wheel({ deltaY: 70 }));
  await untilField(page, 'l', lower);
});

for (const key of ['Control', 'Meta']) {
  habit(`${key}+wheel zooms at the pointer`, async ({ page, box, window }) => {
    await page.mouse.move(box.x + box.width * 0.25, box.y + 100);
    await holding(page, [key], () => page.mouse.wheel({ deltaY: -100 }));
    const near = await movedFrom(page, window);
    assert.ok(lengthOf(near) < lengthOf(window));
    assertAnchored(near, window, 0.25);
    await page.mouse.move(box.x + box.width * 0.75, box.y + 100);
    await holding(page, [key], () => page.mouse.wheel({ deltaY: 100 }));
    const far = await movedFrom(page, near);
    assert.ok(lengthOf(far) > lengthOf(near));
    assertAnchored(far, near, 0.75);
  });
}

habit('Shift+wheel and a sideways wheel move in time', async ({ page, box, window }) => {
  await page.mouse.move(box.x + 200, box.y + 100);
  await holding(page, ['Shift'], () => page.mouse.wheel({ deltaY: box.width / 10 }));
  const once = await movedFrom(page, window);
  assertMoved(once, window, 0.1);
  await page.mouse.wheel({ deltaX: -box.width / 5 });
  assertMoved(await movedFrom(page, once), window, -0.1);
});

const apart = () => standsApart(core.session, core.summary, 'compute');
const atApart = () => ({ window: windowAround(apart()) });

habit('buttons zoom in and out around the middle, and show all of it', async ({ page, window }) => {
  const middle = ([start, end]) => (start + end) / 2;
  const press = async (place, from) => {
    await page.click(`.zoom-buttons button:nth-child(${place})`);
    return movedFrom(page, from);
  };
  const closer = await press(1, window);
  assert.ok(Math.abs(lengthOf(closer) / lengthOf(window) - 0.5) < 0.01, `${closer}`);
  assert.ok(Math.abs(middle(closer) - middle(window)) < 0.01 * lengthOf(window));
  const again = await press(2, closer);
  assert.ok(Math.abs(lengthOf(again) / lengthOf(window) - 1) < 0.01, `${again}`);
  assert.equal(await press(3, again), null);
});

habit('a click selects an op, a click beside it selects nothing', async ({ page, box }) => {
  const op = apart();
  const { x, y } = await placeOf(page, op);
  await page.mouse.click(x, y);
  assert.equal(await untilField(page, 'op'), String(op.op));
  await page.mouse.click(box.x + 20, y);
  await untilField(page, 'op', null);
}, atApart);

habit('a double click frames an op', async ({ page }) => {
  const op = apart();
  const { x, y } = await placeOf(page, op);
  // One step further out first: the op is framed to begin with.
  await page.mouse.move(x, y);
  await holding(page, ['Control'], () => page.mouse.wheel({ deltaY: 100 }));
  const far = await movedFrom(page, windowAround(op));
  await page.mouse.click(x, y, { count: 2 });
  const framed = await movedFrom(page, far);
  assert.ok(framed[0] < op.start_ns && framed[1] > op.end_ns && lengthOf(framed) < 2 * (op.end_ns - op.start_ns));
  await untilField(page, 'op', String(op.op));
}, atApart);

habit('the op under the pointer is named', async ({ page }) => {
  const op = apart();
  const { x, y } = await placeOf(page, op);
  await page.mouse.move(x, y);
  await until(page, (name) => document.querySelector('.tooltip:not([hidden])')?.textContent.includes(name), op.name);
  await page.mouse.move(5, 5);
  await until(page, () => document.querySelector('.tooltip').hidden);
}, atApart);

habit('a drag moves the view, in time and up and down', async ({ page, box, window }) => {
  await tallLanes(page);
  await drag(page, [box.x + box.width / 2, box.y + 200], [box.x + box.width / 4, box.y + 140]);
  assertMoved(await movedFrom(page, window), window, 0.25);
  assert.equal(await untilField(page, 'y'), '60');
  const { op, r } = await fields(page);
  assert.deepEqual([op, r], [undefined, undefined], 'a drag selects nothing');
});

for (const [name, keys, button] of [['a middle drag', [], 'middle'], ['Space+drag', ['Space'], 'left']]) {
  habit(`${name} moves the view`, async ({ page, box, window }) => {
    await holding(page, keys, () => drag(page, [box.x + box.width / 4, box.y + 100], [box.x + box.width / 2, box.y + 100], button));
    assertMoved(await movedFrom(page, window), window, -0.25);
  });
}

habit('Shift+drag selects a range of time', async ({ page, box, window }) => {
  await holding(page, ['Shift'], () => drag(page, [box.x + box.width * 0.25, box.y + 100], [box.x + box.width * 0.5, box.y + 105]));
  assertRange(await range(page), window, 0.25, 0.5);
  await untilWindow(page, window);
});

habit('a drag on the axis selects a range, and its edges can be moved', async ({ page, box, window }) => {
  const axis = await boxOf(page, 'canvas.axis');
  const y = axis.y + axis.height / 2;
  await drag(page, [box.x + box.width * 0.5, y], [box.x + box.width * 0.25, y]);
  const selected = await range(page);
  assertRange(selected, window, 0.25, 0.5);
  await drag(page, [box.x + box.width * 0.5, y], [box.x + box.width * 0.75, y]);
  await untilField(page, 'r');
  await until(page, (before) => new URLSearchParams(location.hash.slice(1)).get('r') !== before, selected.join(','));
  assertRange(await range(page), window, 0.25, 0.75);
});

habit('the minimap shows the window, moves it, and draws another', async ({ page, window }) => {
  const map = await boxOf(page, 'canvas.minimap');
  const y = map.y + map.height / 2;
  // The window is the fifth in the middle: dragging it takes it along.
  await drag(page, [map.x + map.width * 0.5, y], [map.x + map.width * 0.6, y]);
  const moved = await movedFrom(page, window);
  assertMoved(moved, window, 0.5, 0.01);
  await drag(page, [map.x + map.width * 0.1, y], [map.x + map.width * 0.3, y]);
  const drawn = await movedFrom(page, moved);
  const { span_ns } = core.summary;
  assert.ok(Math.abs(drawn[0] / span_ns - 0.1) < 0.01 && Math.abs(drawn[1] / span_ns - 0.3) < 0.01, `drew ${drawn}`);
});

habit('the drawer is as tall as its edge is dragged', async ({ page }) => {
  const edge = await boxOf(page, '.drawer [role="separator"]');
  const height = () => page.$eval('.drawer', (drawer) => drawer.offsetHeight);
  const before = await height();
  await drag(page, [edge.x + edge.width / 2, edge.y + edge.height / 2], [edge.x + edge.width / 2, edge.y + edge.height / 2 - 80]);
  await until(page, (wanted) => Math.abs(document.querySelector('.drawer').offsetHeight - wanted) <= 1, before + 80);
});

habit('the arrows beside the search walk from match to match, there and back', async ({ page }) => {
  core.session.search('type:MatMul', false);
  const found = [...core.session.searchOps()].map(String);
  await searchFor(page, 'type:MatMul');
  await untilField(page, 'q', 'type:MatMul');
  for (const [title, op] of [['Next match (Enter)', found[0]], ['Next match (Enter)', found[1]], ['Previous match (Shift+Enter)', found[0]]]) {
    await (await page.waitForSelector(`.search-steps [aria-label="${title}"]`, { visible: true })).click();
    await untilField(page, 'op', op);
  }
});

habit('an arrow that leaves the view ends in a name that leads there', async ({ page, box, window }) => {
  const op = details(Number((await fields(page)).op));
  assert.ok(op.consumers.length > 0);
  // All consumers start beyond the right edge; their stubs are at the edge, in the rows where the pointer becomes a hand.
  const edge = box.x + box.width - 30;
  for (let y = box.y + 2; y < box.y + box.height; y += 6) {
    await page.mouse.move(edge, y);
    const hand = await page.$eval('canvas.lanes', (canvas) => canvas.style.cursor === 'pointer');
    if (!hand) continue;
    await page.mouse.click(edge, y);
    await until(page, (op) => ![null, op].includes(new URLSearchParams(location.hash.slice(1)).get('op')), String(op.op));
    const next = Number((await fields(page)).op);
    assert.ok(op.consumers.some((consumer) => consumer.op === next), 'the stub leads to a consumer');
    assert.notDeepEqual(await shownWindow(page), window);
    return;
  }
  assert.fail('no stub at the right edge');
}, farConsumers);

/** An op whose consumers start long after it ended, and a window that shows only the op. */
function farConsumers() {
  for (let id = 0; id < core.summary.ops; id++) {
    const op = details(id);
    const length = op.end_ns - op.start_ns;
    if (op.transfer || length < 1000 || op.consumers.length === 0) continue;
    if (op.consumers.every((consumer) => consumer.start_ns > op.end_ns + length)) return { window: windowAround(op), op: id };
  }
  throw new Error('the sample has no op with late consumers');
}
