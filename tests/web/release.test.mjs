// The archives of a release: the system's own tar unpacks them to the same files, and the same files give the same bytes.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { packFolder } from '../../xtask/packed.mjs';
import { tar } from '../../xtask/tar.mjs';
import { DIST } from './site.mjs';

const LONG = `steplens-1.2.3/${'folder-of-some-length/'.repeat(6)}file.txt`;
const ENTRIES = [
  { name: 'steplens-1.2.3/steplens', bytes: Buffer.from('a program'), is_program: true },
  { name: 'steplens-1.2.3/empty', bytes: Buffer.alloc(0) },
  { name: 'steplens-1.2.3/block', bytes: Buffer.alloc(512, 7) },
  { name: LONG, bytes: Buffer.alloc(100_000, 'steplens') },
];

test('an archive holds its files, and nothing of this machine', async (t) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'steplens-release-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await writeFile(path.join(folder, 'a.tar.gz'), gzipSync(tar(ENTRIES)));
  execFileSync('tar', ['-xzf', 'a.tar.gz'], { cwd: folder });
  for (const { name, bytes, is_program = false } of ENTRIES) {
    const file = path.join(folder, name);
    assert.deepEqual(await readFile(file), bytes, name);
    if (process.platform !== 'win32') assert.equal(((await stat(file)).mode & 0o100) !== 0, is_program, name);
  }
  assert.deepEqual(gzipSync(tar(ENTRIES)), gzipSync(tar(ENTRIES)));
});

test('every file of the page is there packed, and what is packed already is left alone', async (t) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'steplens-packed-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const plain = ['index.html', 'open.css', 'open.js', 'icon.svg'];
  for (const name of plain) await cp(path.join(DIST, name), path.join(folder, name));
  await writeFile(path.join(folder, 'sample.steplens.gz'), gzipSync('packed'));
  assert.deepEqual(await packFolder(folder), [...plain].sort());
  for (const name of plain) {
    const bytes = await readFile(path.join(folder, name));
    const [gz, br] = await Promise.all(['gz', 'br'].map((ending) => readFile(path.join(folder, `${name}.${ending}`))));
    assert.deepEqual(gunzipSync(gz), bytes, name);
    assert.deepEqual(brotliDecompressSync(br), bytes, name);
    assert.ok(gz.length < bytes.length && br.length < gz.length, name);
  }
  assert.equal((await readdir(folder)).length, 3 * plain.length + 1);
});

test('a name that no archive can hold is refused', () => {
  assert.throws(() => tar([{ name: 'x'.repeat(101), bytes: Buffer.alloc(0) }]), /too long/);
});
