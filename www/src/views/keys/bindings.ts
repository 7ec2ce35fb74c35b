// Every key and gesture, as the one table that the code runs on and that the help sheet and the tooltips show.
//
// W A S D are matched by their place on the keyboard, so that they lie together on every layout. Everything else is
// matched by what the key prints and, where that says nothing to us (another script, say), by its place.

export type Group = 'Move' | 'Select' | 'View' | 'Devices';

/** The modifiers of a key. Shift is one with letters only: with signs it chooses what is printed. */
export type Modifier = 'plain' | 'shift' | 'ctrl' | 'ctrl-shift' | 'alt';

interface KeyStroke {
  command: string;
  /** As `KeyboardEvent.key` has it; letters in lower case. */
  key: string;
  with?: Modifier;
  /** Matched by its place only. */
  by_place?: true;
}

interface KeyLine {
  group: Group;
  does: string;
  strokes: readonly KeyStroke[];
  /** Does something even while no trace is open. */
  always?: true;
}

export const KEY_LINES = [
  {
    group: 'Move',
    does: 'zoom in and out at the pointer; hold to go on',
    strokes: [
      { command: 'zoom-in', key: 'w', by_place: true },
      { command: 'zoom-out', key: 's', by_place: true },
    ],
  },
  {
    group: 'Move',
    does: 'move left and right; hold to go on',
    strokes: [
      { command: 'pan-left', key: 'a', by_place: true },
      { command: 'pan-right', key: 'd', by_place: true },
    ],
  },
  {
    group: 'Move',
    does: 'move a little',
    strokes: [
      { command: 'step-left', key: 'ArrowLeft' },
      { command: 'step-right', key: 'ArrowRight' },
    ],
  },
  {
    group: 'Move',
    does: 'scroll',
    strokes: [
      { command: 'scroll-up', key: 'ArrowUp' },
      { command: 'scroll-down', key: 'ArrowDown' },
    ],
  },
  {
    group: 'Move',
    does: 'scroll by a page',
    strokes: [
      { command: 'page-up', key: 'PageUp' },
      { command: 'page-down', key: 'PageDown' },
    ],
  },
  {
    group: 'Move',
    does: 'to the start and the end of the step',
    strokes: [
      { command: 'to-start', key: 'Home' },
      { command: 'to-end', key: 'End' },
    ],
  },
  {
    group: 'Move',
    does: 'to the next and the previous step (Shift+. and Shift+,)',
    strokes: [
      { command: 'next-step', key: '>' },
      { command: 'previous-step', key: '<' },
    ],
  },
  { group: 'Move', does: 'all steps on one axis, and back to the one before', strokes: [{ command: 'all-steps', key: 'e' }] },
  { group: 'Move', does: 'frame the selection; again: everything', strokes: [{ command: 'frame', key: 'f' }] },
  { group: 'Move', does: 'the whole step', strokes: [{ command: 'fit', key: '0' }] },
  {
    group: 'Move',
    does: 'back to the view before',
    strokes: [
      { command: 'back', key: 'z', with: 'ctrl' },
      { command: 'back', key: 'ArrowLeft', with: 'alt' },
    ],
  },
  {
    group: 'Move',
    does: 'forth to the view after',
    strokes: [
      { command: 'forth', key: 'z', with: 'ctrl-shift' },
      { command: 'forth', key: 'ArrowRight', with: 'alt' },
    ],
  },
  {
    group: 'Select',
    does: 'next and previous op in the lane',
    strokes: [
      { command: 'next-op', key: '.' },
      { command: 'previous-op', key: ',' },
    ],
  },
  { group: 'Select', does: 'along the data, to the first consumer', strokes: [{ command: 'consumer', key: ']' }] },
  { group: 'Select', does: 'against the data, to the last producer', strokes: [{ command: 'producer', key: '[' }] },
  {
    group: 'Select',
    does: 'arrows over more and fewer hops (Shift+], Shift+[)',
    strokes: [
      { command: 'more-hops', key: '}' },
      { command: 'fewer-hops', key: '{' },
    ],
  },
  {
    group: 'Select',
    does: 'make the selected op the range; with Shift, what is in view',
    strokes: [
      { command: 'range', key: 'r' },
      { command: 'range-of-view', key: 'r', with: 'shift' },
    ],
  },
  { group: 'Select', does: 'mark the range, the op, or the moment under the pointer', strokes: [{ command: 'mark', key: 'm' }] },
  { group: 'Select', does: 'search; Enter and Shift+Enter walk', strokes: [{ command: 'search', key: '/' }] },
  {
    group: 'Select',
    does: 'stop a drag; else clear the error, the selection, the range, the search',
    strokes: [{ command: 'clear', key: 'Escape' }],
    always: true,
  },
  {
    group: 'View',
    does: 'taller and lower lanes',
    strokes: [
      { command: 'taller', key: '+' },
      { command: 'lower', key: '-' },
    ],
  },
  { group: 'View', does: 'lanes as tall as fits', strokes: [{ command: 'auto-lanes', key: '=' }] },
  { group: 'View', does: 'time from the start, or by the wall clock', strokes: [{ command: 'clock', key: 't' }] },
  { group: 'View', does: 'textures: one for each category', strokes: [{ command: 'textures', key: 'x' }], always: true },
  { group: 'View', does: 'show or hide the bandwidth above the lanes', strokes: [{ command: 'traffic', key: 'b' }] },
  { group: 'View', does: 'show or hide live bytes under each device', strokes: [{ command: 'memory', key: 'u' }] },
  { group: 'View', does: 'show or hide the drawer', strokes: [{ command: 'drawer', key: 'q' }] },
  { group: 'View', does: 'open files', strokes: [{ command: 'open', key: 'o', with: 'ctrl' }], always: true },
  { group: 'View', does: 'this sheet', strokes: [{ command: 'help', key: '?' }], always: true },
  { group: 'Devices', does: 'keep the device in sight, or let it go', strokes: [{ command: 'pin', key: 'p' }] },
  { group: 'Devices', does: 'hide the device, or the task', strokes: [{ command: 'hide', key: 'h' }] },
  {
    group: 'Devices',
    does: 'move the device, or the task',
    strokes: [
      { command: 'move-up', key: 'ArrowUp', with: 'alt' },
      { command: 'move-down', key: 'ArrowDown', with: 'alt' },
    ],
  },
  { group: 'Devices', does: 'fold or unfold all devices', strokes: [{ command: 'fold-all', key: 'c' }] },
] as const satisfies readonly KeyLine[];

