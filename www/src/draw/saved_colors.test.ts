// The colours of pictures that are saved (crates/steplens-export/src/picture/) are those of the canvas: every shade of every category.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { CATEGORIES } from '../engine/protocol';
import { parseHex, toCss } from './color';
import { shadesOf } from './theme';

test('pictures have the shades of the canvas', () => {
  const source = readFileSync('../crates/steplens-export/src/picture/colors.rs', 'utf8');
  const table = source.slice(source.indexOf('pub const SHADES'));
  const rows = [...table.slice(0, table.indexOf('\n];')).matchAll(/^ {4}\[(.*)\],$/gm)].map(([, row = '']) =>
    [...row.matchAll(/0x(\w{6})/g)].map(([, hex = '']) => `#${hex}`),
  );
  assert.equal(rows.length, CATEGORIES.length);
  for (const row of rows) assert.deepEqual(row, shadesOf(parseHex(row[0] ?? '')).map(toCss));
});
