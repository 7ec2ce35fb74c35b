// open.html: it asks, reads from where that is allowed, says what fails, and hands the trace to a viewer that may request nothing itself.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import http from 'node:http';
import { after, before, test } from 'node:test';
import { faultsOf } from './axe.mjs';
import { chromium, firefox } from './browsers.mjs';
import { fragment } from './canvas.mjs';
import { open } from './core.mjs';
import { until } from './hands.mjs';
import { fixture, serveSite } from './site.mjs';
import { errorCode, state, visit, waitForState } from './steplens.mjs';

const TRACE = fixture('mnist-adam.pb');

/** A host of traces. With `cors` it lets pages of other hosts read from it. */
async function traceHost({ cors }) {
  const requested = [];
  const bytes = await readFile(TRACE);
  const answers = {
    '/runs/step%207.pb': (response) => response.writeHead(200, { 'Content-Length': bytes.length }).end(bytes),
    '/without-length': (response) => {
      response.writeHead(200);
      response.write(bytes.subarray(0, 1000));
      response.end(bytes.subarray(1000));
    },
    '/no-trace': (response) => response.writeHead(200).end('<!doctype html>'),
    '/slow': (response) => response.writeHead(200, { 'Content-Length': bytes.length }).write(bytes.subarray(0, 1000)),
    '/broken': (response) => {
      response.writeHead(200, { 'Content-Length': bytes.length });
      response.write(bytes.subarray(0, 1000), () => response.destroy());
    },
    '/huge': (response) => response.writeHead(200, { 'Content-Length': 9 * 2 ** 30 }).write('x'),
    '/large': (response) => response.writeHead(200, { 'Content-Length': 600 * 2 ** 20 }).write('x'),
  };
  const server = http.createServer((request, response) => {
    requested.push({ url: request.url, headers: request.headers });
    if (cors) response.setHeader('Access-Control-Allow-Origin', '*');
    const answer = answers[request.url];
    if (answer) answer(response);
    else response.writeHead(404).end('nothing here');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  return {
    requested,
    address: (path) => `http://127.0.0.1:${server.address().port}${path}`,
    close: () => new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    }),
  };
}

let site, allowing, refusing;
const browsers = {};
before(async () => {
  [site, allowing, refusing] = await Promise.all([serveSite(), traceHost({ cors: true }), traceHost({ cors: false })]);
  Object.assign(browsers, { Chromium: await chromium(), Firefox: await firefox() });
});
after(async () => {
  await Promise.all(Object.values(browsers).map((browser) => browser.close()));
  await Promise.all([site, allowing, refusing].map((server) => server?.close()));
});

/** open.html with this address, and what follows `#`. */
async function asked(address, { browser = browsers.Chromium, hash = '' } = {}) {
  return visit(browser, `${site.url}open.html?url=${encodeURIComponent(address)}${hash}`, { complete: false });
}

const press = (page, words) => page.evaluate((words) => {
  const button = [...document.querySelectorAll('button')].find((button) => button.textContent === words);
  if (!button) throw new Error(`no button says ${words}`);
  button.click();
}, words);
const shown = (page) => page.$eval('main', (main) => main.innerText);
/** What the viewer in the frame says of its trace. Asked from the page around it: a frame that is still to be loaded would be asked in vain. */
async function summaryIn(page) {
  await until(page, () => document.querySelector('iframe')?.contentWindow.steplens?.summary()?.transfers !== undefined);
  return page.$eval('iframe', (frame) => frame.contentWindow.steplens.summary());
}

for (const name of ['Chromium', 'Firefox']) {
  test(`${name} asks first, and then opens a trace from a host that allows it`, async () => {
    const before = allowing.requested.length;
    const { page, faults } = await asked(allowing.address('/runs/step%207.pb'), { browser: browsers[name] });
    assert.equal(await state(page), 'ask');
    assert.equal(await page.$eval('#open-host', (host) => host.textContent), new URL(allowing.address('/')).host);
    assert.equal(await page.$eval('#open-address', (address) => address.textContent), allowing.address('/runs/step%207.pb'));
    assert.equal(allowing.requested.length, before, 'nothing is requested before the user agrees');
    await press(page, 'Open the trace');
    const summary = await summaryIn(page);
    const { summary: wanted } = await open(TRACE);
    assert.deepEqual([summary.files[0].name, summary.files[0].bytes], ['step 7.pb', wanted.files[0].bytes]);
    assert.deepEqual([summary.ops, summary.span_ns, summary.transfers], [wanted.ops, wanted.span_ns, wanted.transfers]);
    assert.equal(await state(page), 'open');
    assert.equal(allowing.requested.length, before + 1);
    const { headers } = allowing.requested.at(-1);
    assert.deepEqual([headers.cookie, headers.referer], [undefined, undefined]);
    assert.deepEqual(await faults(), []);
    await page.close();
  });
}

