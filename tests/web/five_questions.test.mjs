// Five questions that people open a trace with, on two clusters. Each is answered with at most two actions, and the answer is the core's.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { open, RangeQuery } from './core.mjs';
import { untilField } from './hands.mjs';
import { fixture } from './site.mjs';
import { browser, site } from './stage.mjs';
import { openFiles, visit } from './steplens.mjs';

/** What each trace says of its slowest task and its longest wait, in the words of the page. */
const TRACES = [
  {
    file: 'ps4w.pb',
    slowest: /^worker 0 .*15\.85 ms/,
    waited: '12.41 ms',
  },
  {
    file: 'ps2w6.pb.gz',
    slowest: /1\.039 ms/,
    waited: '4.927 ms',
  },
];

const plain = (text) => text.replace(/\s+/g, ' ').trim();
for (const { file, slowest, waited } of TRACES) describe(file, () => {
  let core;
  before(async () => {
    core = await open(fixture(file));
  });
  after(() => core?.session.free());

  const opTypesOf = (start_ns, end_ns, device) => JSON.parse(core.session.opTypes(new RangeQuery(start_ns, end_ns, device)));
  const deviceNamed = (words) => core.summary.devices.findIndex(({ name }) => name.includes(words));

  /** The page with the trace, and a hand that counts what it does. */
  async function asked() {
    const { page, faults } = await visit(browser, site.url);
    await page.setViewport({ width: 1600, height: 900 });
    await openFiles(page, fixture(file));
    let actions = 0;
    const act = async (action) => {
      actions += 1;
      await action();
    };
    const end = async () => {
      assert.ok(actions <= 2, `${actions} actions`);
      assert.deepEqual(await faults(), []);
      await page.close();
    };
    const rowOf = async (part, words) => {
      const selector = `#panel-range section[aria-label="${part}"] tbody tr`;
      await page.waitForFunction((selector, words) => [...document.querySelectorAll(selector)].some((row) => row.innerText.startsWith(words)), {}, selector, words);
      // In one go: the table may be made anew at any time.
      const use = (click) =>
        page.evaluate(
          (selector, words, click) => {
            const row = [...document.querySelectorAll(selector)].find((row) => row.innerText.startsWith(words));
            if (click) row.click();
            return row.innerText;
          },
          selector,
          words,
          click,
        );
      return { text: () => use(false), click: () => use(true) };
    };
    const opTypes = () =>
      page.$$eval('#panel-range section[aria-label="Op types"] tbody tr:not(.spacer)', (rows) => rows.map((row) => [row.cells[0].innerText.replace(/\s/g, ''), row.cells[1].innerText.trim()]));
    const untilOpTypes = (count) =>
      page.waitForFunction((words) => new RegExp(words).test(document.querySelector('#panel-range section[aria-label="Op types"]').innerText), {}, `(^|\\D)${count} op types`);
    return { page, act, end, rowOf, opTypes, untilOpTypes };
  }

  test('which task is the slowest, and why', async () => {
    const [straggler] = JSON.parse(core.session.network()).stragglers.rows;
    const { page, act, end } = await asked();
    await act(() => page.click('#place-communication'));
    await page.waitForSelector('#network-of-stragglers .straggler-why button', { visible: true });
    assert.match(plain(await page.$eval('#network-of-stragglers .straggler-who', (own) => own.innerText)), slowest);
    // What ran in its place is one click away.
    await act(() => page.click('#network-of-stragglers .straggler-why button:last-of-type'));
    await untilField(page, 'op', String(straggler.cause.op.op));
    const why = JSON.parse(core.session.why(straggler.cause.op.op));
    // Where nothing ran in its place, where its time went is said there.
    const [instead] = why.instead;
    const words = instead ? instead.op.name.split('/').at(-1) : straggler.cause.op.name;
    await page.waitForFunction((words) => document.querySelector('#panel-selection').innerText.includes(words), {}, words);
    assert.ok(await page.$eval('#panel-selection .why', (own) => own.innerText.trim().length > 0));
    await end();
  });

  test('how much communication is not hidden, by worker', async () => {
    const { end, rowOf } = await asked();
    for (const device of core.summary.devices) {
      const share = ((device.exposed_communication_ns / core.summary.span_ns) * 100).toFixed(1);
      const [, job, task] = /job:(\w+)\/replica:0\/task:(\d+)/.exec(device.name);
      const name = `${job} ${task}`;
      const row = await rowOf('Split per device', name);
      assert.ok(plain(await row.text()).includes(`${share} %`), `${name}: ${share} %`);
    }
    await end();
  });

  test('which tensor was waited for most, and from where', async () => {
    const [wait] = JSON.parse(core.session.network()).waits_by_tensor.rows;
    const { page, act, end } = await asked();
    await act(() => page.click('#place-communication'));
    await page.waitForSelector('#network-exposed .network-answer', { visible: true });
    await act(() => page.click('#network-exposed'));
    await page.waitForFunction((tensor) => document.querySelector('#network-of-exposed').innerText.replace(/\s/g, '').includes(tensor), {}, wait.tensor);
    assert.ok(plain(await page.$eval('#network-of-exposed', (own) => own.innerText)).includes(waited));
    await end();
  });

  test('what worker 3 spends most on', async () => {
    const device = deviceNamed('worker/replica:0/task:3');
    const types = opTypesOf(0, core.summary.span_ns, device);
    const { act, end, rowOf, opTypes, untilOpTypes } = await asked();
    const row = await rowOf('Split per device', 'worker 3');
    await act(() => row.click());
    await untilOpTypes(types.length);
    const [[, count]] = await opTypes();
    assert.equal(count, types[0].count.toLocaleString('en'));
    await end();
  });

  test('what ran on one device from 20 to 30 ms', async () => {
    const device = deviceNamed('worker/replica:0/task:1');
    const types = opTypesOf(20e6, 30e6, device);
    const { page, act, end, rowOf, untilOpTypes, opTypes } = await asked();
    await act(async () => {
      await page.keyboard.press('/');
      await page.keyboard.type('20ms-30ms');
      await page.keyboard.press('Enter');
    });
    await page.waitForFunction(() => document.querySelector('.step-row .scope-name').textContent.startsWith('Range'));
    const row = await rowOf('Split per device', 'worker 1');
    await act(() => row.click());
    await untilOpTypes(types.length);
    const counts = (await opTypes()).map(([, count]) => Number(count.replaceAll(',', '')));
    assert.equal(counts.reduce((sum, count) => sum + count, 0), types.reduce((sum, { count }) => sum + count, 0));
    await end();
  });
});
