// What each key of the table does.
import { say } from '../base/messages';
import { foldAll, setLaneSize, stepLaneSize, toggleAllTransfers } from '../state/shown/devices';
import { leaveDrawerFull, moveDrawer, toggleDrawer, toggleDrawerFull } from '../state/ui/drawer';
import { attempt, dismissError } from '../state/failures';
import { addNote, dismissOffer } from '../state/opened/notes';
import { setHops } from '../state/shown/flow';
import { showNextStep, toggleAllSteps } from '../state/opened/show_view';
import { setSearch } from '../state/shown/search';
import {
  OP_NOT_SHOWN,
  clearNearest,
  followFlow,
  frameSelection,
  rangeOfSelection,
  rangeOfView,
  selectNeighbour,
} from '../state/shown/select';
import type { Context } from '../state/state';
import { wholeStep } from '../state/scope';
import { toggleWallClock } from '../state/shown/clock';
import { toggleMemory } from '../state/shown/memory_lanes';
import { toggleTraffic } from '../state/shown/traffic';
import { lightNextPath, togglePath, toggleStrip } from '../state/shown/path';
import { goToCause, showWhy } from '../state/shown/why';
import { beginMotion, endMotion } from '../state/shown/history';
import { travel } from '../state/shown/travel';
import { fitAll, holdAt, panBy, scrollTo, timeScale, zoomAt } from '../state/shown/view';
import { strokeOf, type Command } from './keys/bindings';
import { printReport } from './print/printing';
import { pickAdded, pickCompared, pickFiles } from './start/drop';
import { cancelDrag } from '../state/shown/drag';
import { sheetIsOpen, showGlossary, showHelp } from './dialogs/help';
import { hideInHand, moveInHand, pinInHand, transfersInHand } from './devices/row_keys';
import { focusWhy } from './drawer/selection/focus_why';
import { focusSearch } from './header/search';
import { showPictureDialog, showSaveDialog } from './header/share';
import { toggleOverview } from '../state/ui/overview';
import { toggleTextures } from '../state/ui/theme';

/** The time under the pointer, else in the middle of the view. */
const anchor = ({ state }: Context): number => timeScale(state).toNs(state.hover_x ?? state.viewport.width / 2);
const page = ({ state }: Context): number => state.viewport.height * 0.8;
const length = ({ state }: Context): number => state.window.end - state.window.start;

/** Held keys move the view smoothly; their speed is per second. */
const ZOOM_PER_SECOND = 8;
const PAN_PER_SECOND = 1.1;
/** A key that is only tapped moves the view for as long as this: about a tenth of the window. */
const TAP_SECONDS = 0.1;

type Motion = (context: Context, seconds: number) => void;

const zoom =
  (direction: 1 | -1): Motion =>
  (context, seconds) =>
    zoomAt(context, anchor(context), ZOOM_PER_SECOND ** (direction * seconds));
const pan =
  (direction: 1 | -1): Motion =>
  (context, seconds) =>
    panBy(context, direction * seconds * PAN_PER_SECOND * length(context));

const MOTIONS = { 'zoom-in': zoom(-1), 'zoom-out': zoom(1), 'pan-left': pan(-1), 'pan-right': pan(1) };

type Moving = keyof typeof MOTIONS;

/** False where there was nothing to do and the key is left to the browser. */
type Run = (context: Context) => unknown;

const RUNS: Record<Exclude<Command, Moving>, Run> = {
  'step-left': (context) => pan(-1)(context, TAP_SECONDS),
  'step-right': (context) => pan(1)(context, TAP_SECONDS),
  'scroll-up': (context) => scrollTo(context, context.state.scroll_y - 40),
  'scroll-down': (context) => scrollTo(context, context.state.scroll_y + 40),
  'page-up': (context) => scrollTo(context, context.state.scroll_y - page(context)),
  'page-down': (context) => scrollTo(context, context.state.scroll_y + page(context)),
  'to-start': (context) => holdAt(context, wholeStep(context.state).start, 0),
  'to-end': (context) => holdAt(context, wholeStep(context.state).end, context.state.viewport.width),
  frame: (context) =>
    attempt(
      context,
      OP_NOT_SHOWN,
      frameSelection(context, () => fitAll(context)),
    ),
  fit: fitAll,
  'next-step': (context) => showNextStep(context, 1),
  'previous-step': (context) => showNextStep(context, -1),
  'all-steps': toggleAllSteps,
  back: (context) => travel(context, -1),
  forth: (context) => travel(context, 1),
  'next-op': (context) => attempt(context, OP_NOT_SHOWN, selectNeighbour(context, 1)),
  'previous-op': (context) => attempt(context, OP_NOT_SHOWN, selectNeighbour(context, -1)),
  why: (context) => {
    showWhy(context);
    focusWhy(context);
  },
  cause: (context) => attempt(context, OP_NOT_SHOWN, goToCause(context)),
  consumer: (context) => attempt(context, OP_NOT_SHOWN, followFlow(context, 1)),
  producer: (context) => attempt(context, OP_NOT_SHOWN, followFlow(context, -1)),
  'more-hops': (context) => setHops(context, context.state.hops + 1),
  'fewer-hops': (context) => setHops(context, context.state.hops - 1),
  range: (context) => attempt(context, OP_NOT_SHOWN, rangeOfSelection(context)),
  'range-of-view': rangeOfView,
  mark: (context) => {
    addNote(context);
    // The field for its name has the keyboard before the next key is pressed.
    context.frame.runNow();
  },
  search: focusSearch,
  clear: clearOne,
  taller: (context) => stepLaneSize(context, 1),
  lower: (context) => stepLaneSize(context, -1),
  'auto-lanes': (context) => setLaneSize(context, 'auto'),
  'fold-all': foldAll,
  transfers: transfersInHand,
  'all-transfers': toggleAllTransfers,
  pin: pinInHand,
  hide: hideInHand,
  'move-up': moveInHand(-1),
  'move-down': moveInHand(1),
  clock: toggleWallClock,
  textures: toggleTextures,
  traffic: toggleTraffic,
  memory: toggleMemory,
  path: togglePath,
  'next-path': lightNextPath,
  strip: toggleStrip,
  overview: toggleOverview,
  drawer: toggleDrawer,
  'drawer-full': toggleDrawerFull,
  'drawer-place': moveDrawer,
  open: pickFiles,
  add: pickAdded,
  compare: pickCompared,
  save: showSaveDialog,
  picture: showPictureDialog,
  print: printReport,
  palette: showPalette,
  glossary: showGlossary,
  help: showHelp,
};

