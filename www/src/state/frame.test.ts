// What is painted when: a painter hears of its own causes, and of nothing else.
import assert from 'node:assert/strict';
import test from 'node:test';
import { cause, Changed, EVERYTHING, Frame, type Changes } from './frame';

globalThis.requestAnimationFrame = () => 1;
globalThis.cancelAnimationFrame = () => undefined;

/** A frame with a painter on each of some causes, and the names of those that were painted since that was last asked. */
function painted() {
  let names: string[] = [];
  const frame = new Frame((thrown) => assert.fail(String(thrown)));
  const paint = (name: string) => () => void names.push(name);
  frame.onDom([Changed.view], paint('view'));
  frame.onDom([Changed.notes, 'scheduling', 'why'], paint('verbs'));
  const again = frame.onDom([Changed.notes], paint('itself'));
  frame.onCanvas([Changed.hover, 'criticalPath'], paint('canvas'));
  frame.invalidate(Changed.view);
  const next = () => {
    names = [];
    frame.runNow();
    return names;
  };
  assert.deepEqual(next(), ['view', 'verbs', 'itself', 'canvas'], 'all of them in the first frame');
  return { frame, again, next };
}

test('an answer is painted by those that show it', () => {
  const { frame, next } = painted();
  frame.answered('why');
  assert.deepEqual(next(), ['verbs']);
  frame.answered('criticalPath');
  assert.deepEqual(next(), ['canvas']);
  frame.answered('memory');
  assert.deepEqual(next(), []);
});

test('a painter that has something else to show is painted alone', () => {
  const { again, next } = painted();
  again();
  assert.deepEqual(next(), ['itself']);
  assert.deepEqual(next(), []);
});

test('changes and answers of one frame are painted in it, each painter once', () => {
  const { frame, again, next } = painted();
  frame.answered('scheduling');
  frame.answered('why');
  frame.invalidate(Changed.notes);
  again();
  assert.deepEqual(next(), ['verbs', 'itself']);
});

test('a painter hears what has changed since it ran, and everything the first time', () => {
  const frame = new Frame((thrown) => assert.fail(String(thrown)));
  const heard: boolean[][] = [];
  const hear = (changed: Changes) =>
    void heard.push([changed.has(Changed.trace), changed.hasAny(Changed.trace, Changed.view), changed.isOnly(Changed.view)]);
  frame.onDom([Changed.trace, Changed.view], hear);
  frame.invalidate(Changed.hover);
  frame.runNow();
  frame.invalidate(Changed.view);
  frame.runNow();
  frame.invalidate(Changed.view, Changed.hover);
  frame.runNow();
  frame.invalidate(Changed.hover);
  frame.runNow();
  assert.deepEqual(heard, [
    [true, true, false],
    [false, true, true],
    [false, true, false],
  ]);
});

test('what is painted on everything hears of causes that are declared later, and of no answer', () => {
  const frame = new Frame((thrown) => assert.fail(String(thrown)));
  let times = 0;
  frame.onDom(EVERYTHING, () => void times++);
  frame.invalidate(Changed.view);
  frame.runNow();
  const later = cause('later');
  frame.invalidate(later);
  frame.runNow();
  assert.equal(times, 2);
  frame.answered('why');
  frame.runNow();
  assert.equal(times, 2);
  frame.invalidate(...EVERYTHING);
  frame.runNow();
  assert.equal(times, 3);
});