export type Command = (typeof KEY_LINES)[number]['strokes'][number]['command'];

interface Stroke extends KeyStroke {
  command: Command;
  always: boolean;
}

const STROKES: readonly Stroke[] = KEY_LINES.flatMap((line: KeyLine) =>
  line.strokes.map((stroke) => ({ ...stroke, always: line.always ?? false }) as Stroke),
);

/** What of a KeyboardEvent tells the key. */
export interface Pressed {
  key: string;
  code: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  getModifierState: (name: 'AltGraph') => boolean;
}

function modifierOf(pressed: Pressed): Modifier | 'other' {
  // AltGr prints signs, and some systems report it as Ctrl+Alt.
  const prints = [...pressed.key].length === 1;
  if (prints && (pressed.getModifierState('AltGraph') || (pressed.ctrlKey && pressed.altKey))) return 'plain';
  const ctrl = pressed.ctrlKey || pressed.metaKey;
  if (pressed.altKey) return ctrl ? 'other' : 'alt';
  if (ctrl) return pressed.shiftKey ? 'ctrl-shift' : 'ctrl';
  return 'plain';
}

const PLACES: Readonly<Record<string, string>> = {
  '.': 'Period',
  ',': 'Comma',
  '/': 'Slash',
  '[': 'BracketLeft',
  ']': 'BracketRight',
  '0': 'Digit0',
  '-': 'Minus',
  '=': 'Equal',
};
const isLetter = (key: string): boolean => /^[a-z]$/.test(key);
const placeOf = (key: string): string | undefined => (isLetter(key) ? `Key${key.toUpperCase()}` : PLACES[key]);

/** The stroke that a key event means, if any. */
export function strokeOf(pressed: Pressed): Stroke | undefined {
  const modifier = modifierOf(pressed);
  const having = (wanted: Modifier | 'other') => STROKES.filter((stroke) => (stroke.with ?? 'plain') === wanted);
  const printed = isLetter(pressed.key.toLowerCase()) ? pressed.key.toLowerCase() : pressed.key;
  const in_place = (stroke: Stroke) => placeOf(stroke.key) === pressed.code;
  const shifted = modifier === 'plain' && pressed.shiftKey;
  const fitting = having(shifted && isLetter(printed) ? 'shift' : modifier);
  return (
    having(modifier).find((stroke) => stroke.by_place && in_place(stroke)) ??
    fitting.find((stroke) => !stroke.by_place && stroke.key === printed) ??
    (shifted ? undefined : fitting.find((stroke) => !stroke.by_place && in_place(stroke)))
  );
}