/** What a key does, without the key. */
export function runCommand(context: Context, command: Command): void {
  if (command in MOTIONS) MOTIONS[command as Moving](context, TAP_SECONDS);
  else RUNS[command as Exclude<Command, Moving>](context);
}

function showPalette(context: Context): void {
  const shown = context.later.get().then(({ palette }) => palette(context, (command) => runCommand(context, command as Command)));
  attempt(context, say('keys-not-shown'), shown);
}

/** One thing at a time, the most passing first. */
function clearOne(context: Context): void {
  const { state } = context;
  if (cancelDrag(context)) return;
  if (state.offer) dismissOffer(context);
  else if (state.error) dismissError(context);
  else if (state.loading) context.engine.cancel();
  else if (leaveDrawerFull(context)) return;
  else if (!clearNearest(context)) setSearch(context, { text: '', regex: state.search.regex });
}

/** Fields keep their keys; tables and sliders keep those that they act on themselves. */
function belongsToField(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement | null;
  if (!target) return false;
  // For a moment after a sheet was closed, a field in it still has the keyboard.
  if (target.matches('input, textarea, select')) return target.closest('dialog:not([open])') === null;
  // eslint-disable-next-line words/from-catalogue -- names of keys in code
  const own = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'PageUp', 'PageDown', 'Home', 'End'];
  // eslint-disable-next-line words/from-catalogue -- a selector
  const keepers = '[role="tablist"], [role="separator"], [role="slider"], [role="menu"], .panel, pre';
  return own.includes(event.key) && !event.altKey && target.closest(keepers) !== null;
}

/** A key that moves the view while it is held, and at least for a moment. */
interface HeldKey {
  motion: Motion;
  seconds: number;
  released: boolean;
}

export function listenToKeys(context: Context): void {
  const held = new Map<string, HeldKey>();
  const move = (elapsed_ms: number): boolean => {
    for (const [code, key] of held) {
      const left = key.released ? Math.max(TAP_SECONDS - key.seconds, 0) : Infinity;
      const seconds = Math.min(elapsed_ms / 1000, left);
      key.motion(context, seconds);
      key.seconds += seconds;
      if (key.released && key.seconds >= TAP_SECONDS) held.delete(code);
    }
    if (held.size === 0) endMotion(context);
    return held.size > 0;
  };
  const hold = (code: string, motion: Motion) => {
    if (held.size === 0) {
      beginMotion(context);
      context.frame.animate(move);
    }
    const before = held.get(code);
    // A key that repeats itself is still the same press; one that was let go is pressed anew.
    if (before && !before.released) return;
    // What it still owes is not lost when a tap follows a tap.
    held.set(code, { motion, seconds: before ? before.seconds - TAP_SECONDS : 0, released: false });
  };
  const release = () => {
    for (const key of held.values()) key.released = true;
  };
  document.addEventListener('keydown', (event) => {
    // While such a key is down, some systems report no other key's release.
    if (event.metaKey) release();
    if (sheetIsOpen() || belongsToField(event)) return;
    const stroke = strokeOf(event, context.state.gestures);
    const has_trace = context.state.trace !== null && !context.state.fleet?.is_shown;
    if (!stroke || (!has_trace && !stroke.always)) return;
    const { command } = stroke;
    if (command in MOTIONS) {
      event.preventDefault();
      hold(event.code, MOTIONS[command as Moving]);
    } else if (RUNS[command as Exclude<Command, Moving>](context) !== false) event.preventDefault();
  });
  document.addEventListener('keyup', (event) => {
    const key = held.get(event.code);
    if (key) key.released = true;
  });
  window.addEventListener('blur', release);
}
