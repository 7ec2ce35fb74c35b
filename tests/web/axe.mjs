// Looks at a page with axe-core, the accessibility engine, and says in words what it finds.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { ROOT } from './site.mjs';

const engine = await readFile(createRequire(path.join(ROOT, 'www/package.json')).resolve('axe-core/axe.min.js'), 'utf8');

/** Everything that axe-core finds wrong with the page as it is now, whatever its weight: one line for each element. */
export async function faultsOf(page) {
  // What fades in has the colours that it will have.
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) if (animation.effect.getComputedTiming().endTime !== Infinity) animation.finish();
  });
  // What the debugger evaluates is not the page's: its policy need not be loosened for this.
  if (!(await page.evaluate('typeof axe === "object"'))) await page.evaluate(engine);
  const violations = await page.evaluate(async () => {
    // The page's looks are already in it; loading them once more would be a request that its policy forbids in an export.
    const { violations } = await axe.run(document, { resultTypes: ['violations'], preload: false });
    return violations.map(({ id, impact, help, nodes }) => ({
      id,
      impact,
      help,
      nodes: nodes.map(({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary.split('\n').slice(1).join('; ').trim()}`),
    }));
  });
  return violations.flatMap(({ id, impact, help, nodes }) => nodes.map((node) => `${impact} ${id} (${help}): ${node}`));
}
