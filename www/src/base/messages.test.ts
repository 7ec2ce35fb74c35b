// Texts have the grammar of their language and say the arguments that they are given.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { languageFor } from './language';
import { say } from './messages';

test('numbers choose between one and many, and have thousands separators', () => {
  assert.equal(say('ops', { count: 1 }), '1 op');
  assert.equal(say('ops', { count: 1188 }), '1,188 ops');
});

test('names in a trace stand in a text as they are', () => {
  assert.equal(say('go-to-mark', { name: '{ $x } <b>' }), 'Go to { $x } <b>');
});

test('the first preferred language that has a catalogue is used, and English where none does', () => {
  const known = ['en', 'zh-CN'];
  assert.equal(languageFor(['de-DE', 'zh-TW', 'en'], known), 'zh-CN');
  assert.equal(languageFor(['zh-CN', 'en'], known), 'zh-CN');
  assert.equal(languageFor(['en-GB'], known), 'en');
  assert.equal(languageFor(['de'], known), 'en');
  assert.equal(languageFor([], known), 'en');
});
