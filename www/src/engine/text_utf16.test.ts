// Bytes and back, in letters that HTML keeps as they are in a file of UTF-16.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BYTE_ORDER_MARK, bytesOf, decode, encode, textOf } from './text_utf16';

const CHANGED = /[\0\r<\ufeff\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

const written = (bytes: Uint8Array) => textOf(encode(bytes).buffer);

function comesBack(bytes: Uint8Array): string {
  const text = written(bytes);
  assert.doesNotMatch(text, CHANGED);
  assert.deepEqual([...decode(text)], [...bytes]);
  return text;
}

test('the letters that the program writes', () => {
  const cases: [number[], string][] = [
    [[], ''],
    [[0x61], '\u{10ff61}'],
    [[0x61, 0x62], '\u6261'],
    [[0x61, 0x62, 0xff], '\u6261\u{10ffff}'],
    [[0x3c, 0x00], '\u{10ff3c}\u{10ff00}'],
    [[0x3c, 0x00, 0x41, 0x42, 0x43], '\u{90241}\u4342'],
    [[0x00, 0xd8, 0xff, 0xff, 0xdf, 0x00], '\u{100ff}\u{8ff00}'],
    [[0, 0, 0, 0x0d, 0, 1, 0xff, 0xfe, 2, 0xfe, 0xff, 3, 0xff, 0xff, 4], '\u{90000}\u{90101}\u{90302}\u{90403}\u{90504}'],
    [[7, 0, 0, 9, 200, 6], '\x07\u0900\u06c8'],
  ];
  for (const [bytes, letters] of cases) assert.equal(comesBack(Uint8Array.from(bytes)), letters);
});

test('every unit comes back, wherever it stands', () => {
  for (let unit = 0; unit < 0x10000; unit++) {
    const [low, high] = [unit & 0xff, unit >> 8];
    for (const bytes of [
      [low, high],
      [low, high, high],
      [7, 9, low, high, 3, 5, low, high],
    ]) {
      const text = written(Uint8Array.from(bytes));
      // Asserting each takes ten times as long.
      if (CHANGED.test(text) || decode(text).join() !== bytes.join()) comesBack(Uint8Array.from(bytes));
    }
  }
});

/** Of every length, with many units that would not come back. */
const hostile = (length: number) =>
  Uint8Array.from({ length }, (_, at) => [0, 0x3c, 0xd8, 0xff, 0xfe, 0xdc, 0x0d, at * 31][(at * at + length) % 8] ?? 0);

test('every length comes back', () => {
  for (let length = 0; length < 300; length++) comesBack(hostile(length));
});

test('pieces of any length join', () => {
  const bytes = hostile(100);
  for (let cut = 0; cut <= 100; cut++) assert.deepEqual(decode(written(bytes.subarray(0, cut)) + written(bytes.subarray(cut))), bytes);
});

test('random bytes take 1.6 % more', () => {
  let state = 1;
  const bytes = Uint8Array.from({ length: 300_000 }, () => (state = Math.imul(state, 1_664_525) + 1_013_904_223) >>> 24);
  const share = encode(bytes).length / bytes.length;
  assert.ok(share > 1.015 && share < 1.0165, `${share}`);
});

test('a text is a file, and a file a text', () => {
  const text = 'a\u{1f600}<\n€';
  assert.equal(textOf(bytesOf(BYTE_ORDER_MARK + text).buffer), text);
  assert.deepEqual([...bytesOf(`${BYTE_ORDER_MARK}a`)], [0xff, 0xfe, 0x61, 0]);
});
