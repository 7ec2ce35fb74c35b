// The keys, as one table: what the page does and what the help sheet says are the same list.
//
// Letters are matched by their place on the keyboard (`code`), so that W A S D lie together on every layout; signs that
// move around with the layout are matched by what they print (`key`). Perfetto's habits, where it has one.
import { setRange, clearSelection, followFlow, frameSelection, markSelection, selectNeighbour } from '../state/select';
import { toggleDrawer } from '../state/drawer';
import { travel } from '../state/history';
import { dismissError } from '../state/open';
import type { Context } from '../state/state';
import { foldAll, setLaneSize, stepLaneSize } from '../state/devices';
import { fitAll, panBy, scrollTo, timeScale, zoomAt } from '../state/view';
import { pickFiles } from './drop';
import { helpIsOpen, showHelp } from './help';
import { focusSearch } from './search';

type Modifier = 'plain' | 'ctrl' | 'ctrl-shift';

export interface Key {
  /** As the help sheet shows it; null for the second of two keys that share a line. */
  shown: string | null;
  does: string;
  group: 'Move' | 'Select' | 'View';
  code?: string;
  key?: string;
  with?: Modifier;
  /** Does something even while no trace is open. */
  always?: boolean;
  run: (context: Context) => void;
}

/** The time under the pointer, else in the middle of the view. */
const anchor = ({ state }: Context): number => timeScale(state).toNs(state.hover_x ?? state.viewport.width / 2);
const page = ({ state }: Context): number => state.viewport.height * 0.8;

/** Held keys move the view smoothly; their speed is per second. */
const ZOOM_PER_SECOND = 8;
const PAN_PER_SECOND = 1.1;

type Motion = (context: Context, seconds: number) => void;

const zoom = (direction: 1 | -1): Motion => (context, seconds) => zoomAt(context, anchor(context), ZOOM_PER_SECOND ** (direction * seconds));
const pan = (direction: 1 | -1): Motion => (context, seconds) => panBy(context, direction * seconds * PAN_PER_SECOND * (context.state.window.end - context.state.window.start));

export const MOTIONS: readonly { code: string; shown: string | null; does: string; motion: Motion }[] = [
  { code: 'KeyW', shown: 'W, S', does: 'zoom in and out at the pointer', motion: zoom(-1) },
  { code: 'KeyS', shown: null, does: 'zoom out', motion: zoom(1) },
  { code: 'KeyA', shown: 'A, D', does: 'move left and right', motion: pan(-1) },
  { code: 'KeyD', shown: null, does: 'move right', motion: pan(1) },
];

