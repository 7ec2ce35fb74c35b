// What someone who has never seen the trace asks first, answered from the page by mouse and by keyboard: who is the straggler and why, which tensor
// each worker waited for longest, and how much of its step was exposed communication. Checked against figures that are computed here, from the
// ops alone.

import assert from 'node:assert/strict';
import { before } from 'node:test';
import { open } from './core.mjs';
import { toTab } from './hands.mjs';
import { fixture } from './site.mjs';
import { onPage } from './stage.mjs';
import { openFiles } from './steplens.mjs';

const NANOS = { ns: 1, µs: 1e3, ms: 1e6, s: 1e9 };
const PS4W = fixture('ps4w.pb');

/** By task, such as `worker 0`: the end of its last op, its exposed communication, and what it waited for, the longest first. */
let tasks;
let span_ns;
before(async () => {
  const { session, summary } = await open(PS4W);
  span_ns = summary.span_ns;
  const { ops } = JSON.parse(session.answer('ops', ''));
  const { transfers } = JSON.parse(session.answer('transfers', ''));
  session.free();
  const names = new Map(transfers.map((transfer) => [transfer.tensor, nameOf(transfer)]));
  tasks = new Map(
    [...new Set(ops.map((op) => op.device))].map((device) => {
      const [, job, task] = /^\/job:(\w+)\/replica:0\/task:(\d+)/.exec(device);
      const ran = ops.filter((op) => op.device === device && op.end_ns > op.start_ns);
      return [`${job} ${task}`, { ended_ns: Math.max(...ran.map((op) => op.end_ns)), ...exposed(ran, names) }];
    }),
  );
});

/** A tensor is called as its variable, whose data flow has tests of its own; else as what made it. */
function nameOf({ tensor, variable, kind }) {
  const maker = tensor.replace(/^edge_\d+_/, '').replace(/\/read$/, '');
  const is_gradient = variable ? kind === 'gradient' : /^gradients(_\d+)?\//.test(maker);
  return `${variable ?? maker}${is_gradient ? ' (gradient)' : ''}`;
}

/** Goes through the time between any two starts or ends of `ops`, one after another; `names` are those of tensors. */
function exposed(ops, names) {
  const times = [...new Set(ops.flatMap((op) => [op.start_ns, op.end_ns]))].sort((a, b) => a - b);
  const pieces = times.slice(1).map((end, at) => {
    const running = ops.filter((op) => op.start_ns <= times[at] && op.end_ns >= end);
    return { length: end - times[at], end, running, is_exposed: running.length > 0 && running.every((op) => op.category === 'communication') };
  });
  const waited = new Map();
  let exposed_ns = 0;
  let goes_on = Infinity;
  for (const [at, piece] of [...pieces.entries()].reverse()) {
    if (!piece.is_exposed) continue;
    if (!pieces[at + 1]?.is_exposed) goes_on = piece.end;
    exposed_ns += piece.length;
    const landed = piece.running.filter((op) => op.end_ns <= goes_on).sort((a, b) => b.end_ns - a.end_ns || b.start_ns - a.start_ns);
    const [blamed] = landed.length > 0 ? landed : piece.running.sort((a, b) => a.end_ns - b.end_ns);
    const [, tensor, source] = /(edge_\S+) from (\S+) /.exec(blamed.label);
    const name = names.get(tensor);
    const key = `${source} ${name}`;
    waited.set(key, [name, (waited.get(key)?.[1] ?? 0) + piece.length]);
  }
  return { exposed_ns, waited: [...waited.values()].sort((a, b) => b[1] - a[1]) };
}

/** Whether a text such as `46.19 ms` is this length, as far as it is written. */
function says(text, ns) {
  const [, number, unit] = /([\d,]+(?:\.\d+)?)\s(ns|µs|ms|s)\b/.exec(text) ?? assert.fail(`no length in ${text}`);
  const digits = number.split('.')[1]?.length ?? 0;
  const told = Number(number.replaceAll(',', '')) * NANOS[unit];
  assert.ok(Math.abs(told - ns) <= 0.5001 * NANOS[unit] * 10 ** -digits, `${text} is not ${ns} ns`);
}

const text = (page, selector) => page.$eval(selector, (element) => element.innerText);
const selectedOp = (page) => page.waitForFunction(() => new URLSearchParams(location.hash.slice(1)).get('op'), {});

/** The rows of the first table of a section, as texts. */
const rows = (page, selector) =>
  page.$$eval(`${selector} tbody tr`, (rows) => rows.map((row) => [...row.children].map((cell) => cell.innerText.trim())));

