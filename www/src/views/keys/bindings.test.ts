// Keys are found on every layout: W A S D by their place, the rest by what they print.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GESTURES, type Gestures } from '../../state/types';
import {
  dragStarts,
  gestureLines,
  KEY_LINES,
  keyLines,
  localKeys,
  strokeName,
  strokeOf,
  titled,
  wheelTurns,
  type Pressed,
} from './bindings';

const press = (key: string, code: string, more: Partial<Pressed> & { alt_gr?: boolean } = {}): Pressed => ({
  key,
  code,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  getModifierState: () => more.alt_gr ?? false,
  ...more,
});
const command = (...of: Parameters<typeof press>) => strokeOf(press(...of))?.command;

test('on a US keyboard, keys do what is printed on them', () => {
  assert.equal(command('w', 'KeyW'), 'zoom-in');
  assert.equal(command('f', 'KeyF'), 'frame');
  assert.equal(command('F', 'KeyF', {}), 'frame', 'with Caps Lock');
  assert.equal(command('/', 'Slash'), 'search');
  assert.equal(command('?', 'Slash', { shiftKey: true }), 'help');
  assert.equal(command('+', 'Equal', { shiftKey: true }), 'taller');
  assert.equal(command('=', 'Equal'), 'auto-lanes');
  assert.equal(command('z', 'KeyZ', { ctrlKey: true }), 'back');
  assert.equal(command('Z', 'KeyZ', { ctrlKey: true, shiftKey: true }), 'forth');
  assert.equal(command('z', 'KeyZ', { metaKey: true }), 'back');
  assert.equal(command('ArrowLeft', 'ArrowLeft', { altKey: true }), 'back');
});

test('Ctrl+F searches in the trace, not in the page', () => {
  assert.equal(command('f', 'KeyF', { ctrlKey: true }), 'search');
});

test('what is not ours is left alone', () => {
  assert.equal(command('F', 'KeyF', { shiftKey: true }), undefined);
  assert.equal(command('R', 'KeyR', { shiftKey: true }), 'range-of-view');
  assert.equal(command('g', 'KeyG', { ctrlKey: true }), undefined);
  assert.equal(command('w', 'KeyW', { ctrlKey: true }), undefined);
  assert.equal(command('ArrowLeft', 'ArrowLeft', { altKey: true, ctrlKey: true }), undefined);
  assert.equal(command('j', 'KeyJ'), undefined);
});

test('on a French keyboard, W A S D are by their place and the drawer is where they left it', () => {
  assert.equal(command('z', 'KeyW'), 'zoom-in');
  assert.equal(command('q', 'KeyA'), 'pan-left');
  assert.equal(command('a', 'KeyQ'), 'drawer');
  assert.equal(command('à', 'Digit0'), 'fit');
});

test('on a German keyboard, Ctrl+Z is where Z is printed, and brackets come with AltGr', () => {
  assert.equal(command('z', 'KeyY', { ctrlKey: true }), 'back');
  assert.equal(command('/', 'Digit7', { shiftKey: true }), 'search');
  assert.equal(command('[', 'Digit8', { alt_gr: true }), 'producer');
  assert.equal(command(']', 'Digit9', { ctrlKey: true, altKey: true }), 'consumer');
  assert.equal(command('-', 'Slash'), 'lower');
});

test('on a Russian keyboard, letters are by their place', () => {
  assert.equal(command('а', 'KeyF'), 'frame');
  assert.equal(command('ц', 'KeyW'), 'zoom-in');
  assert.equal(command('я', 'KeyZ', { ctrlKey: true }), 'back');
});

test('no two lines of the table share a key', () => {
  const names = KEY_LINES.flatMap((line) => line.strokes.map(strokeName));
  assert.equal(new Set(names).size, names.length);
});

test('names are those of the machine', () => {
  assert.equal(strokeName({ command: 'forth', key: 'z', with: 'ctrl-shift' }), 'Ctrl+Shift+Z');
  assert.equal(localKeys('Ctrl+wheel', true), '⌘+wheel');
  assert.equal(titled('Show the drawer', 'drawer'), 'Show the drawer (Q)');
});

test('a plain drag moves the lanes and draws a range on the axis', () => {
  assert.deepEqual(
    [dragStarts('lanes', 'nothing'), dragStarts('axis', 'nothing'), dragStarts('lanes', 'shift'), dragStarts('axis', 'space')],
    ['pan', 'range', 'range', 'pan'],
  );
});

test('the gestures of other viewers', () => {
  const of = (gestures: Gestures) => [
    dragStarts('lanes', 'nothing', gestures),
    dragStarts('lanes', 'shift', gestures),
    ...(['nothing', 'ctrl', 'shift', 'alt'] as const).map((held) => wheelTurns(held, gestures)),
  ];
  assert.deepEqual(of('steplens'), ['pan', 'range', 'scroll', 'zoom', 'time', 'lanes']);
  assert.deepEqual(of('wheel-zoom'), ['pan', 'range', 'zoom', 'zoom', 'time', 'scroll']);
  assert.deepEqual(of('perfetto'), ['range', 'pan', 'scroll', 'zoom', 'time', 'lanes']);
  assert.deepEqual(of('chrome'), ['range', 'range', 'scroll', 'zoom', 'time', 'zoom']);
  assert.deepEqual(of('speedscope'), ['pan', 'range', 'scroll', 'zoom', 'time', 'lanes']);
  for (const gestures of GESTURES) {
    assert.equal(dragStarts('lanes', 'space', gestures), 'pan', gestures);
    assert.equal(dragStarts('axis', 'nothing', gestures), 'range', gestures);
  }
});

test('speedscope zooms by + and -, and W and S scroll', () => {
  const of = (...pressed: Parameters<typeof press>) => strokeOf(press(...pressed), 'speedscope')?.command;
  assert.deepEqual(
    [
      of('+', 'Equal', { shiftKey: true }),
      of('=', 'Equal'),
      of('-', 'Minus'),
      of('w', 'KeyW'),
      of('s', 'KeyS'),
      of('a', 'KeyA'),
      of('0', 'Digit0'),
    ],
    ['zoom-in', 'zoom-in', 'zoom-out', 'scroll-up', 'scroll-down', 'pan-left', 'fit'],
  );
});

test('no two lines share a key, whatever the gestures', () => {
  for (const gestures of GESTURES) {
    const names = keyLines(gestures).flatMap((line) => line.strokes.map(strokeName));
    assert.equal(new Set(names).size, names.length, gestures);
  }
});

test('what is said of a gesture is what it does', () => {
  const said = (gestures: Gestures, shown: string) => gestureLines(gestures).find((line) => line.shown === shown)?.does;
  assert.equal(said('steplens', 'gesture-drag'), 'gesture-drag-does');
  assert.equal(said('perfetto', 'gesture-drag'), 'gesture-range-does');
  assert.equal(said('wheel-zoom', 'gesture-wheel'), 'gesture-ctrl-wheel-does');
  assert.equal(said('chrome', 'gesture-alt-wheel'), 'gesture-ctrl-wheel-does');
});
