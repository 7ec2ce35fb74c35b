// Traces in the exports of earlier versions.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode } from './base85';

test('the ends of the range, as earlier versions wrote them', () => {
  const cases: [number[], string][] = [
    [[], ''],
    [[0, 0, 0, 0], '((((('],
    [[0, 0, 0, 20], '((((}'],
    [[255, 255, 255, 255], 'z?^4('],
    [[255], 'yy'],
    [[7, 0, 0, 9, 200, 6], '*=;g8h@K'],
  ];
  for (const [bytes, letters] of cases) assert.deepEqual(decode(letters), Uint8Array.from(bytes));
});
