// Texts of several parts: what stands between them comes from the catalogue, and what is not there leaves no sign behind.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asides, clauses, listed, listedFirst, sentences } from './joined';

test('parts are joined as English joins them', () => {
  assert.equal(listed(['ps 0', 'worker 0', 'worker 1']), 'ps 0, worker 0, worker 1');
  assert.equal(clauses(['11 links', '3.67 MiB']), '11 links, 3.67 MiB');
  assert.equal(asides([clauses(['a', 'b']), 'c']), 'a, b; c');
  assert.equal(sentences(['One.', 'Two.']), 'One. Two.');
});

test('what is not there leaves no sign behind', () => {
  assert.equal(clauses([]), '');
  assert.equal(clauses(['', null, 'only', undefined, false]), 'only');
  assert.equal(sentences([false, 'One.', '', 'Two.']), 'One. Two.');
});

test('a long list names the first and counts the others', () => {
  assert.equal(listedFirst(['a', 'b', 'c', 'd'], 2), 'a, b and 2 more');
  assert.equal(listedFirst(['a', 'b'], 2), 'a, b');
});
