// Both steps drawn against one another: A's lanes upwards and B's downwards from a line in the middle, for each pair of devices.
//
// Times are those of A's step from its start. B's are moved so that both begin together, or that an op and its partner do.
import { clamp } from '../../base/geom';
import { say } from '../../base/messages';
import { placeLabel } from '../../base/names';
import { ns } from '../../base/time';
import { grown, moved, TimeScale, windowHolding, zoomed, type Window } from '../../base/time_scale';
import type { ComparedPair, ComparePage, DeviceId, LaneId, MarksQuery, MirrorQuery, OpId } from '../../engine/protocol';
import { attempt, reportFailure } from '../failures';
import { answerTo, type Question } from '../figures';
import { Changed } from '../frame';
import { latest } from '../latest';
import type { Lanes } from '../layout/layout';
import { comparisonOf, COMPARE_CHANGED } from './comparison';
import { announce, type Context, type State } from '../state';
import type { MirrorHover, MirrorView, Widths } from '../types';
import { noteView } from './history';
import { clearSelection, OP_NOT_SHOWN, selectOp } from './select';

/** In CSS pixels: the name of a pair of devices, the line between A and B, and the room below. */
export const HEAD = 18;
const GAP = 1;
const BELOW = 6;
/** As tall as a group of lanes wants to be, of ops and of transfers; and how tall a lane may be. Thin lanes are merged. */
const TALL = { ops: 52, communication: 30 };
const PITCH = { least: 0.75, most: 13 };
/** Marks of a half; more would not be seen. */
const MOST_MARKS = 6000;
/** Of the window, on each side: panning finds marks there. */
const MARGIN = 0.25;
/** Within so many pixels of an op a click is one on it. */
export const SLACK_PX = 3;

/** Lanes of a device that are all as tall. */
export interface MirrorGroup {
  first: LaneId;
  count: number;
  is_communication: boolean;
}

/** The same where they are drawn. */
export interface PlacedGroup extends MirrorGroup {
  /** From the middle. */
  from: number;
  pitch: number;
}

/** A pair of devices, from the top of all that scrolls. */
export interface MirrorRow {
  name: string;
  a: DeviceId | null;
  b: DeviceId | null;
  /** From the middle outwards. */
  lanes: readonly [a: readonly PlacedGroup[], b: readonly PlacedGroup[]];
  y: number;
  /** Where A's lanes end and B's begin. */
  middle: number;
  height: number;
}

/** By device. */
function groupsOf({ groups }: Lanes): MirrorGroup[][] {
  let first = 0;
  return groups.map((own) =>
    own.map(({ lanes: count, kind }) => {
      const made = { first, count, is_communication: kind === 'communication' };
      first += count;
      return made;
    }),
  );
}

/** Groups in the same place have the same pitch on both sides, so that lanes can be compared. */
function placed(own: readonly MirrorGroup[], other: readonly MirrorGroup[]): PlacedGroup[] {
  let from = 0;
  return own.map((group, at) => {
    const most = Math.max(group.count, other[at]?.count ?? 0, 1);
    const pitch = clamp(TALL[group.is_communication ? 'communication' : 'ops'] / most, PITCH.least, PITCH.most);
    const made = { ...group, from, pitch };
    from += group.count * pitch + (group.count > 0 ? GAP : 0);
    return made;
  });
}

const heightOf = (groups: readonly PlacedGroup[]): number => {
  const last = groups.at(-1);
  return last ? last.from + last.count * last.pitch : 0;
};

/** The pairs of devices that have ops, from top to bottom. */
export function mirrorRows(state: State): readonly MirrorRow[] {
  const { trace, other } = state;
  const found = comparisonOf(state);
  if (!trace || !other || !found) return [];
  return rowsOf(found, [groupsOf(state.lanes), groupsOf(other.lanes)], state.mirror.widths, (a, b) =>
    placeLabel((a !== null ? trace.summary.devices[a]?.name : other.summary.devices[b ?? 0]?.name) ?? ''),
  );
}

function rowsOf(
  { device_pairs }: ComparePage,
  [of_a, of_b]: readonly [MirrorGroup[][], MirrorGroup[][]],
  widths: Widths,
  nameOf: (a: DeviceId | null, b: DeviceId | null) => string,
): MirrorRow[] {
  const rows: MirrorRow[] = [];
  let y = 0;
  for (const { a, b } of device_pairs) {
    const own = (a === null ? null : of_a[a]) ?? [];
    const partner = (b === null ? null : of_b[b]) ?? [];
    const [up, down] = [widths === 'b' ? partner : own, widths === 'a' ? own : partner];
    if ([...up, ...down].every(({ count }) => count === 0)) continue;
    const lanes = [placed(up, down), placed(down, up)] as const;
    const middle = HEAD + heightOf(lanes[0]);
    const height = middle + GAP + heightOf(lanes[1]) + BELOW;
    rows.push({ name: nameOf(a, b), a, b, lanes, y, middle, height });
    y += height;
  }
  return rows;
}

export const mirrorHeight = (rows: readonly MirrorRow[]): number => {
  const last = rows.at(-1);
  return last ? last.y + last.height : 0;
};

