// Cells are quoted where they must be, and no spreadsheet runs a name.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvRow } from './csv';

test('cells are quoted where they must be', () => {
  const cells = ['plain', '', 'a,b', 'say "x"', 'two\nlines', null, -1, 2.5];
  assert.equal(csvRow(cells), 'plain,,"a,b","say ""x""","two\nlines",,-1,2.5\n');
});

test('text is never a formula', () => {
  assert.equal(csvRow(['=1+1', '+a', '-b', '@c', '\td', '=",x', 'a=b']), `'=1+1,'+a,'-b,'@c,'\td,"'="",x",a=b\n`);
});
