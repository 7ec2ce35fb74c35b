// Of every recording the page shares the same hidden session as the program, whose strings tests/tests/redact.rs searches.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { RedactionQuery, open } from './core.mjs';
import { dataOf } from './shared_page.mjs';
import { DIST, ROOT, fixture } from './site.mjs';

const PROGRAM = process.env.STEPLENS_PROGRAM ?? path.join(ROOT, 'target/debug/steplens');
const KEY = '000102030405060708090a0b0c0d0e0f';
const PUBLIC = readFileSync(path.join(ROOT, 'crates/steplens-core/src/redact/op_types.txt'), 'utf8');
/** Larger ones take seconds, and have nothing else in them. */
const MOST_BYTES = 400_000;
const SAMPLES = path.join(ROOT, '../shared/samples');

/** All files below a folder. */
const below = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
const own = below(fixture('.')).filter((file) => statSync(file).size < MOST_BYTES);
const others = ['own', 'gpu', 'real'].map((name) => path.join(SAMPLES, name)).filter((folder) => existsSync(folder));
const samples = others.flatMap(below).filter((file) => statSync(file).size < MOST_BYTES);

let folder;
before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'steplens-redacted-'));
});
after(() => rm(folder, { recursive: true, force: true }));

/** What the program writes of `file`; null where it has no trace. */
async function written(file) {
  const report = path.join(folder, 'report.html');
  const env = { ...process.env, STEPLENS_REDACTION_KEY: KEY, STEPLENS_PAGE: path.join(DIST, 'steplens.html') };
  try {
    await promisify(execFile)(PROGRAM, ['report', file, '--output', report], { env });
  } catch {
    return null;
  }
  return readFile(report);
}

/** What the core puts into the page's place for data of the redacted trace, and what its first file is called. */
function shared(session) {
  const name = session.beginSharingRedacted(new RedactionQuery('', KEY, PUBLIC), '');
  const pieces = [];
  for (let has_more = true; has_more; ) {
    has_more = session.saveOne();
    pieces.push(session.takeSaved());
  }
  session.endSaving();
  return { name, data: Buffer.concat(pieces) };
}

for (const [which, files, least] of [['fixtures', own, 30], ['samples', samples, 30]]) {
  test(`page and program hide the same of all ${which}`, { skip: files.length === 0 && 'no samples lie next to the repository' }, async () => {
    let count = 0;
    for (const file of files) {
      const report = await written(file);
      if (report === null) continue;
      const { session } = await open(file);
      const { name, data } = shared(session);
      assert.ok(report.includes(data), path.relative(ROOT, file));
      const inside = dataOf(report);
      assert.equal(inside.note.files[0].name, `${name}.steplens`);
      assert.equal(session.redactionLeak(new RedactionQuery('', KEY, PUBLIC), [], inside.session, [name]), undefined);
      session.free();
      count++;
    }
    assert.ok(count >= least, `${count} files`);
  });
}
