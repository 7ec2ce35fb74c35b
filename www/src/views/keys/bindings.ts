// Every key and gesture, as the one table that the code runs on and that the help sheet and the tooltips show.
//
// W A S D are matched by their place on the keyboard, so that they lie together on every layout. Everything else is
// matched by what the key prints and, where that says nothing to us (another script, say), by its place.

import type { PlainId } from '../../base/messages';
import { GESTURES, type Gestures } from '../../state/types';
import { PRESETS, type KeyStroke, type Modifier, type Starts, type Turns } from './presets';

export type Group = 'keys-move' | 'keys-select' | 'keys-view' | 'keys-devices';

interface KeyLine {
  group: Group;
  does: PlainId;
  strokes: readonly KeyStroke[];
  /** Does something even while no trace is open. */
  always?: true;
}

export const KEY_LINES = [
  {
    group: 'keys-move',
    does: 'key-zoom',
    strokes: [
      { command: 'zoom-in', key: 'w', by_place: true },
      { command: 'zoom-out', key: 's', by_place: true },
    ],
  },
  {
    group: 'keys-move',
    does: 'key-pan',
    strokes: [
      { command: 'pan-left', key: 'a', by_place: true },
      { command: 'pan-right', key: 'd', by_place: true },
    ],
  },
  {
    group: 'keys-move',
    does: 'key-step',
    strokes: [
      { command: 'step-left', key: 'ArrowLeft' },
      { command: 'step-right', key: 'ArrowRight' },
    ],
  },
  {
    group: 'keys-move',
    does: 'key-scroll',
    strokes: [
      { command: 'scroll-up', key: 'ArrowUp' },
      { command: 'scroll-down', key: 'ArrowDown' },
    ],
  },
  {
    group: 'keys-move',
    does: 'key-page',
    strokes: [
      { command: 'page-up', key: 'PageUp' },
      { command: 'page-down', key: 'PageDown' },
    ],
  },
  {
    group: 'keys-move',
    does: 'key-ends',
    strokes: [
      { command: 'to-start', key: 'Home' },
      { command: 'to-end', key: 'End' },
    ],
  },
  {
    group: 'keys-move',
    does: 'key-steps',
    strokes: [
      { command: 'next-step', key: '>' },
      { command: 'previous-step', key: '<' },
    ],
  },
  { group: 'keys-move', does: 'key-all-steps', strokes: [{ command: 'all-steps', key: 'e' }] },
  { group: 'keys-move', does: 'key-frame', strokes: [{ command: 'frame', key: 'f' }] },
  { group: 'keys-move', does: 'key-fit', strokes: [{ command: 'fit', key: '0' }] },
  {
    group: 'keys-move',
    does: 'key-back',
    strokes: [
      { command: 'back', key: 'z', with: 'ctrl' },
      { command: 'back', key: 'ArrowLeft', with: 'alt' },
    ],
  },
  {
    group: 'keys-move',
    does: 'key-forth',
    strokes: [
      { command: 'forth', key: 'z', with: 'ctrl-shift' },
      { command: 'forth', key: 'ArrowRight', with: 'alt' },
    ],
  },
  {
    group: 'keys-select',
    does: 'key-ops',
    strokes: [
      { command: 'next-op', key: '.' },
      { command: 'previous-op', key: ',' },
    ],
  },
  { group: 'keys-select', does: 'key-consumer', strokes: [{ command: 'consumer', key: ']' }] },
  { group: 'keys-select', does: 'key-producer', strokes: [{ command: 'producer', key: '[' }] },
  { group: 'keys-select', does: 'key-why', strokes: [{ command: 'why', key: 'y' }] },
  { group: 'keys-select', does: 'key-cause', strokes: [{ command: 'cause', key: 'y', with: 'shift' }] },
  {
    group: 'keys-select',
    does: 'key-hops',
    strokes: [
      { command: 'more-hops', key: '}' },
      { command: 'fewer-hops', key: '{' },
    ],
  },
  {
    group: 'keys-select',
    does: 'key-range',
    strokes: [
      { command: 'range', key: 'r' },
      { command: 'range-of-view', key: 'r', with: 'shift' },
    ],
  },
  { group: 'keys-select', does: 'key-mark', strokes: [{ command: 'mark', key: 'm' }] },
  {
    group: 'keys-select',
    does: 'key-search',
    strokes: [
      { command: 'search', key: '/' },
      { command: 'search', key: 'f', with: 'ctrl' },
    ],
  },
  {
    group: 'keys-select',
    does: 'key-clear',
    strokes: [{ command: 'clear', key: 'Escape' }],
    always: true,
  },
  {
    group: 'keys-view',
    does: 'key-lane-height',
    strokes: [
      { command: 'taller', key: '+' },
      { command: 'lower', key: '-' },
    ],
  },
  { group: 'keys-view', does: 'key-fit-lanes', strokes: [{ command: 'auto-lanes', key: '=' }] },
  { group: 'keys-view', does: 'key-clock', strokes: [{ command: 'clock', key: 't' }] },
  { group: 'keys-view', does: 'key-textures', strokes: [{ command: 'textures', key: 'x' }], always: true },
  { group: 'keys-view', does: 'key-bandwidth', strokes: [{ command: 'traffic', key: 'b' }] },
  { group: 'keys-view', does: 'key-memory', strokes: [{ command: 'memory', key: 'u' }] },
  { group: 'keys-view', does: 'key-path', strokes: [{ command: 'path', key: 'l' }] },
  { group: 'keys-view', does: 'key-next-path', strokes: [{ command: 'next-path', key: 'l', with: 'alt' }] },
  { group: 'keys-view', does: 'key-strip', strokes: [{ command: 'strip', key: 'l', with: 'shift' }] },
  { group: 'keys-view', does: 'key-overview', strokes: [{ command: 'overview', key: 'v' }] },
  { group: 'keys-view', does: 'key-drawer', strokes: [{ command: 'drawer', key: 'q' }] },
  { group: 'keys-view', does: 'key-drawer-full', strokes: [{ command: 'drawer-full', key: 'q', with: 'shift' }] },
  { group: 'keys-view', does: 'key-drawer-place', strokes: [{ command: 'drawer-place', key: 'q', with: 'alt' }] },
  { group: 'keys-view', does: 'key-open', strokes: [{ command: 'open', key: 'o', with: 'ctrl' }], always: true },
  { group: 'keys-view', does: 'key-add', strokes: [{ command: 'add', key: 'o', with: 'shift' }] },
  { group: 'keys-view', does: 'key-compare', strokes: [{ command: 'compare', key: 'o', with: 'alt' }] },
  { group: 'keys-view', does: 'key-save', strokes: [{ command: 'save', key: 's', with: 'ctrl' }] },
  { group: 'keys-view', does: 'key-picture', strokes: [{ command: 'picture', key: 'p', with: 'shift' }] },
  { group: 'keys-view', does: 'key-print', strokes: [{ command: 'print', key: 'p', with: 'ctrl' }] },
  { group: 'keys-view', does: 'key-palette', strokes: [{ command: 'palette', key: 'k', with: 'ctrl' }], always: true },
  { group: 'keys-view', does: 'key-glossary', strokes: [{ command: 'glossary', key: 'g' }], always: true },
  { group: 'keys-view', does: 'key-help', strokes: [{ command: 'help', key: '?' }], always: true },
  { group: 'keys-devices', does: 'key-pin', strokes: [{ command: 'pin', key: 'p' }] },
  { group: 'keys-devices', does: 'key-hide', strokes: [{ command: 'hide', key: 'h' }] },
  {
    group: 'keys-devices',
    does: 'key-move',
    strokes: [
      { command: 'move-up', key: 'ArrowUp', with: 'alt' },
      { command: 'move-down', key: 'ArrowDown', with: 'alt' },
    ],
  },
  {
    group: 'keys-devices',
    does: 'key-transfers',
    strokes: [
      { command: 'transfers', key: 'n' },
      { command: 'all-transfers', key: 'n', with: 'shift' },
    ],
  },
  { group: 'keys-devices', does: 'key-fold', strokes: [{ command: 'fold-all', key: 'c' }] },
] as const satisfies readonly KeyLine[];

