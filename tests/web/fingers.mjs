// Fingers on the glass of a phone or tablet, as the browser's own input.

/**
 * Fingers on the glass: each of `moments` is where all of them are; after the last they leave. The end is on its way before the browser has answered
 * the last moment: else a tap on a slow machine is as long as a press that rests.
 */
export async function touch(page, moments) {
  const client = await page.createCDPSession();
  const points = (moment) => moment.map(([x, y], id) => ({ x, y, id }));
  const send = (type, touchPoints) => client.send('Input.dispatchTouchEvent', { type, touchPoints });
  const [last, ...before] = moments.map((moment, index) => () => send(index === 0 ? 'touchStart' : 'touchMove', points(moment))).reverse();
  for (const moment of before.reverse()) await moment();
  await Promise.all([last(), send('touchEnd', [])]);
  await client.detach();
}

/** A finger that taps an element, once that has come to rest: Puppeteer's own tap is as long as a press that rests where the browser answers late. */
export async function tap(page, selector) {
  const { x, y } = await (await page.waitForSelector(selector, { visible: true })).clickablePoint();
  await touch(page, [[[x, y]]]);
}

/** A finger that rests for longer than the page's own patience, and then goes on. */
export async function pressLong(page, start, to) {
  const client = await page.createCDPSession();
  const send = (type, points) => client.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y]) => ({ x, y, id: 0 })) });
  await send('touchStart', [start]);
  // Timers run in the order in which they end: the page's own, set first and shorter, is over when this one is.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 700)));
  for (const [point] of path([start], [to])) await send('touchMove', [point]);
  await send('touchEnd', []);
  await client.detach();
}

/** A finger that moves at once, and rests only then. */
export async function moveAndRest(page, start, to) {
  const client = await page.createCDPSession();
  const send = (type, points) => client.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y]) => ({ x, y, id: 0 })) });
  // All at once: on a busy machine the answers to each take longer than a finger has to rest.
  await Promise.all([send('touchStart', [start]), ...path([start], [to]).map(([point]) => send('touchMove', [point]))]);
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 700)));
  await send('touchEnd', []);
  await client.detach();
}

/** From one place to another in a few steps, so that it looks like a finger. */
export function path(from, to, steps = 6) {
  return Array.from({ length: steps + 1 }, (_, step) => from.map(([x, y], finger) => {
    const [to_x, to_y] = to[finger];
    return [x + ((to_x - x) * step) / steps, y + ((to_y - y) * step) / steps];
  }));
}
