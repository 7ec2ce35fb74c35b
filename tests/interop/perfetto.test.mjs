// The exports for Perfetto open in the Perfetto of 2021, and its trace processor finds in them what our tables say: slices, flows, counters.

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { chromium } from '../web/browsers.mjs';
import { exported, sheet, summaryOf } from './exports.mjs';
import { openInPerfetto } from './perfetto_page.mjs';

let browser;
let folder;
before(async () => {
  browser = await chromium();
  folder = await mkdtemp(path.join(os.tmpdir(), 'steplens-perfetto-'));
});
after(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

/** The sum over time of [time, by how much it changes] as Perfetto stores a counter: a value for each moment at which there is a change. */
function levels(changes) {
  const at = new Map();
  for (const [time, by] of changes) at.set(time, (at.get(time) ?? 0) + by);
  let value = 0;
  return [...at].sort(([a], [b]) => a - b).map(([time, by]) => [time, (value += by)]);
}

/** Rows in order of their cells, the first cells first. */
const inOrder = (rows) => rows.sort((a, b) => {
  const at = a.findIndex((cell, column) => cell !== b[column]);
  return at < 0 ? 0 : a[at] < b[at] ? -1 : 1;
});

/** The Perfetto of 2021 reads the microseconds of JSON as floats, and cuts them: a nanosecond may be missing. */
const MAY_DIFFER_NS = { perfetto: 0, chrome: 1 };

/** Tracks with their place within the process: in Perfetto's own format by the numbers that we gave them, in JSON by those of threads. */
const TRACKS = {
  perfetto: "SELECT process_track.id, upid, int_value AS place FROM process_track JOIN args ON arg_set_id = source_arg_set_id WHERE key = 'source_id'",
  chrome: 'SELECT thread_track.id, upid, tid AS place FROM thread_track JOIN thread USING (utid)',
};

/** Whether rows are the same, with times, the cells of `columns`, as near as they have to be. */
function sameRows(got, want, columns, may_differ_ns, what) {
  assert.equal(got.length, want.length, `how many ${what}`);
  for (const [index, row] of want.entries()) {
    const near = got[index].map((cell, column) => (columns.includes(column) && Math.abs(cell - row[column]) <= may_differ_ns ? row[column] : cell));
    assert.deepEqual(near, row, what);
  }
}

/** What Perfetto has to find, from the sheets of CSV alone. */
async function wanted(name) {
  const sheets = await exported(folder, name, 'csv');
  const ops = await sheet(sheets, 'ops', ['op', 'lane', 'start_ns', 'end_ns']);
  const transfers = await sheet(sheets, 'transfers', ['op', 'producer', 'first_consumer', 'sent_ns', 'received_ns', 'bytes']);
  const arrows = transfers.flatMap(({ op, producer, first_consumer }) => {
    const to = op ?? first_consumer;
    return producer !== null && to !== null && ops[producer].start_ns < ops[to].start_ns ? [[ops[producer].name, ops[to].start_ns]] : [];
  });
  const inFlight = (device) => levels(ops
    .filter((op) => op.device === device && op.category !== 'range' && op.end_ns > op.start_ns)
    .flatMap(({ start_ns, end_ns }) => [[start_ns, 1], [end_ns, -1]]));
  const inTransit = levels(transfers
    .filter(({ bytes, sent_ns, received_ns }) => bytes > 0 && sent_ns !== null && received_ns !== null && received_ns > sent_ns)
    .flatMap(({ bytes, sent_ns, received_ns }) => [[sent_ns, bytes], [received_ns, -bytes]]));
  return { ops, arrows, inFlight, inTransit };
}

for (const name of ['ps4w.pb', 'gpu/kernels.pb']) {
  for (const format of ['perfetto', 'chrome']) {
    test(`${name} as ${format}: slices, flows and counters are ours`, async () => {
      const { ops, arrows, inFlight, inTransit } = await wanted(name);
      const { devices } = await summaryOf(name);
      const may_differ_ns = MAY_DIFFER_NS[format];
      const perfetto = await openInPerfetto(browser, await readFile(await exported(folder, name, format)));
      const { ask } = perfetto;
      assert.deepEqual(await ask("SELECT name, value FROM stats WHERE severity IN ('error', 'data_loss') AND value > 0"), []);

      // Each op is a slice of its own time in its own device, on the track of its lane, and none lies within another.
      const slices = await ask(`
        SELECT process.name AS device, slice.ts, slice.dur, slice.depth, place
        FROM slice JOIN (${TRACKS[format]}) AS track ON slice.track_id = track.id JOIN process USING (upid)`);
      const places = new Map(devices.map(({ name }) => [name, [...new Set(slices.filter(({ device }) => device === name).map(({ place }) => place))].sort((a, b) => a - b)]));
      sameRows(
        inOrder(slices.map(({ device, place, ts, dur }) => [device, places.get(device).indexOf(place), ts, dur])),
        inOrder(ops.map(({ device, lane, start_ns, end_ns }) => [device, lane, start_ns, end_ns - start_ns])),
        [2, 3], may_differ_ns, 'slices',
      );
      assert.ok(slices.every(({ depth }) => depth === 0), 'a slice within another');
      for (const { name, ops, lanes } of devices) {
        const own = slices.filter(({ device }) => device === name).length;
        assert.deepEqual([own, places.get(name).length], [ops, lanes], `slices and tracks of ${name}`);
      }

      // Each transfer with two ends is a flow from its producer to the start of what received it.
      const flows = await ask(`
        SELECT leaves.name AS name, arrives.ts AS ts
        FROM flow JOIN slice AS leaves ON slice_out = leaves.id JOIN slice AS arrives ON slice_in = arrives.id WHERE leaves.ts < arrives.ts`);
      sameRows(inOrder(flows.map(({ name, ts }) => [name, ts])), inOrder(arrows), [1], may_differ_ns, 'flows');
      assert.equal((await ask('SELECT count(*) AS count FROM flow'))[0].count, arrows.length);

      // Counters, moment by moment. Perfetto adds the name of the argument to those of JSON.
      const series = async (counter, device) => {
        const rows = await ask(`
          SELECT counter.ts, counter.value FROM counter JOIN process_counter_track AS track ON counter.track_id = track.id LEFT JOIN process USING (upid)
          WHERE track.name IN ('${counter}', '${counter} ops', '${counter} bytes') AND ${device === null ? 'true' : `process.name = '${device}'`}
          ORDER BY counter.ts`);
        return rows.map(({ ts, value }) => [ts, value]);
      };
      const changed = (values) => values.filter(([, value], index) => value !== (values[index - 1]?.[1] ?? 0));
      for (const device of devices) {
        sameRows(await series('ops in flight', device.name), changed(inFlight(device.name)), [0], may_differ_ns, `ops in flight of ${device.name}`);
      }
      sameRows(changed(await series('bytes in transit', null)), changed(inTransit), [0], may_differ_ns, 'bytes in transit');
      await perfetto.close();
    });
  }
}
