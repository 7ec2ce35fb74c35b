// Labels stay legible on every shade of every category, in both themes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contrast, mixed, parseHex, shifted, toCss } from './color';
import { shadesOf } from './theme';

// The values of style.css; changing them there means looking at this again.
const CATEGORY_COLORS = ['#5aa9dd', '#2fae86', '#e8a13a'];
const ON_MARK = '#0c1420';

test('labels have a contrast of at least 4.5 on every shade', () => {
  for (const color of CATEGORY_COLORS) {
    for (const shade of shadesOf(parseHex(color))) {
      assert.ok(contrast(shade, parseHex(ON_MARK)) >= 4.5, `${toCss(shade)} is ${contrast(shade, parseHex(ON_MARK))}`);
    }
  }
});

test('a colour that is not shifted comes back', () => {
  assert.equal(toCss(shifted(parseHex('#5aa9dd'), 0, 0)), '#5aa9dd');
});

test('contrast is the known one at its ends', () => {
  assert.ok(Math.abs(contrast(parseHex('#000000'), parseHex('#ffffff')) - 21) < 0.01);
  assert.equal(toCss(mixed(parseHex('#ffffff'), parseHex('#000000'), 0.5)), '#808080');
});