export const KEYS: readonly Key[] = [
  { shown: '←, →', does: 'move a little', group: 'Move', key: 'ArrowLeft', run: (context) => pan(-1)(context, 0.1) },
  { shown: null, does: 'move right a little', group: 'Move', key: 'ArrowRight', run: (context) => pan(1)(context, 0.1) },
  { shown: '↑, ↓', does: 'scroll', group: 'Move', key: 'ArrowUp', run: (context) => scrollTo(context, context.state.scroll_y - 40) },
  { shown: null, does: 'scroll down', group: 'Move', key: 'ArrowDown', run: (context) => scrollTo(context, context.state.scroll_y + 40) },
  { shown: 'Page Up, Page Down', does: 'scroll by a page', group: 'Move', key: 'PageUp', run: (context) => scrollTo(context, context.state.scroll_y - page(context)) },
  { shown: null, does: 'scroll down a page', group: 'Move', key: 'PageDown', run: (context) => scrollTo(context, context.state.scroll_y + page(context)) },
  { shown: 'F', does: 'frame the selection; again: everything', group: 'Move', code: 'KeyF', run: (context) => frameSelection(context, () => fitAll(context)) },
  { shown: '0', does: 'the whole step', group: 'Move', key: '0', run: fitAll },
  { shown: 'Ctrl+Z', does: 'back to the view before', group: 'Move', code: 'KeyZ', with: 'ctrl', run: (context) => travel(context, -1) },
  { shown: 'Ctrl+Shift+Z', does: 'forth to the view after', group: 'Move', code: 'KeyZ', with: 'ctrl-shift', run: (context) => travel(context, 1) },
  { shown: '. ,', does: 'next and previous op in the lane', group: 'Select', key: '.', run: (context) => void selectNeighbour(context, 1) },
  { shown: null, does: 'previous op in the lane', group: 'Select', key: ',', run: (context) => void selectNeighbour(context, -1) },
  { shown: ']', does: 'along the data, to the first consumer', group: 'Select', code: 'BracketRight', key: ']', run: (context) => void followFlow(context, 1) },
  { shown: '[', does: 'against the data, to the last producer', group: 'Select', code: 'BracketLeft', key: '[', run: (context) => void followFlow(context, -1) },
  { shown: 'M', does: 'make the selected op the range', group: 'Select', code: 'KeyM', run: markSelection },
  { shown: '/', does: 'search; Enter and Shift+Enter walk', group: 'Select', key: '/', run: focusSearch },
  { shown: 'Esc', does: 'clear the error, the selection, the range', group: 'Select', key: 'Escape', always: true, run: clearOne },
  { shown: '+, -', does: 'taller and lower lanes', group: 'View', key: '+', run: (context) => stepLaneSize(context, 1) },
  { shown: null, does: 'lower lanes', group: 'View', key: '-', run: (context) => stepLaneSize(context, -1) },
  { shown: '=', does: 'lanes as tall as fits', group: 'View', key: '=', run: (context) => setLaneSize(context, 'auto') },
  { shown: 'C', does: 'fold or unfold all devices', group: 'View', code: 'KeyC', run: foldAll },
  { shown: 'Q', does: 'show or hide the drawer', group: 'View', code: 'KeyQ', run: toggleDrawer },
  { shown: 'Ctrl+O', does: 'open files', group: 'View', code: 'KeyO', with: 'ctrl', always: true, run: pickFiles },
  { shown: '?', does: 'this sheet', group: 'View', key: '?', always: true, run: showHelp },
];

export const GESTURES: readonly { shown: string; does: string }[] = [
  { shown: 'wheel', does: 'scroll' },
  { shown: 'Ctrl+wheel, pinch', does: 'zoom at the pointer' },
  { shown: 'Shift+wheel, sideways', does: 'move in time' },
  { shown: 'Alt+wheel', does: 'taller or lower lanes' },
  { shown: 'drag', does: 'select a range' },
  { shown: 'Shift+drag, middle drag', does: 'move the view' },
  { shown: 'click', does: 'select an op' },
  { shown: 'double click', does: 'frame an op' },
];

function clearOne(context: Context): void {
  const { state } = context;
  if (state.error) dismissError(context);
  else if (state.loading) context.engine.cancel();
  else if (state.selection) clearSelection(context);
  else if (state.range) setRange(context, null);
}

const modifierOf = (event: KeyboardEvent): Modifier | 'other' => {
  if (event.altKey) return 'other';
  if (event.ctrlKey || event.metaKey) return event.shiftKey ? 'ctrl-shift' : 'ctrl';
  return 'plain';
};

/** Fields keep their keys; tables and buttons keep those that they act on themselves. */
function belongsToField(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement | null;
  if (!target) return false;
  if (target.matches('input, textarea, select')) return true;
  const own = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'PageUp', 'PageDown'];
  return own.includes(event.key) && target.closest('[role="tablist"], [role="separator"], .panel, pre') !== null;
}

export function listenToKeys(context: Context): void {
  const held = new Map<string, Motion>();
  const move = (elapsed_ms: number): boolean => {
    for (const motion of held.values()) motion(context, elapsed_ms / 1000);
    return held.size > 0;
  };
  document.addEventListener('keydown', (event) => {
    if (helpIsOpen() || belongsToField(event)) return;
    const modifier = modifierOf(event);
    const motion = modifier === 'plain' ? MOTIONS.find(({ code }) => code === event.code)?.motion : undefined;
    if (motion && context.state.trace) {
      event.preventDefault();
      if (held.size === 0) context.frame.animate(move);
      held.set(event.code, motion);
      return;
    }
    const found = KEYS.find((key) => (key.with ?? 'plain') === modifier && (key.key === event.key || (key.code === event.code && !(event.shiftKey && modifier === 'plain'))));
    if (!found || (!context.state.trace && !found.always)) return;
    event.preventDefault();
    found.run(context);
  });
  document.addEventListener('keyup', (event) => held.delete(event.code));
  window.addEventListener('blur', () => held.clear());
}