test('two addresses are compared, once the reader has seen both hosts', async () => {
  const before = allowing.requested.length;
  const other = `&b=${encodeURIComponent(allowing.address('/without-length'))}`;
  const { page, faults } = await visit(browsers.Chromium, `${site.url}open.html?url=${encodeURIComponent(allowing.address('/runs/step%207.pb'))}${other}`, { complete: false });
  assert.equal(await page.$eval('#open-other-address', (address) => address.textContent), allowing.address('/without-length'));
  assert.equal(allowing.requested.length, before, 'nothing is requested before the user agrees');
  await press(page, 'Open the trace');
  await summaryIn(page);
  const frame = await (await page.$('iframe')).contentFrame();
  await frame.waitForFunction(() => document.querySelector('.cmp-sentence')?.textContent.startsWith('Both steps take '));
  await until(page, () => new URLSearchParams(document.querySelector('iframe').contentWindow.location.hash.slice(1)).get('b') === 'without-length');
  assert.deepEqual(allowing.requested.slice(before).map(({ url }) => url), ['/runs/step%207.pb', '/without-length']);
  assert.deepEqual(await faults(), []);
  await page.close();
  // An address that may not be read is refused before anything is.
  const refused = await visit(browsers.Chromium, `${site.url}open.html?url=${encodeURIComponent(allowing.address('/runs/step%207.pb'))}&b=http%3A%2F%2Ftraces.example%2Fx.pb`, { complete: false });
  await waitForState(refused.page, 'error');
  assert.equal(await errorCode(refused.page), 'address-not-allowed');
  await refused.page.close();
});

/** Runs in each document before the page does: `window.asked` has the order in which it asks for its worker's file, is answered, and makes the worker. */
function noteWorker() {
  window.asked = [];
  const isWorker = (url) => /\/?worker-\w+\.js$/.test(String(url));
  const [own, Own] = [window.fetch, window.Worker];
  window.fetch = async (...parameters) => {
    const response = await own(...parameters);
    if (isWorker(parameters[0])) window.asked.push('answered');
    return response;
  };
  window.Worker = class extends Own {
    constructor(url, options) {
      super(url, options);
      window.asked.push('made');
    }
  };
}

test('in a frame the worker is made once the browser has answered the document, and at once without', async () => {
  const { page, faults } = await visit(browsers.Chromium, `${site.url}open.html?url=${encodeURIComponent(allowing.address('/runs/step%207.pb'))}`, { complete: false, prepare: noteWorker });
  await press(page, 'Open the trace');
  await summaryIn(page);
  assert.deepEqual(await page.evaluate(() => document.querySelector('iframe').contentWindow.asked), ['answered', 'made']);
  assert.deepEqual(await faults(), []);
  await page.close();
  const alone = await visit(browsers.Chromium, site.url, { prepare: noteWorker });
  assert.deepEqual(await alone.page.evaluate(() => window.asked), ['made']);
  await alone.page.close();
});

test('an answer without a length is read to its end', async () => {
  const { page, faults } = await asked(allowing.address('/without-length'));
  await press(page, 'Open the trace');
  assert.equal((await summaryIn(page)).ops, (await open(TRACE)).summary.ops);
  assert.deepEqual(await faults(), []);
  await page.close();
});

test('a link restores a view, and the address follows it', async () => {
  const { summary } = await open(TRACE);
  const hash = fragment(summary, summary.span_ns / 4, summary.span_ns / 2);
  const { page } = await asked(allowing.address('/runs/step%207.pb'), { hash });
  await press(page, 'Open the trace');
  await summaryIn(page);
  const frame = await (await page.$('iframe')).contentFrame();
  assert.equal(await frame.evaluate(() => location.hash), hash);
  await frame.evaluate(() => {
    location.hash = '#other';
    dispatchEvent(new Event('blur'));
  });
  assert.equal(await page.evaluate(() => location.hash), '#other');
  assert.match(await page.evaluate(() => location.search), /^\?url=http/);
  await page.close();
});

