// What a user's hands do on the page, and how a test sees what came of it: by the URL's fragment, words, and spoken text.

/** What the address says about the view. It follows once the view has come to rest. */
export const fields = (page) => page.evaluate(() => Object.fromEntries(new URLSearchParams(location.hash.slice(1).replaceAll('+', '%2B'))));

/** Waits until `condition`, which runs in the page with `given`, holds. */
export const until = (page, condition, ...given) => page.waitForFunction(condition, {}, ...given);

/** Reads again and again what no condition in the page tells, such as pixels, until `isIt` holds of it; gives it. */
export async function untilRead(read, isIt) {
  const began = performance.now();
  for (;;) {
    const found = await read();
    if (isIt(found)) return found;
    if (performance.now() - began > 60_000) throw new Error(`for a minute it is ${JSON.stringify(found)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Waits until the address has `name`, or, with `value`, until it is that; null waits until it is gone. */
export async function untilField(page, name, value) {
  await until(page, (name, value) => {
    const now = new URLSearchParams(location.hash.slice(1)).get(name);
    return value === undefined ? now !== null : now === value;
  }, name, value);
  return (await fields(page))[name];
}

/** Turns to a tab of the drawer as a hand does: to its place where another is shown, and there to its section. */
export async function toTab(page, tab) {
  const isSeen = () => page.$eval(`#tab-${tab}`, (own) => own.checkVisibility());
  if (!await isSeen()) {
    await page.click(await page.$eval(`#tab-${tab}`, (own) => `#${own.parentElement.id.replace('sections-', 'place-')}`));
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  }
  // The only section of its place has no row, and the first may be shown already.
  const is_chosen = await page.$eval(`#tab-${tab}`, (own) => own.ariaSelected === 'true');
  if (!is_chosen && await isSeen()) await page.click(`#tab-${tab}`);
  await until(page, (tab) => document.querySelector(`#tab-${tab}`).ariaSelected === 'true', tab);
}

/** Presses what is in the menu at the end of the header. */
export async function fromMenu(page, selector) {
  await page.click('[aria-controls="more-menu"]');
  await page.waitForSelector(selector, { visible: true });
  await page.click(selector);
}

/** Waits until lanes, devices and the rows of the drawer's table have stayed where they are for a while: what follows the first frame may move them. */
export const untilRest = (page) => page.evaluate(async () => {
  const places = () => [...document.querySelectorAll('canvas.lanes, .device, .panel:not([hidden]) tbody tr')]
    .map((element) => Object.values(element.getBoundingClientRect().toJSON()).join())
    .join();
  let before = '';
  for (let since = performance.now(); performance.now() - since < 500;) {
    await new Promise(requestAnimationFrame);
    const now = places();
    if (now !== before) since = performance.now();
    before = now;
  }
});

/** Runs in the page: a hand that is always on it, so that nothing is asked ahead. */
export function handOnPage() {
  setInterval(() => dispatchEvent(new Event('pointermove')), 500);
}

/** What a screen reader was told last. */
export const spoken = (page) => page.$eval('#live', (live) => live.textContent);

/** Waits until a screen reader is told something that matches. */
export async function untilSpoken(page, pattern) {
  await until(page, (source) => new RegExp(source).test(document.querySelector('#live').textContent), pattern.source);
  return spoken(page);
}

/** Collects what is said from now on, also what the next words replace at once. The answer tells what was said so far. */
export async function listen(page) {
  await page.evaluate(() => {
    window.heard = [];
    const live = document.querySelector('#live');
    new MutationObserver(() => window.heard.push(live.textContent)).observe(live, { childList: true, characterData: true, subtree: true });
  });
  return () => page.evaluate(() => window.heard);
}

/** Presses `/`, and types into the search box. */
export async function searchFor(page, words) {
  await page.keyboard.press('/');
  await page.keyboard.type(words);
}

/** Where an element is on the page, in CSS pixels. */
export const boxOf = (page, selector) => page.$eval(selector, (element) => {
  const { x, y, width, height } = element.getBoundingClientRect();
  return { x, y, width, height };
});
