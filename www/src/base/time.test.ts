// Durations and points read the way people write them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatDuration, formatEnds, formatPoint } from './time';

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

test('both ends of a range have the same unit and as many decimals', () => {
  const ends = (start: number, end: number, resolution?: number) =>
    Object.values(formatEnds(start, end, resolution))
      .map(plain)
      .join(' to ');
  assert.equal(ends(84e6, 126e6), '84.00 ms to 126.00 ms');
  assert.equal(ends(0, 209_531_000), '0.0 ms to 209.5 ms');
  assert.equal(ends(999_000, 1_001_000), '0.999000 ms to 1.001000 ms');
  assert.equal(ends(316, 1_000), '0.316 µs to 1.000 µs');
  assert.equal(ends(1_500, 2_500_000, 1_000), '0.002 ms to 2.500 ms');
  assert.equal(ends(-838_000, 1.5e9), '-0.001 s to 1.500 s');
});