/** The top of the lane in `place` of a group, from the top of the row: the first lanes are next to the middle. */
export function laneTop(row: MirrorRow, of_b: boolean, { from, pitch }: PlacedGroup, place: number): number {
  return of_b ? row.middle + GAP + from + place * pitch : row.middle - from - (place + 1) * pitch;
}

/** By how much B's times are moved. */
export const shiftOfB = ({ mirror: { align } }: State): number => (align ? align.a_ns - align.b_ns : 0);

/** Both steps, with a little air. */
export function mirrorBounds(state: State): Window {
  const shift = shiftOfB(state);
  const [a, b] = [state.trace?.summary.span_ns ?? 1, state.other?.summary.span_ns ?? 1];
  const { widths } = state.mirror;
  const start = widths === 'both' ? Math.min(0, shift) : 0;
  const end = widths === 'a' ? a : widths === 'b' ? b : Math.max(a, b + shift);
  const air = Math.max((end - start) * 0.01, 1);
  return { start: ns(start - air), end: ns(end + air) };
}

export const mirrorWindow = (state: State): Window => state.mirror.window ?? mirrorBounds(state);

export const mirrorScale = (state: State, width: number): TimeScale => new TimeScale(mirrorWindow(state), width);

/** Changes how it is drawn. */
export function setMirror(context: Context, change: Partial<MirrorView>): void {
  const { state, frame } = context;
  state.mirror = { ...state.mirror, ...change };
  frame.invalidate(COMPARE_CHANGED);
  noteView(context);
}

export const zoomMirror = (context: Context, at: number, factor: number): void =>
  setMirror(context, { window: zoomed(mirrorWindow(context.state), at, factor, mirrorBounds(context.state)) });

export const panMirror = (context: Context, by: number): void =>
  setMirror(context, { window: moved(mirrorWindow(context.state), by, mirrorBounds(context.state)) });

/** Shows the window of the same length in which `at` lies at `share` of the width. */
export function holdInMirror(context: Context, at: number, share: number, length?: number): void {
  const window = mirrorWindow(context.state);
  setMirror(context, { window: windowHolding(at, share, length ?? window.end - window.start, mirrorBounds(context.state)) });
}

/** Shows all of both. */
export const fitMirror = (context: Context): void => setMirror(context, { window: null });

export function setWidths(context: Context, widths: Widths): void {
  setMirror(context, { widths, marks: null, hover: null, align: widths === 'both' ? context.state.mirror.align : null });
}

/** Draws an op and its partner at one place; null for the starts of both steps. */
export function alignAt(context: Context, pair: ComparedPair | null): void {
  const align = pair?.a && pair.b ? { op: pair.a.op, name: pair.a.name, a_ns: pair.a.start_ns, b_ns: pair.b.start_ns } : null;
  setMirror(context, { align, window: null });
  const said = align ? say('mirror-aligned-at', { op: align.name }) : say('mirror-aligned-start');
  announce(context, said, Changed.notice);
}

/** Aligns both as the view says that was restored. */
export function restoreAlign(context: Context): void {
  const { state, engine } = context;
  const op = state.mirror.wanted_align;
  if (op === null || !comparisonOf(state)) return;
  state.mirror = { ...state.mirror, wanted_align: null };
  const { window } = state.mirror;
  const aligned = engine.ask('comparedPair', false, op).then((pair) => {
    alignAt(context, pair);
    setMirror(context, { window });
  });
  attempt(context, say('pair-failed'), aligned);
}

/** What is to be drawn: the marks of the rows in sight. */
export function wantedMirror(state: State, width: number, height: number): MirrorQuery | null {
  const { mirror } = state;
  const rows = mirrorRows(state);
  if (rows.length === 0 || width <= 0) return null;
  const seen = rows.filter((row) => row.y + row.height > mirror.scroll_y - height * 0.5 && row.y < mirror.scroll_y + height * 1.5);
  const window = grown(mirrorWindow(state), MARGIN);
  const half = (side: 0 | 1, shift: number): MarksQuery => {
    const groups = seen.flatMap((row) => row.lanes[side]);
    const lanes = groups.flatMap(({ first, count }) => Array.from({ length: count }, (_, place) => first + place));
    const pitches = groups.flatMap(({ count, pitch }) =>
      Array.from({ length: count }, (_, place) => (place === count - 1 ? Infinity : pitch * devicePixelRatio)),
    );
    return {
      start_ns: ns(window.start - shift),
      end_ns: ns(window.end - shift),
      width_px: Math.round(width * devicePixelRatio * (1 + 2 * MARGIN)),
      lanes: Uint32Array.from(lanes),
      pitches: Float32Array.from(pitches),
      most: MOST_MARKS,
      strips: new Uint32Array(),
    };
  };
  const { widths } = mirror;
  return { a: widths === 'b' ? null : half(0, 0), b: widths === 'a' ? null : half(1, widths === 'both' ? shiftOfB(state) : 0) };
}

