// Packed files in the page: the browser unpacks large ones while the core reads, and the core unpacks what the browser cannot.

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { chromium, firefox } from './browsers.mjs';
import { DIST, fixture, serveSite } from './site.mjs';
import { openFiles, summary, visit } from './steplens.mjs';

let folder;
const files = new Map();

before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'steplens-packed-'));
  const plain = await readFile(fixture('ps4w.pb'));
  // Stored as it is, so that it is large enough for the browser to unpack it.
  const stored = (bytes) => gzipSync(bytes, { level: 0 });
  const half = Math.floor(plain.length / 2);
  const packed = stored(plain);
  const contents = {
    plain,
    whole: packed,
    small: gzipSync(plain),
    'two members': Buffer.concat([stored(plain.subarray(0, half)), stored(plain.subarray(half))]),
    garbage: Buffer.concat([packed, Buffer.from('and something else')]),
    'without its end': packed.subarray(0, packed.length - 4),
    // Within the ops, and large enough for the browser to begin with it.
    'cut short': packed.subarray(0, 1_100_000),
  };
  for (const [name, bytes] of Object.entries(contents)) {
    const file = path.join(folder, name);
    await writeFile(file, bytes);
    files.set(name, { file, bytes: bytes.length });
  }
});
after(() => rm(folder, { recursive: true, force: true }));

/** What the page says of one file and its trace. */
async function said(page, name) {
  await openFiles(page, files.get(name).file);
  const { files: [{ bytes, format, ops, problems }], ...trace } = await summary(page);
  return { trace, bytes, format, ops, codes: problems.map(({ code }) => code) };
}

for (const [name, start] of Object.entries({ Chromium: chromium, Firefox: firefox })) {
  for (const how of ['hosted', 'as a single file']) {
    test(`${name}, ${how}, reads all that there is of a packed file`, async (t) => {
      const site = await serveSite(DIST, { keeps: false });
      const browser = await start();
      t.after(() => browser.close().then(() => site.close()));
      const url = how === 'hosted' ? site.url : `file://${path.join(DIST, 'steplens.html')}`;
      const { page, faults } = await visit(browser, url);
      const plain = await said(page, 'plain');
      assert.deepEqual([plain.ops, plain.codes], [4_175, []]);
      const workers = () => site.requested.filter((asked) => /\/worker-[^/]*\.js$/.test(asked)).length;
      for (const [file, codes] of [['whole', []], ['whole', []], ['small', []], ['two members', []], ['garbage', ['gzip-damaged']], ['without its end', ['gzip-damaged']]]) {
        const packed = await said(page, file);
        assert.deepEqual(packed.trace, plain.trace, file);
        assert.deepEqual([packed.bytes, packed.format, packed.ops, packed.codes], [files.get(file).bytes, 'run-metadata.gz', 4_175, codes], file);
        // In Firefox the core unpacks.
        const most = name === 'Firefox' ? 1 : 2;
        if (file === 'whole' && how === 'hosted') assert.equal(workers(), most, 'one worker reads, and another one unpacks file after file');
      }
      const cut = await said(page, 'cut short');
      assert.ok(cut.ops > 1_000 && cut.ops < 4_175 && cut.codes.includes('gzip-damaged'), `${cut.ops} ops, ${cut.codes}`);
      assert.deepEqual(await faults(), []);
    });
  }
}
