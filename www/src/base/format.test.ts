// Sizes, rates and shares keep their units and their rounding.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatAverage, formatBytes, formatCount, formatFlopRate, formatFlops, formatRate, formatShare, unbroken } from './format';

const plain = (text: string) => text.replace(/\u00a0/g, ' ');

test('counts have thousands separators', () => {
  assert.equal(formatCount(4175), '4,175');
  assert.equal(formatCount(250500000), '250,500,000');
});

test('bytes are binary, rates decimal', () => {
  assert.equal(plain(formatBytes(128)), '128 B');
  assert.equal(plain(formatBytes(36864)), '36.0 KiB');
  assert.equal(plain(formatBytes(3849228)), '3.67 MiB');
  assert.equal(plain(formatRate(180705882)), '181 MB/s');
});

test('a unit begins where the one before would need four digits, and no sooner', () => {
  const [kib, mib] = [1024, 1024 ** 2];
  assert.deepEqual([999, 1000, 1023, 1024].map(formatBytes).map(plain), ['999 B', '1,000 B', '1,023 B', '1.00 KiB']);
  assert.deepEqual([1023.4 * kib, 1023.6 * kib, mib].map(formatBytes).map(plain), ['1023 KiB', '1.00 MiB', '1.00 MiB']);
  assert.deepEqual([999, 999.4, 1000, 999_400, 999_600].map(formatRate).map(plain), [
    '999 B/s',
    '999 B/s',
    '1.00 kB/s',
    '999 kB/s',
    '1.00 MB/s',
  ]);
});

test('operations are decimal, up to any number', () => {
  assert.deepEqual([0, 999.6, 9.4e12].map(formatFlops).map(plain), ['0 FLOP', '1.00 kFLOP', '9.40 TFLOP']);
  assert.equal(plain(formatFlopRate(1.5e21)), '1,500,000 PFLOP/s');
});

test('an average that is there never reads as nothing, and a whole one has no decimals', () => {
  assert.deepEqual([0, 0.001, 0.25, 12.44, 3].map(formatAverage), ['0', '<0.01', '0.25', '12.4', '3']);
});

test('a share that is there never reads as nothing', () => {
  assert.equal(plain(formatShare(0.0001)), '<0.1 %');
  assert.equal(plain(formatShare(0)), '0.0 %');
  assert.equal(plain(formatShare(0.6123)), '61.2 %');
});

test('a number and its unit stay on one line', () => {
  assert.equal(
    unbroken('Step 4.4 ms: 6.9 % of it, 3 steps, 12 MiB and 7 msgs'),
    'Step 4.4\u00a0ms: 6.9\u00a0% of it, 3 steps, 12\u00a0MiB and 7 msgs',
  );
  assert.equal(unbroken('占 89.5 % 的时间'), '占 89.5\u00a0% 的时间');
});
