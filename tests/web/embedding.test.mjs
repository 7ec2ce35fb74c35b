// The example of docs/hosting.md: a page of another host shows the viewer in a frame, and gives it a trace by postMessage.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import { test } from 'node:test';
import { chromium, firefox } from './browsers.mjs';
import { open } from './core.mjs';
import { runMetadata } from './run_metadata.mjs';
import { fixture, ROOT, serveSite } from './site.mjs';

const document = await readFile(path.join(ROOT, 'docs/hosting.md'), 'utf8');
const section = document.slice(document.indexOf('## In a frame of your page'));
const [, markup] = section.match(/^ {4}(<iframe.*)$/m);
const [, script] = section.match(/```js\n([^]*?)```/);

const OWN = runMetadata([{ device: '/job:worker/replica:0/task:0/device:CPU:0', ops: [{ name: 'op', start: 1, end: 9 }] }]);

/** A page with the example in it, and the trace that it asks for. */
async function embedder(viewer, trace) {
  const page = `<!doctype html><title>waiting</title>${markup.replace('https://host/steplens/', viewer)}<script type="module">${script}</script>`;
  const server = http.createServer(async (request, response) => {
    if (request.url === '/') response.writeHead(200, { 'Content-Type': 'text/html' }).end(page);
    else if (request.url === '/step.pb') response.writeHead(200).end(await readFile(trace));
    else response.writeHead(404).end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

for (const [name, start] of Object.entries({ Chromium: chromium, Firefox: firefox })) {
  test(`${name} runs the example of the documents`, async (t) => {
    const site = await serveSite();
    const trace = fixture('mnist-adam.pb');
    const host = await embedder(site.url, trace);
    const browser = await start();
    t.after(() => Promise.all([browser.close(), site.close(), host.close()]));
    const page = await browser.newPage();
    await page.goto(host.url);
    const { ops, span_ns } = (await open(trace)).summary;
    await page.waitForFunction((title) => document.title === title, {}, `${ops} ops`);
    // The other messages, and a Blob instead of bytes.
    const answer = (message, with_blob = false) => page.evaluate(async (message, with_blob) => {
      const viewer = document.querySelector('iframe').contentWindow;
      if (with_blob) message.bytes = await (await fetch('step.pb')).blob();
      const answered = new Promise((resolve) => {
        addEventListener('message', ({ source, data }) => source === viewer && resolve(data), { once: true });
      });
      viewer.postMessage(message, '*');
      return answered;
    }, message, with_blob);
    const { steplens, summary } = await answer({ steplens: 'summary' });
    assert.deepEqual([steplens, summary.ops, summary.span_ns], ['ready', ops, span_ns]);
    const again = await answer({ steplens: 'open', name: 'again.pb' }, true);
    assert.deepEqual([again.steplens, again.summary.files[0].name], ['ready', 'again.pb']);
    // What is opened in the frame by anyone else is not the embedder's to read.
    const frame = page.frames().find((frame) => frame.url().startsWith(site.url));
    await frame.evaluate((bytes) => window.steplens.openBytes('own.pb', Uint8Array.from(bytes)).then(() => true), [...OWN]);
    assert.deepEqual(await answer({ steplens: 'summary' }), { steplens: 'ready', summary: null });
    await answer({ steplens: 'open', name: 'again.pb' }, true);
    assert.equal((await answer({ steplens: 'summary' })).summary.files[0].name, 'again.pb');
    const refused = await answer({ steplens: 'open', name: 'nothing' });
    assert.deepEqual([refused.steplens, refused.code], ['error', 'bad-message']);
  });
}
