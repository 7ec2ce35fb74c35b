// Looks at a page with axe-core, the accessibility engine, and says in words what it finds.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { ROOT } from './site.mjs';
import { is_thorough } from './thorough.mjs';

const engine = await readFile(createRequire(path.join(ROOT, 'www/package.json')).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Runs in the page: notes from now on what changes. `axeRegions` gives the parts of the page in which anything did since it was asked last, or the
 * document at first, and where all of the page may look otherwise.
 */
function noteChanges() {
  const REGION = 'section, dialog, aside, nav, header, footer, [role="tabpanel"], [role="tablist"], [role="menu"], [role="alert"], [role="status"], .device';
  let changed = new Set([document.documentElement]);
  const note = (records) => {
    for (const { target, type, attributeName, oldValue } of records) {
      // What is written again as it was is no change.
      if (type === 'attributes' && target.getAttribute(attributeName) === oldValue) continue;
      changed.add(target instanceof Element ? target : target.parentElement);
    }
  };
  const observer = new MutationObserver(note);
  observer.observe(document, { subtree: true, childList: true, attributes: true, attributeOldValue: true, characterData: true });
  /** What was changed in `panels` was changed for axe itself. */
  window.axeForgets = (panels) => note(observer.takeRecords().filter(({ target }) => !panels.includes(target)));
  window.axeRegions = () => {
    note(observer.takeRecords());
    const connected = [...changed].filter((element) => element?.isConnected);
    changed = new Set();
    // What is set on the root or on the body, such as the theme, is what all looks depend on.
    if (connected.some((element) => element === document.documentElement || element === document.body)) return [document.documentElement];
    const regions = new Set(connected.map((element) => element.closest(REGION) ?? element));
    return [...regions].filter((region) => ![...regions].some((other) => other !== region && other.contains(region)));
  };
}

/**
 * Everything that axe-core finds wrong with the page as it is now, whatever its weight: one line for each element. It looks at the whole page
 * at first, and then at the parts in which anything has changed since: what it found nothing in, and what stays as it is, is not looked at again.
 */
export async function faultsOf(page) {
  // What fades in has the colours that it will have.
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) if (animation.effect.getComputedTiming().endTime !== Infinity) animation.finish();
  });
  // What the debugger evaluates is not the page's: its policy need not be loosened for this.
  if (!(await page.evaluate('typeof axe === "object"'))) {
    await page.evaluate(engine);
    await page.evaluate(noteChanges);
  }
  const violations = await page.evaluate(async () => {
    const regions = window.axeRegions().filter((region) => region.checkVisibility());
    if (regions.length === 0) return [];
    // The page's looks are already in it; loading them once more would be a request that its policy forbids in an export.
    const context = regions[0] === document.documentElement ? document : { include: regions };
    // axe walks through what is hidden, too, and finds nothing in it: a flame of 7,000 elements behind another tab took three seconds each time.
    const hidden = [...document.querySelectorAll('[role="tabpanel"][hidden]')].filter((panel) => panel.getElementsByTagName('*').length > 100);
    const put_back = hidden.map((panel) => {
      const taken_out = document.createDocumentFragment();
      taken_out.append(...panel.childNodes);
      return () => panel.append(taken_out);
    });
    const { violations } = await axe.run(context, { resultTypes: ['violations'], preload: false });
    for (const put of put_back) put();
    window.axeForgets(hidden);
    return violations.map(({ id, impact, help, nodes }) => ({
      id,
      impact,
      help,
      nodes: nodes.map(({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary.split('\n').slice(1).join('; ').trim()}`),
    }));
  });
  return violations.flatMap(({ id, impact, help, nodes }) => nodes.map((node) => `${impact} ${id} (${help}): ${node}`));
}

/**
 * [`faultsOf`] for one of two looks that walk through the same states: in a quick run each takes every other state, the first look those with an even
 * number. A state that is left out is not lost for long: what it changed and left is looked at with the next one. Nearly all of a look is what axe-core
 * does before its rules, with every element of the page.
 */
export function inTurn(is_first) {
  let at = is_first ? 1 : 0;
  return async (page) => {
    at += 1;
    return is_thorough || at % 2 === 0 ? faultsOf(page) : [];
  };
}
