// The hosted page and a Chromium for the tests of one file. Importing this starts both before the first test and ends them after the last.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { chromium } from './browsers.mjs';
import { serveSite } from './site.mjs';
import { opened, openFiles, visit } from './steplens.mjs';

export let site;
export let browser;
before(async () => {
  site = await serveSite();
  browser = await chromium();
});
after(async () => {
  await browser?.close();
  await site?.close();
});

/**
 * A test with a page of its own. Nothing that `body` does may make a script fail, break the policy, or ask for anything
 * beyond the page.
 */
export const onPage = (name, body) => on(() => visit(browser, site.url), name, body);

/** The same with a page that has just opened `file`, which tests before may have used: see `opened`. */
export const onTrace = (file, name, body) => on(() => openedHere('', file), name, body);

/**
 * The page as it is hosted for this file of tests, at the fragment `view`, with these files open: see `opened`. What an address restores is seen on a
 * page that knows nothing.
 */
export async function openedHere(view, ...files) {
  if (view === '') return opened(browser, site.url, ...files);
  const visited = await visit(browser, site.url + view);
  await openFiles(visited.page, ...files);
  return visited;
}

function on(begin, name, body) {
  test(name, async () => {
    const visited = await begin();
    let is_good = false;
    try {
      await body(visited);
      assert.deepEqual(await visited.faults(), []);
      const outside = visited.requests.filter((url) => !url.startsWith(site.url) && !/^(blob|data):/.test(url));
      assert.deepEqual(outside, [], 'requests beyond the page');
      is_good = true;
    } finally {
      await visited.page.close({ is_good });
    }
  });
}