/** The function to call whenever other marks may be needed. */
export function mirrorRequester(context: Context): (width: number, height: number) => void {
  const { state, frame, engine } = context;
  let asked = '';
  let asked_of: unknown = null;
  const request = latest(
    ({ query }: { query: MirrorQuery; of: unknown }) => engine.ask('mirror', query),
    (marks, { of }) => {
      if (of !== comparisonOf(state)) return;
      state.mirror = { ...state.mirror, marks };
      frame.answered('mirror');
    },
    (thrown) => {
      if (reportFailure(context, say('mirror-not-drawn'), thrown)) asked = '';
    },
  );
  return (width, height) => {
    const of = comparisonOf(state);
    const query = of && wantedMirror(state, width, height);
    if (!query) return;
    const key = JSON.stringify([query.a && keyOf(query.a), query.b && keyOf(query.b)]);
    if (key === asked && asked_of === of) return;
    asked = key;
    asked_of = of;
    request({ query, of });
  };
}

const keyOf = ({ start_ns, end_ns, width_px, lanes, pitches }: MarksQuery) => [
  start_ns,
  end_ns,
  width_px,
  lanes.length,
  lanes[0],
  lanes.at(-1),
  pitches[0],
];

/** The op whose pair is shown. */
export function chosenOp({ mirror: { chosen_b }, selection }: State): { of_b: boolean; op: OpId } | null {
  if (selection) return { of_b: false, op: selection.op };
  return chosen_b === null ? null : { of_b: true, op: chosen_b };
}

/** The chosen op and its partner. */
export const PAIR: Question<'comparedPair'> = {
  verb: 'comparedPair',
  of: (state) => {
    const [found, chosen] = [comparisonOf(state), chosenOp(state)];
    return found && chosen && [found, chosen.of_b, chosen.op];
  },
  parameters: (state) => {
    const { of_b, op } = chosenOp(state) ?? { of_b: false, op: 0 };
    return [of_b, op];
  },
  outcome: say('pair-failed'),
};

export const chosenPair = (state: State): ComparedPair | null => answerTo(state, PAIR);

/** Selects an op of A, or an op of B with its partner in A. */
export function chooseInMirror(context: Context, of_b: boolean, op: OpId): void {
  attempt(context, OP_NOT_SHOWN, of_b ? chooseOfB(context, op) : chooseOfA(context, op));
}

/** The same, and brings both into sight. */
export function showInMirror(context: Context, of_b: boolean, op: OpId): void {
  chooseInMirror(context, of_b, op);
  const shown = context.engine.ask('comparedPair', of_b, op).then((pair) => showPair(context, pair));
  attempt(context, say('pair-failed'), shown);
}

async function chooseOfA(context: Context, op: OpId): Promise<void> {
  setMirror(context, { chosen_b: null });
  await selectOp(context, op, 'show', 'stay');
}

async function chooseOfB(context: Context, op: OpId): Promise<void> {
  const { a } = await context.engine.ask('comparedPair', true, op);
  if (a) return chooseOfA(context, a.op);
  clearSelection(context);
  setMirror(context, { chosen_b: op });
}

/** The pointer is on an op; null where it is on none. */
export function hoverInMirror(context: Context, hover: Omit<MirrorHover, 'pair'> | null): void {
  const { state, frame, engine } = context;
  const before = state.mirror.hover;
  if (!hover && !before) return;
  const is_same = before !== null && before.op === hover?.op && before.of_b === hover.of_b;
  state.mirror = { ...state.mirror, hover: hover && { ...hover, pair: is_same ? before.pair : null } };
  frame.invalidate(COMPARE_CHANGED);
  if (!hover || is_same) return;
  const { of_b, op } = hover;
  const asked = async () => {
    if (state.mirror.hover?.op !== op) return;
    const pair = await engine.ask('comparedPair', of_b, op);
    const now = state.mirror.hover;
    if (now?.op !== op || now.of_b !== of_b) return;
    state.mirror = { ...state.mirror, hover: { ...now, pair } };
    frame.invalidate(COMPARE_CHANGED);
  };
  state.queues.hovered_pair.add(asked, (thrown) => reportFailure(context, say('pair-failed'), thrown));
}

/** Brings the chosen pair into the window. */
export function showPair(context: Context, pair: ComparedPair): void {
  const { state } = context;
  const shift = shiftOfB(state);
  const ends = [...(pair.a ? [pair.a.start_ns, pair.a.end_ns] : []), ...(pair.b ? [pair.b.start_ns + shift, pair.b.end_ns + shift] : [])];
  const [start, end] = [Math.min(...ends), Math.max(...ends)];
  const window = mirrorWindow(state);
  const device = [pair.a?.device ?? null, pair.b?.device ?? null] as const;
  const row = mirrorRows(state).find(({ a, b }) => (device[0] === null ? b === device[1] : a === device[0]));
  const scroll_y = row?.y ?? state.mirror.scroll_y;
  const is_seen = start >= window.start && end <= window.end && end - start > (window.end - window.start) / 200;
  if (is_seen) return setMirror(context, { scroll_y });
  setMirror(context, { scroll_y, window: windowHolding((start + end) / 2, 0.5, Math.max((end - start) * 3, 20), mirrorBounds(state)) });
}
