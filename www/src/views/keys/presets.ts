// What differs between the gestures of Steplens and those of other viewers, by their own tables of keys: Perfetto's help_modal.ts, Catapult's
// timeline_view_help_overlay.html, speedscope's README.
import type { Gestures } from '../../state/types';

/** The modifiers of a key. Shift is one with letters only: with signs it chooses what is printed. */
export type Modifier = 'plain' | 'shift' | 'ctrl' | 'ctrl-shift' | 'alt';

export interface KeyStroke {
  command: string;
  /** As `KeyboardEvent.key` has it; letters in lower case. */
  key: string;
  with?: Modifier;
  /** Matched by its place only. */
  by_place?: true;
}

export type Starts = 'pan' | 'range';
export type Turns = 'scroll' | 'zoom' | 'time' | 'lanes';

interface Preset {
  /** What a drag over the lanes starts: alone, and with Shift. */
  drags: Readonly<Record<'nothing' | 'shift', Starts>>;
  /** What the wheel turns. A pinch on a trackpad arrives as Ctrl+wheel, and zooms everywhere. */
  wheel: Readonly<Record<'nothing' | 'ctrl' | 'shift' | 'alt', Turns>>;
  /** The keys of lines that have others. */
  keys?: Readonly<Record<string, readonly KeyStroke[]>>;
}

const STEPLENS: Preset = {
  drags: { nothing: 'pan', shift: 'range' },
  wheel: { nothing: 'scroll', ctrl: 'zoom', shift: 'time', alt: 'lanes' },
};

export const PRESETS: Readonly<Record<Gestures, Preset>> = {
  steplens: STEPLENS,
  'wheel-zoom': { ...STEPLENS, wheel: { ...STEPLENS.wheel, nothing: 'zoom', alt: 'scroll' } },
  perfetto: { ...STEPLENS, drags: { nothing: 'range', shift: 'pan' } },
  chrome: { drags: { nothing: 'range', shift: 'range' }, wheel: { ...STEPLENS.wheel, alt: 'zoom' } },
  speedscope: {
    ...STEPLENS,
    keys: {
      'key-zoom': [
        { command: 'zoom-in', key: '+' },
        { command: 'zoom-in', key: '=' },
        { command: 'zoom-out', key: '-' },
      ],
      'key-scroll': [
        { command: 'scroll-up', key: 'w', by_place: true },
        { command: 'scroll-down', key: 's', by_place: true },
        { command: 'scroll-up', key: 'ArrowUp' },
        { command: 'scroll-down', key: 'ArrowDown' },
      ],
      'key-lane-height': [],
      'key-fit-lanes': [],
    },
  },
};
