// Every row of a table of any length can be reached, and rows never jump while one scrolls slowly.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LongScroll } from './long_scroll';

test('what fits scrolls as the browser does', () => {
  const scroll = new LongScroll(1000);
  scroll.resize(900, 100);
  scroll.scrolled(333);
  assert.deepEqual([scroll.top, scroll.position, scroll.elementHeight], [333, 333, 900]);
});

test('a small move counts at face value, a long one as a share of the whole', () => {
  const scroll = new LongScroll(1100);
  scroll.resize(100_100, 100);
  assert.equal(scroll.elementHeight, 1100);
  scroll.scrolled(50);
  assert.equal(scroll.top, 50);
  scroll.scrolled(500);
  assert.equal(scroll.top, 50_000);
  scroll.scrolled(510);
  assert.equal(scroll.top, 50_010);
  assert.ok(Math.abs(scroll.position - 500.1) < 1e-9);
});

test('both ends can be reached, and are the ends', () => {
  const scroll = new LongScroll(1100);
  scroll.resize(100_100, 100);
  scroll.scrolled(1000);
  assert.equal(scroll.top, 100_000);
  scroll.scrolled(950);
  assert.equal(scroll.top, 99_950);
  scroll.scrolled(1000);
  assert.equal(scroll.top, 100_000);
  scroll.scrolled(0);
  assert.equal(scroll.top, 0);
});

test('content that shrinks takes the position with it', () => {
  const scroll = new LongScroll(1000);
  scroll.resize(900, 100);
  scroll.goTo(700);
  scroll.resize(300, 100);
  assert.equal(scroll.top, 200);
});
