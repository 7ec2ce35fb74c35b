// The hosted page and a Chromium for the tests of one file. Importing this starts both before the first test and ends them after the last.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { chromium } from './browsers.mjs';
import { serveSite } from './site.mjs';
import { visit } from './steplens.mjs';

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
export function onPage(name, body) {
  test(name, async () => {
    const visited = await visit(browser, site.url);
    try {
      await body(visited);
      assert.deepEqual(await visited.faults(), []);
      const outside = visited.requests.filter((url) => !url.startsWith(site.url) && !/^(blob|data):/.test(url));
      assert.deepEqual(outside, [], 'requests beyond the page');
    } finally {
      await visited.page.close();
    }
  });
}
