// Traces in the exports of earlier versions.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode } from './text128';

test('letters as earlier versions wrote them', () => {
  const cases: [number[], string][] = [
    [[], ''],
    [[0x02], '\x01\u0200'],
    [[0x00], '\x80'],
    [[0x78], '\u0180'],
    [[255, 255, 255, 255, 255, 255, 255, 1], '\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f\xc0'],
    [[7, 0, 0, 9, 200, 6], '\x03@\x80N \f'],
  ];
  for (const [bytes, letters] of cases) assert.deepEqual(decode(letters), Uint8Array.from(bytes));
});
