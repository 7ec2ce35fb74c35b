// Bytes and back, in letters that HTML keeps as they are.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode, encode } from './text128';

test('every length and byte comes back', () => {
  for (let length = 0; length < 300; length++) {
    const bytes = Uint8Array.from({ length }, (_, place) => (place * 89 + length * 31) % 256);
    assert.deepEqual(decode(encode(bytes)), bytes);
  }
});

test('letters that HTML would change come back, wherever they stand, and are not written', () => {
  for (const byte of [0, 0x0d, 0x1a, 0x34, 0x3c, 0x68, 0x78, 0xf0, 0xff]) {
    for (let length = 1; length < 40; length++) {
      const bytes = new Uint8Array(length).fill(byte);
      const text = encode(bytes);
      assert.deepEqual(decode(text), bytes);
      assert.doesNotMatch(text, /[\0\r<]/);
    }
  }
});

test('the letters that the program writes', () => {
  const cases: [number[], string][] = [
    [[], ''],
    [[0x02], '\x01\u0200'],
    [[0x00], '\x80'],
    [[0x78], '\u0180'],
    [[255, 255, 255, 255, 255, 255, 255, 1], '\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f\xc0'],
    [[7, 0, 0, 9, 200, 6], '\x03@\x80N \f'],
  ];
  for (const [bytes, letters] of cases) assert.equal(encode(Uint8Array.from(bytes)), letters);
});

test('texts of whole groups of seven bytes join', () => {
  const bytes = Uint8Array.from({ length: 100 }, (_, place) => (place % 3 === 0 ? 0 : place * 13));
  for (let cut = 0; cut < 100; cut += 7) assert.deepEqual(decode(encode(bytes.subarray(0, cut)) + encode(bytes.subarray(cut))), bytes);
});

test('it takes a seventh more than the bytes', () => {
  const bytes = Uint8Array.from({ length: 70_000 }, (_, place) => (place * place * 7 + place) % 251);
  const written = new TextEncoder().encode(encode(bytes)).length;
  assert.ok(written <= Math.ceil((bytes.length * 8) / 7) + 1, `${written} bytes for ${bytes.length}`);
});
