// What the program exports, and what it says of the same trace.

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { ROOT, fixture } from '../web/site.mjs';

/** The program, which `cargo xtask test` builds. */
const PROGRAM = process.env.STEPLENS_PROGRAM ?? path.join(ROOT, 'target/debug/steplens');

const run = async (...args) => (await promisify(execFile)(PROGRAM, args, { maxBuffer: 1 << 28 })).stdout;

/** Exports a fixture, by the clocks as estimated, and gives the place of the file or folder. */
export async function exported(folder, name, format) {
  const out = path.join(folder, `${path.basename(name)}.${format}`);
  await run('export', fixture(name), '--format', format, '--clocks', 'estimated', '-o', out);
  return out;
}

export const summaryOf = async (name) => JSON.parse(await run('summary', fixture(name), '--json'));

/** The rows of a sheet of CSV (RFC 4180), by the names of its columns. Numbers of `numeric` columns are numbers, or null where the cell is empty. */
export async function sheet(folder, table, numeric) {
  const text = await readFile(path.join(folder, `${table}.csv`), 'utf8');
  const rows = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/gy)) {
    rows.at(-1).push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end !== ',') rows.push([]);
  }
  const [header, ...cells] = rows.filter((row) => row.length > 1);
  const value = (name, cell) => (!numeric.includes(name) ? cell : cell === '' ? null : Number(cell));
  return cells.map((row) => Object.fromEntries(header.map((name, column) => [name, value(name, row[column])])));
}