onPage('the straggler, its lag and the first cause stand first', async ({ page }) => {
  await openFiles(page, PS4W);
  await toTab(page, 'network');
  await page.waitForSelector('#network-of-stragglers .straggler-who', { visible: true });
  const workers = [...tasks].filter(([name]) => name.startsWith('worker')).sort((a, b) => b[1].ended_ns - a[1].ended_ns);
  const [[last, { ended_ns }], [next, second], [, median]] = workers;
  const who = await text(page, '.straggler-who');
  assert.ok(who.startsWith(`${last} came last`), who);
  const [, after, name, behind] = /last, (.*?) after (worker \d)(?: and (.*?) after)/.exec(who);
  assert.equal(name, next);
  says(after, ended_ns - second.ended_ns);
  says(behind, ended_ns - median.ended_ns);
  assert.deepEqual((await rows(page, '#network-of-stragglers')).map(([task]) => task), workers.map(([task]) => task));
  const why = await text(page, '.straggler-why');
  // Its first convolution: its inputs were there at 68.1 ms, and it ran at 202.8 ms.
  assert.match(why, /net\/tower_0\/Relu started late/);
  says(/there (.*?) before/.exec(why)[1], 134_745_233);
  await page.click('.straggler-why .op-link');
  await selectedOp(page);
  assert.equal(await page.$eval('#tab-network', (tab) => tab.getAttribute('aria-selected')), 'true', 'the answer stays');
});

onPage('exposed communication and the longest waits are read by keyboard', async ({ page }) => {
  await openFiles(page, PS4W);
  await page.focus('#place-communication');
  await page.keyboard.press('Enter');
  await page.waitForSelector('#network-stragglers', { visible: true });
  await page.focus('#network-stragglers');
  await page.keyboard.press('ArrowDown');
  await page.waitForSelector('#network-of-exposed .network-shares', { visible: true });
  assert.equal(await page.evaluate(() => document.activeElement.id), 'network-exposed');
  const shares = await rows(page, '.network-shares');
  assert.equal(shares.length, tasks.size);
  for (const [device, exposed, share, longest] of shares) {
    const own = tasks.get(device.replace(' CPU:0', ''));
    says(exposed, own.exposed_ns);
    assert.equal(share.replace(/\s/g, ''), `${((100 * own.exposed_ns) / span_ns).toFixed(1)}%`);
    const [tensor, waited] = own.waited[0];
    assert.ok(longest.startsWith(tensor), `${longest} is not ${tensor}`);
    says(longest.slice(tensor.length), waited);
  }
  // All waits of all devices, the longest first; Enter goes to the transfer and stays.
  const all = [...tasks].flatMap(([task, own]) => own.waited.map(([tensor, waited]) => ({ task, tensor, waited }))).sort((a, b) => b.waited - a.waited);
  const grid = '#network-of-exposed [role="grid"]';
  await page.waitForFunction((grid) => document.querySelectorAll(`${grid} tbody tr`).length > 3, {}, grid);
  const waits = (await rows(page, grid)).filter((row) => row.length > 3);
  for (const [at, [device, waited, tensor]] of waits.slice(0, 5).entries()) {
    assert.deepEqual([device.replace(' CPU:0', ''), tensor], [all[at].task, all[at].tensor]);
    says(waited, all[at].waited);
  }
  await page.focus(grid);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await selectedOp(page);
  assert.equal(await page.$eval('#tab-network', (tab) => tab.getAttribute('aria-selected')), 'true');
});

onPage('a tensor leads to its transfers, and collectives are asked about only where there are any', async ({ page }) => {
  await openFiles(page, PS4W);
  await toTab(page, 'network');
  await page.waitForSelector('#network-tensors', { visible: true });
  assert.ok(await page.$eval('#network-collectives', (question) => question.hidden));
  await page.click('#network-tensors');
  const grid = '#network-of-tensors [role="grid"]';
  await page.waitForFunction((grid) => document.querySelectorAll(`${grid} tbody tr`).length > 3, {}, grid);
  const [first] = (await rows(page, grid)).filter((row) => row.length > 3);
  await page.click(`${grid} tbody tr:nth-child(2)`);
  await page.waitForSelector('#panel-transfers', { visible: true });
  const filter = await page.$eval('#panel-transfers input[type="search"]', (input) => input.value);
  const [, kind, name] = /^(tensor|gradient)=(.+)$/.exec(filter) ?? assert.fail(filter);
  const words = kind === 'gradient' ? `${name} (gradient)` : name;
  assert.ok((await rows(page, grid)).some(([tensor]) => tensor === words), `${filter}, not ${first[0]}`);
  await openFiles(page, fixture('collective.pb'));
  await toTab(page, 'network');
  await page.waitForFunction(() => document.querySelector('#network-collectives')?.hidden === false);
  assert.match(await text(page, '#network-collectives'), /CPU:1 was last in 1 of 1/);
});
