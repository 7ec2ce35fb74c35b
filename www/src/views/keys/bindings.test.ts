// Keys are found on every layout: W A S D by their place, the rest by what they print.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dragStarts, KEY_LINES, localKeys, strokeName, strokeOf, titled, type Pressed } from './bindings';

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
