// Flags stand where their notes are, never hide the next one's pole, and give way to pennants where there is no room.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ns } from '../base/time';
import { TimeScale } from '../base/time_scale';
import { flagsOf } from './notes';

const measure = (text: string) => [...text].length * 6;
const scale = new TimeScale({ start: ns(100), end: ns(1100) }, 1000);
const note = (id: number, start_ns: number, end_ns = start_ns, text = `Mark ${id}`) => ({ id, start_ns, end_ns, text });
const flags = (...notes: ReturnType<typeof note>[]) => flagsOf(notes, scale, measure);

test('a flag stands at its note and shows its text', () => {
  const [flag] = flags(note(1, 300));
  assert.deepEqual([flag?.rect.x, flag?.text, flag?.rect.width], [200, 'Mark 1', 46]);
});

test('a long text is cut, by whole characters', () => {
  const [flag] = flags(note(1, 300, 300, '🚀'.repeat(100)));
  assert.match(flag?.text ?? '', /^(🚀)+…$/u);
  assert.ok((flag?.rect.width ?? Infinity) <= 180);
});

test('neighbours share the room, and the closest are pennants', () => {
  const found = flags(note(1, 300), note(2, 340), note(3, 345), note(4, 900));
  for (let index = 1; index < found.length; index++) {
    const [before, now] = [found[index - 1], found[index]];
    if (before && before.text !== '') assert.ok(before.rect.x + before.rect.width <= (now?.rect.x ?? 0));
  }
  assert.deepEqual(
    found.map(({ text }) => text),
    ['Mar…', '', 'Mark 3', 'Mark 4'],
  );
});

test('what is out of sight has no flag; a stretch under the window has it at the edge', () => {
  assert.deepEqual(flags(note(1, 50), note(2, 1200)), []);
  assert.equal(flags(note(1, 50, 2000))[0]?.rect.x, 0);
  assert.deepEqual(flags(note(1, 20, 90)), []);
});