const NAMES: Readonly<Record<string, string>> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  PageUp: 'Page Up',
  PageDown: 'Page Down',
  Escape: 'Esc',
};

const on_a_mac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform);

/** Key names as this machine's keyboard has them. */
export const localKeys = (shown: string, mac = on_a_mac): string => (mac ? shown.replaceAll('Ctrl', '⌘').replaceAll('Alt', '⌥') : shown);

/** A stroke as people write it: `Ctrl+Shift+Z`. */
export function strokeName({ key, with: modifier }: KeyStroke): string {
  const before = { plain: '', shift: 'Shift+', ctrl: 'Ctrl+', 'ctrl-shift': 'Ctrl+Shift+', alt: 'Alt+' }[modifier ?? 'plain'];
  return localKeys(before + (NAMES[key] ?? (isLetter(key) ? key.toUpperCase() : key)));
}

/** The title of a button that does what a key does, too: `Share (X)`. */
export function titled(text: string, command: Command): string {
  const stroke = STROKES.find((candidate) => candidate.command === command);
  return stroke ? `${text} (${strokeName(stroke)})` : text;
}

type Place = 'lanes' | 'axis';
export type Held = 'nothing' | 'shift' | 'ctrl' | 'alt' | 'space' | 'middle' | 'long press';

interface GestureLine {
  group: 'Pointer' | 'Wheel' | 'Touch' | 'Devices';
  shown: string;
  does: string;
  /** What a drag starts that begins there and is made so. */
  drags?: readonly { on: readonly Place[]; held: Held; starts: 'pan' | 'range' }[];
  wheel?: { held: Held; turns: 'scroll' | 'zoom' | 'time' | 'lanes' };
}

const BOTH = ['lanes', 'axis'] as const;

export const GESTURE_LINES: readonly GestureLine[] = [
  { group: 'Devices', shown: 'drag a row', does: 'move the device; by its header, the task' },
  { group: 'Pointer', shown: 'drag', does: 'move the view', drags: [{ on: ['lanes'], held: 'nothing', starts: 'pan' }] },
  {
    group: 'Pointer',
    shown: 'Shift+drag',
    does: 'select a range of time; drawn tall, also its lanes',
    drags: [{ on: BOTH, held: 'shift', starts: 'range' }],
  },
  {
    group: 'Pointer',
    shown: 'drag on the axis',
    does: 'select a range of time; move one by its plate or its edges',
    drags: [{ on: ['axis'], held: 'nothing', starts: 'range' }],
  },
  {
    group: 'Pointer',
    shown: 'middle drag, Space+drag',
    does: 'move the view from anywhere',
    drags: [
      { on: BOTH, held: 'middle', starts: 'pan' },
      { on: BOTH, held: 'space', starts: 'pan' },
    ],
  },
  { group: 'Pointer', shown: 'click', does: 'select an op, or a mark by its flag; beside all, clear' },
  { group: 'Pointer', shown: 'double click', does: 'frame an op; a mark or the range by its flag' },
  { group: 'Wheel', shown: 'wheel, two fingers', does: 'scroll; sideways, move in time', wheel: { held: 'nothing', turns: 'scroll' } },
  { group: 'Wheel', shown: 'Ctrl+wheel, pinch', does: 'zoom at the pointer', wheel: { held: 'ctrl', turns: 'zoom' } },
  { group: 'Wheel', shown: 'Shift+wheel', does: 'move in time', wheel: { held: 'shift', turns: 'time' } },
  { group: 'Wheel', shown: 'Alt+wheel', does: 'taller or lower lanes', wheel: { held: 'alt', turns: 'lanes' } },
  { group: 'Touch', shown: 'one finger', does: 'move the view; on the axis, select a range' },
  { group: 'Touch', shown: 'two fingers', does: 'zoom and move' },
  { group: 'Touch', shown: 'tap, double tap', does: 'select an op, frame it' },
  {
    group: 'Touch',
    shown: 'press long, then drag',
    does: 'select a range of time; drawn tall, also its lanes',
    drags: [{ on: BOTH, held: 'long press', starts: 'range' }],
  },
];

export function dragStarts(on: Place, held: Held): 'pan' | 'range' | undefined {
  const fits = (drag: { on: readonly Place[]; held: Held }) => drag.held === held && drag.on.includes(on);
  return GESTURE_LINES.flatMap((line) => line.drags ?? []).find(fits)?.starts;
}

export function wheelTurns(held: Held): 'scroll' | 'zoom' | 'time' | 'lanes' {
  return GESTURE_LINES.find((line) => line.wheel?.held === held)?.wheel?.turns ?? 'scroll';
}
