// Parquet in DuckDB: totals are those of `steplens summary`, and the queries of docs/export.md find what our tables say.

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import { ROOT } from '../web/site.mjs';
import { exported, sheet, summaryOf } from './exports.mjs';

const TRACES = ['ps4w.pb', 'ps2w6.pb.gz', 'multidev.pb', 'multidev-nograph.pb', 'collective.pb', 'lstm-while.pb', 'mnist-adam.pb', 'gpu/kernels.pb'];
const TABLES = ['ops', 'transfers', 'edges', 'links', 'allocations', 'steps'];

let duckdb;
let folder;
before(async () => {
  duckdb = await (await DuckDBInstance.create()).connect();
  folder = await mkdtemp(path.join(os.tmpdir(), 'steplens-duckdb-'));
});
after(async () => {
  duckdb?.closeSync();
  await rm(folder, { recursive: true, force: true });
});

/** The rows of a query; whole numbers as numbers. */
async function ask(query) {
  const rows = (await duckdb.runAndReadAll(query)).getRowObjectsJS();
  return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, typeof value === 'bigint' ? Number(value) : value])));
}

/** [device, figure] of all that have any, by name. */
const byDevice = (rows) => Object.fromEntries(rows.filter(([, figure]) => figure).sort(([a], [b]) => (a < b ? -1 : 1)));

/** Rows by their key; Node 20 has no `Map.groupBy`. */
function groups(rows, key) {
  const found = new Map();
  for (const row of rows) found.set(key(row), [...(found.get(key(row)) ?? []), row]);
  return found;
}

for (const name of TRACES) {
  test(`${name}: totals are those of the summary`, async () => {
    const [out, summary] = await Promise.all([exported(folder, name, 'parquet'), summaryOf(name)]);
    for (const table of TABLES) {
      const columns = await ask(`DESCRIBE SELECT * FROM '${out}/${table}.parquet'`);
      assert.deepEqual(columns.filter(({ column_type }) => column_type !== 'BIGINT' && column_type !== 'VARCHAR'), [], table);
    }
    const [ops, transfers] = [`'${out}/ops.parquet'`, `'${out}/transfers.parquet'`];
    const [work] = await ask(`SELECT max(end_ns) - min(start_ns) AS span_ns FROM ${ops} WHERE category <> 'range'`);
    const [count] = await ask(`SELECT count(*) AS ops FROM ${ops}`);
    const [moved] = await ask(`SELECT count(*) AS transfers, coalesce(sum(bytes), 0)::BIGINT AS transferred_bytes FROM ${transfers}`);
    const { span_ns, ops: all, transfers: all_transfers, transferred_bytes, devices } = summary;
    assert.deepEqual({ ...count, ...work, ...moved }, { ops: all, span_ns, transfers: all_transfers, transferred_bytes });
    const ops_of = await ask(`SELECT device, count(*) AS ops FROM ${ops} GROUP BY device`);
    assert.deepEqual(byDevice(ops_of.map(({ device, ops }) => [device, ops])), byDevice(devices.map(({ name, ops }) => [name, ops])));
    const received = await ask(`SELECT destination, sum(bytes)::BIGINT AS bytes FROM ${transfers} GROUP BY destination`);
    assert.deepEqual(
      byDevice(received.map(({ destination, bytes }) => [destination, bytes])),
      byDevice(devices.map(({ name, received_bytes }) => [name, received_bytes])),
    );
  });
}

test('the queries of docs/export.md find what the sheets of CSV say', async () => {
  const name = 'ps4w.pb';
  const [tables, sheets] = [await exported(folder, name, 'parquet'), await exported(folder, name, 'csv')];
  const document = await readFile(path.join(ROOT, 'docs/export.md'), 'utf8');
  const queries = [...document.matchAll(/```sql\n([^]*?)```/g)].map(([, query]) => query.replaceAll(/'(\w+\.parquet)'/g, `'${tables}/$1'`));
  assert.equal(queries.length, 3);
  const [kinds, links, late] = await Promise.all(queries.map(ask));
  const ops = await sheet(sheets, 'ops', ['op', 'self_ns']);
  const transfers = await sheet(sheets, 'transfers', ['bytes', 'first_consumer', 'producer', 'delayed_ns', 'received_ns', 'producer_end_ns', 'wire_ns']);

  // Which kinds of op take the time.
  const sums = groups(ops.filter(({ category }) => category !== 'range'), ({ op_type, category }) => `${op_type} ${category}`);
  const self_ms = (own) => own.reduce((sum, { self_ns }) => sum + self_ns, 0) / 1e6;
  assert.equal(kinds.length, 10);
  for (const { op_type, category, ops, self_ms: said } of kinds) {
    const own = sums.get(`${op_type} ${category}`);
    assert.deepEqual([ops, said], [own.length, self_ms(own)], op_type);
  }
  assert.deepEqual(kinds.map(({ self_ms }) => self_ms), [...sums.values()].map(self_ms).sort((a, b) => b - a).slice(0, 10));

  // Between which devices transfers delay ops.
  const pairs = groups(transfers, ({ source, destination }) => `${source} ${destination}`);
  assert.equal(links.length, pairs.size);
  for (const { source, destination, transfers: count, bytes, delayed_ms } of links) {
    const own = pairs.get(`${source} ${destination}`);
    const known = (column) => own.map((row) => row[column]).filter((value) => value !== null);
    // A sum of nothing is NULL.
    const sum = (column) => (known(column).length ? known(column).reduce((a, b) => a + b, 0) : null);
    const delayed_ns = sum('delayed_ns');
    assert.deepEqual([count, bytes, delayed_ms], [own.length, sum('bytes'), delayed_ns === null ? null : delayed_ns / 1e6], source);
  }

  // What came too late for which op.
  const delayed = transfers.filter(({ delayed_ns }) => delayed_ns > 0).sort((a, b) => b.delayed_ns - a.delayed_ns);
  assert.equal(late.length, 10);
  for (const { op, tensor, bytes, made_by, on_the_way_ms } of late) {
    const own = delayed.slice(0, 10).find((row) => row.tensor === tensor && ops[row.first_consumer].name === op);
    const { name } = ops[own.producer];
    assert.deepEqual([bytes, made_by, on_the_way_ms], [own.bytes, name, (own.received_ns - own.producer_end_ns) / 1e6], tensor);
  }
});
