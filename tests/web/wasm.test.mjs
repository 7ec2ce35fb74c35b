// Both builds of the wasm say word for word what the native program says: all are held against tests/golden.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { crc32, gzipSync } from 'node:zlib';
import { CHROME_TRACES, FIXTURES, LEAN, WHOLE, open } from './core.mjs';
import { ROOT, fixture } from './site.mjs';

// As in tests/tests/golden.rs: rows on lines of their own, and of a long text the beginning, the length and the checksum.
const WHOLE_BYTES = 64 * 1024;
const LINES = 24;

function golden(text) {
  const whole = text.trimEnd();
  const rows = whole.replaceAll('},{', '},\n{').replaceAll(':[{', ':[\n{');
  if (Buffer.byteLength(rows) <= WHOLE_BYTES) return `${rows}\n`;
  const head = rows.split('\n').slice(0, LINES).join('\n');
  const checksum = crc32(whole).toString(16).padStart(8, '0');
  return `${head}\n... ${Buffer.byteLength(whole)} bytes in all, CRC-32 ${checksum}\n`;
}

/** Fails with the place of the first difference: the texts are long. */
function same(got, want, name) {
  if (got === want) return;
  const at = [...got].findIndex((char, index) => char !== want[index]);
  const around = (text) => text.slice(Math.max(0, at - 60), at + 40);
  assert.fail(`${name} differs at character ${at}: got …${around(got)}…, want …${around(want)}…`);
}

/** Every file with the whole core, and what the lean one reads with that, too. */
const READ_BY = [
  ...FIXTURES.map((file) => ['lean', LEAN, file]),
  ...[...FIXTURES, ...CHROME_TRACES].map((file) => ['whole', WHOLE, file]),
];

for (const [name, core, file] of READ_BY) {
  test(`${file}: native and the ${name} core are the same`, async () => {
    const { session, summaryJson, summary } = await open(fixture(file), undefined, core);
    const quarter = Math.floor(summary.span_ns / 4);
    const middle = () => new core.RangeQuery(quarter, summary.span_ns - quarter);
    const range = `${session.range(middle())}\n${session.opTypes(middle())}`;
    const texts = { summary: summaryJson, transfers: session.transfersJson(), ops: session.opsJson(), range };
    for (const [command, text] of Object.entries(texts)) {
      const name = `${path.basename(file).replace(/\.(pb|json|json\.gz)$/, '')}.${command}.json`;
      same(golden(text), readFileSync(path.join(ROOT, 'tests/golden', name), 'utf8'), name);
    }
    session.free();
  });
}

for (const [name, core] of Object.entries({ lean: LEAN, whole: WHOLE })) {
  test(`the size of the slices makes no difference to the ${name} core`, async () => {
    const whole = await open(fixture('collective.pb'), Infinity, core);
    const bytes = await open(fixture('collective.pb'), 1, core);
    assert.equal(bytes.summaryJson, whole.summaryJson);
    assert.equal(bytes.session.opsJson(), whole.session.opsJson());
  });
}

/** Pushes bytes, and gives the code of what is thrown and by which call. */
function refusalOf(bytes) {
  const session = new LEAN.Session([]);
  session.beginFile('file');
  try {
    session.push(bytes);
  } catch ({ code }) {
    return `push: ${code}`;
  }
  try {
    session.endFile();
  } catch ({ code }) {
    return `endFile: ${code}`;
  }
  return 'none';
}

test('the lean core says at the first bytes which files it does not read', () => {
  const json = readFileSync(fixture('chrome/timeline-hook.json'));
  const text = readFileSync(fixture('containers/mnist-adam.pbtxt'));
  for (const bytes of [json, text, gzipSync(json), gzipSync(text)]) assert.equal(refusalOf(bytes.subarray(0, 64 * 1024)), 'push: reader-elsewhere');
  for (const start of ['[{', 'step_stats {', '\x80\x02cfoo', '\x28\xb5\x2f\xfd', '\x0a\x20\x0a\x06matmul\x10\x05\x18\x06'])
    assert.equal(refusalOf(Buffer.from(start, 'latin1')), 'endFile: reader-elsewhere', JSON.stringify(start));
  for (const bytes of [readFileSync(fixture('mnist-adam.pb')), Buffer.from('PK\x03\x04'), Buffer.from('what is this?')]) assert.equal(refusalOf(bytes), 'none');
});
