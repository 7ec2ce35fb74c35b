// Durations and points read the way people write them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatDuration, formatPoint } from './time';

const plain = (text: string) => text.replace(/\u00a0/g, ' ');

test('a duration keeps four digits and picks its unit', () => {
  assert.equal(plain(formatDuration(0)), '0 ns');
  assert.equal(plain(formatDuration(250)), '250 ns');
  assert.equal(plain(formatDuration(1_234_000)), '1.234 ms');
  assert.equal(plain(formatDuration(338_961_873)), '339.0 ms');
  assert.equal(plain(formatDuration(-12_345)), '-12.35 µs');
  assert.equal(plain(formatDuration(12_345_678_000_000)), '12,345.7 s');
});

test('a duration that would round up to 1000 moves to the next unit', () => {
  assert.equal(plain(formatDuration(999_999)), '1.000 ms');
});

test('a point shows as many decimals as the resolution needs', () => {
  assert.equal(plain(formatPoint(250_120_000, 5_000)), '250.120 ms');
  assert.equal(plain(formatPoint(250_120_310, 10)), '250.12031 ms');
  assert.equal(plain(formatPoint(0, 50_000_000)), '0 ms');
});
