// What is painted when: a painter hears of its own bits and verbs, and of nothing else.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Changed, Frame } from './frame';

globalThis.requestAnimationFrame = () => 1;
globalThis.cancelAnimationFrame = () => undefined;

/** A frame with a painter on each of some causes, and the names of those that were painted since that was last asked. */
function painted() {
  let names: string[] = [];
  const frame = new Frame((thrown) => assert.fail(String(thrown)));
  const paint = (name: string) => () => void names.push(name);
  frame.onDom(Changed.view, paint('view'));
  frame.onDom([Changed.notes, 'scheduling', 'why'], paint('verbs'));
  const again = frame.onDom(Changed.notes, paint('itself'));
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

test('bits and answers of one frame are painted in it, each painter once', () => {
  const { frame, again, next } = painted();
  frame.answered('scheduling');
  frame.answered('why');
  frame.invalidate(Changed.notes);
  again();
  assert.deepEqual(next(), ['verbs', 'itself']);
});