export type Command = (typeof KEY_LINES)[number]['strokes'][number]['command'];

interface Stroke extends KeyStroke {
  command: Command;
  always: boolean;
}

/** The lines with the keys of these gestures; a line that they have no key for has none. */
export const keyLines = (gestures: Gestures): KeyLine[] =>
  KEY_LINES.map((line: KeyLine) => ({ ...line, strokes: PRESETS[gestures].keys?.[line.does] ?? line.strokes }));

const strokesOf = (gestures: Gestures): readonly Stroke[] =>
  keyLines(gestures).flatMap((line) => line.strokes.map((stroke) => ({ ...stroke, always: line.always ?? false }) as Stroke));

const STROKES_OF = Object.fromEntries(GESTURES.map((gestures) => [gestures, strokesOf(gestures)])) as Record<Gestures, readonly Stroke[]>;
const STROKES = STROKES_OF.steplens;

/** The fields of a KeyboardEvent that identify a key. */
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

/* eslint-disable words/from-catalogue -- names that keys have in code and on keyboards */
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
/* eslint-enable words/from-catalogue */

/** The stroke that a key event means, if any. */
export function strokeOf(pressed: Pressed, gestures: Gestures = 'steplens'): Stroke | undefined {
  const modifier = modifierOf(pressed);
  const having = (wanted: Modifier | 'other') => STROKES_OF[gestures].filter((stroke) => (stroke.with ?? 'plain') === wanted);
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

/* eslint-disable words/from-catalogue -- names that keys have on keyboards */
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

/* eslint-enable words/from-catalogue */

/** The title of a button that does what a key does, too: `Share (X)`. */
export function titled(text: string, command: Command): string {
  const stroke = STROKES.find((candidate) => candidate.command === command);
  return stroke ? `${text} (${strokeName(stroke)})` : text;
}

type Place = 'lanes' | 'axis';
export type Held = 'nothing' | 'shift' | 'ctrl' | 'alt' | 'space' | 'middle' | 'long-press';

interface GestureLine {
  group: 'keys-pointer' | 'keys-wheel' | 'keys-touch' | 'keys-devices';
  shown: PlainId;
  does: PlainId;
  /** What a drag starts that begins there and is made so. */
  drags?: readonly { on: readonly Place[]; held: Held; starts: Starts }[];
  /** A drag over the lanes that each viewer has its own way of; on the axis it is a range. */
  drags_held?: 'nothing' | 'shift';
  /** The wheel with this held: each viewer has its own way. */
  wheel?: keyof (typeof PRESETS)['steplens']['wheel'];
}

const BOTH = ['lanes', 'axis'] as const;

export const GESTURE_LINES: readonly GestureLine[] = [
  { group: 'keys-devices', shown: 'gesture-row-click', does: 'gesture-row-click-does' },
  { group: 'keys-devices', shown: 'gesture-row-fold', does: 'gesture-row-fold-does' },
  { group: 'keys-devices', shown: 'gesture-row', does: 'gesture-row-does' },
  { group: 'keys-pointer', shown: 'gesture-drag', does: 'gesture-drag-does', drags_held: 'nothing' },
  {
    group: 'keys-pointer',
    shown: 'gesture-shift-drag',
    does: 'gesture-range-does',
    drags_held: 'shift',
    drags: [{ on: ['axis'], held: 'shift', starts: 'range' }],
  },
  {
    group: 'keys-pointer',
    shown: 'gesture-axis',
    does: 'gesture-axis-does',
    drags: [{ on: ['axis'], held: 'nothing', starts: 'range' }],
  },
  {
    group: 'keys-pointer',
    shown: 'gesture-middle',
    does: 'gesture-middle-does',
    drags: [
      { on: BOTH, held: 'middle', starts: 'pan' },
      { on: BOTH, held: 'space', starts: 'pan' },
    ],
  },
  { group: 'keys-pointer', shown: 'gesture-snap', does: 'gesture-snap-does' },
  { group: 'keys-pointer', shown: 'gesture-click', does: 'gesture-click-does' },
  { group: 'keys-pointer', shown: 'gesture-double-click', does: 'gesture-double-click-does' },
  { group: 'keys-pointer', shown: 'gesture-right-click', does: 'gesture-right-click-does' },
  { group: 'keys-pointer', shown: 'gesture-drop', does: 'gesture-drop-does' },
  { group: 'keys-wheel', shown: 'gesture-wheel', does: 'gesture-wheel-does', wheel: 'nothing' },
  { group: 'keys-wheel', shown: 'gesture-ctrl-wheel', does: 'gesture-ctrl-wheel-does', wheel: 'ctrl' },
  { group: 'keys-wheel', shown: 'gesture-shift-wheel', does: 'gesture-shift-wheel-does', wheel: 'shift' },
  { group: 'keys-wheel', shown: 'gesture-alt-wheel', does: 'key-lane-height', wheel: 'alt' },
  { group: 'keys-touch', shown: 'gesture-finger', does: 'gesture-finger-does' },
  { group: 'keys-touch', shown: 'gesture-fingers', does: 'gesture-fingers-does' },
  { group: 'keys-touch', shown: 'gesture-tap', does: 'gesture-tap-does' },
  {
    group: 'keys-touch',
    shown: 'gesture-long-press',
    does: 'gesture-range-does',
    drags: [{ on: BOTH, held: 'long-press', starts: 'range' }],
  },
  { group: 'keys-touch', shown: 'gesture-rest', does: 'gesture-rest-does' },
];

/** What a drag starts that begins on `on`; fingers have one way of it. */
export function dragStarts(on: Place, held: Held, gestures: Gestures = 'steplens'): Starts | undefined {
  if (on === 'lanes' && (held === 'nothing' || held === 'shift')) return PRESETS[gestures].drags[held];
  const fits = (drag: { on: readonly Place[]; held: Held }) => drag.held === held && drag.on.includes(on);
  return GESTURE_LINES.flatMap((line) => line.drags ?? []).find(fits)?.starts;
}

export const wheelTurns = (held: 'nothing' | 'ctrl' | 'shift' | 'alt', gestures: Gestures): Turns => PRESETS[gestures].wheel[held];

const STARTS: Readonly<Record<Starts, PlainId>> = { pan: 'gesture-drag-does', range: 'gesture-range-does' };
const TURNS: Readonly<Record<Turns, PlainId>> = {
  scroll: 'gesture-wheel-does',
  zoom: 'gesture-ctrl-wheel-does',
  time: 'gesture-shift-wheel-does',
  lanes: 'key-lane-height',
};

/** The lines of gestures with what each of these does. */
export const gestureLines = (gestures: Gestures): GestureLine[] =>
  GESTURE_LINES.map((line) => {
    const { drags, wheel } = PRESETS[gestures];
    if (line.wheel) return { ...line, does: TURNS[wheel[line.wheel]] };
    return line.drags_held ? { ...line, does: STARTS[drags[line.drags_held]] } : line;
  });
