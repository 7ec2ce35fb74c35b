// A change in its parts and in words: what is taken apart comes together again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeOf, changeWords, factorWords, partsOf } from './change_words';

test('a change comes apart and together again', () => {
  const changes = [
    'op=type:^a=b$=0.5',
    'link=/job:ps/task:0->/job:worker/task:1=0',
    'network=2',
    'network=ps 0=0.25',
    'threads=8',
    'order=better',
  ];
  for (const change of changes) assert.equal(changeOf(partsOf(change)), change);
  assert.deepEqual(partsOf('op=type:^a=b$=0.5'), { word: 'op', what: 'type:^a=b$', factor: 0.5 });
  assert.deepEqual(partsOf('network=2'), { word: 'network', what: '', factor: 2 });
  assert.deepEqual(partsOf('half=a=b'), { word: 'half', what: 'a=b', factor: null });
});

test('a change is said in words', () => {
  assert.match(changeWords(partsOf('op=type:^Conv2D\\.x$=0.5')), /Conv2D\.x/);
  assert.match(changeWords(partsOf('link=/job:ps/task:0->/job:worker/task:1=0')), /ps 0 → worker 1/);
  assert.equal(factorWords(0.8), '1.25 times as fast');
  assert.equal(factorWords(0.25), '4.0 times as fast');
});
