// Text and back, and the same letters as the program's.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode, encode } from './base85';

const text = (bytes: Uint8Array): string => String.fromCharCode(...encode(bytes));

test('every length and byte comes back', () => {
  for (let length = 0; length < 300; length++) {
    const bytes = Uint8Array.from({ length }, (_, place) => (place * 89 + length * 31) % 256);
    assert.deepEqual(decode(text(bytes)), bytes);
  }
});

test('the ends of the range, as the program writes them', () => {
  const cases: [number[], string][] = [
    [[0, 0, 0, 0], '((((('],
    [[0, 0, 0, 20], '((((}'],
    [[255, 255, 255, 255], 'z?^4('],
    [[255], 'yy'],
    [[7, 0, 0, 9, 200, 6], '*=;g8h@K'],
  ];
  for (const [bytes, letters] of cases) assert.equal(text(Uint8Array.from(bytes)), letters);
});
