// The letters of base64 in a single file, whole or damaged.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode, decodeAny } from './base64';

test('letters that are cut or changed give the bytes before, and all that are whole', () => {
  const text = (bytes: Uint8Array): string => String.fromCharCode(...bytes);
  assert.equal(text(decode('c3RlcGxlbnM=')), 'steplens');
  assert.equal(text(decodeAny('c3RlcGxlbnM=')), 'steplens');
  assert.equal(text(decodeAny('c3Rl\ncGx*lbnM=')), 'steplens');
  assert.equal(text(decodeAny('c3RlcGxlb')), 'steple');
  assert.equal(text(decodeAny('c3RlcGxlbn')), 'steplen');
  assert.equal(text(decodeAny('')), '');
});
