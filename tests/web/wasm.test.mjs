// The wasm says word for word what the native program says: both are held against tests/golden.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import { CHROME_TRACES, FIXTURES, RangeQuery, open } from './core.mjs';
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

for (const file of [...FIXTURES, ...CHROME_TRACES]) {
  test(`${file}: native and wasm are the same`, async () => {
    const { session, summaryJson, summary } = await open(fixture(file));
    const quarter = Math.floor(summary.span_ns / 4);
    const middle = () => new RangeQuery(quarter, summary.span_ns - quarter);
    const range = `${session.range(middle())}\n${session.opTypes(middle())}`;
    const texts = { summary: summaryJson, transfers: session.transfersJson(), ops: session.opsJson(), range };
    for (const [command, text] of Object.entries(texts)) {
      const name = `${path.basename(file).replace(/\.(pb|json|json\.gz)$/, '')}.${command}.json`;
      same(golden(text), readFileSync(path.join(ROOT, 'tests/golden', name), 'utf8'), name);
    }
    session.free();
  });
}

test('the size of the slices makes no difference', async () => {
  const whole = await open(fixture('collective.pb'), Infinity);
  const bytes = await open(fixture('collective.pb'), 1);
  assert.equal(bytes.summaryJson, whole.summaryJson);
  assert.equal(bytes.session.opsJson(), whole.session.opsJson());
});