/** Opens what is there, and gives the code of the error that is shown, once there is one. */
async function codeOf(address, browser) {
  const visited = await asked(address, { browser });
  const { page } = visited;
  if ((await state(page)) === 'ask') await press(page, 'Open the trace');
  await waitForState(page, 'error');
  const result = { code: await errorCode(page), text: await shown(page), frames: (await page.$$('iframe')).length };
  await page.close();
  return result;
}

for (const name of ['Chromium', 'Firefox']) {
  test(`${name} says by code why nothing is opened`, async () => {
    const cases = {
      'address-unreachable': [refusing.address('/runs/step%207.pb'), 'http://127.0.0.1:1/a.pb'],
      'address-status': [allowing.address('/nothing')],
      'address-broken-off': [allowing.address('/broken')],
      'address-too-large': [allowing.address('/huge')],
      'address-not-allowed': ['http://traces.example/a.pb', 'javascript:alert(1)', 'data:text/plain,x'],
      'address-missing': [''],
    };
    for (const [code, addresses] of Object.entries(cases)) {
      for (const address of addresses) {
        const got = await codeOf(address, browsers[name]);
        assert.deepEqual([got.code, got.frames], [code, 0], address);
      }
    }
    const { text } = await codeOf(allowing.address('/nothing'), browsers[name]);
    assert.match(text, /answered with status 404/);
  });
}

test('reading can be cancelled and tried again, and a large file is asked about', async () => {
  const { page } = await asked(allowing.address('/slow'));
  await press(page, 'Open the trace');
  await page.waitForFunction(() => /^1,000\sB of .* read$/.test(document.querySelector('#open-progress').textContent));
  await press(page, 'Cancel');
  await waitForState(page, 'error');
  assert.equal(await errorCode(page), 'cancelled');
  await press(page, 'Try again');
  await waitForState(page, 'loading');
  await page.close();
  const large = await asked(allowing.address('/large'));
  await press(large.page, 'Open the trace');
  await large.page.waitForFunction(() => /has 600\sMiB at/.test(document.querySelector('#open-progress').textContent));
  await press(large.page, 'Read it');
  await large.page.waitForFunction(() => /^1\sB of 600\sMiB read$/.test(document.querySelector('#open-progress').textContent));
  await press(large.page, 'Cancel');
  await waitForState(large.page, 'error');
  await large.page.close();
});

test('what is no trace is said by the viewer', async () => {
  const { page } = await asked(allowing.address('/no-trace'));
  await press(page, 'Open the trace');
  await until(page, () => document.querySelector('iframe')?.contentDocument.querySelector('#error')?.dataset.code === 'other-format');
  await page.close();
});

test('the viewer itself still may ask nobody, in the frame as without', async () => {
  const { page } = await asked(allowing.address('/runs/step%207.pb'));
  await press(page, 'Open the trace');
  await summaryIn(page);
  const before = allowing.requested.length;
  const frame = await (await page.$('iframe')).contentFrame();
  const refused = await frame.evaluate((address) => fetch(address).then(() => false, () => true), allowing.address('/no-trace'));
  assert.ok(refused);
  assert.equal(allowing.requested.length, before);
  await page.close();
});

test('the question, its progress and its errors have no fault of accessibility, in both themes and on a phone', async () => {
  for (const theme of ['light', 'dark']) {
    const { page } = await asked(allowing.address('/slow'));
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
    assert.deepEqual(await faultsOf(page), [], `asking, ${theme}`);
    await press(page, 'Open the trace');
    await page.waitForFunction(() => /read$/.test(document.querySelector('#open-progress').textContent));
    assert.deepEqual(await faultsOf(page), [], `reading, ${theme}`);
    await press(page, 'Cancel');
    await waitForState(page, 'error');
    assert.deepEqual(await faultsOf(page), [], `error, ${theme}`);
    await page.setViewport({ width: 390, height: 800 });
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
    await page.close();
  }
});
