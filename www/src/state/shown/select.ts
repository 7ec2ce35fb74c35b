// Selecting an op, walking from op to op, and the range of time that figures are about.
import { say } from '../../base/messages';
import { tensorLabel } from '../../base/names';
import { formatDuration, ns } from '../../base/time';
import type { Window } from '../../base/time_scale';
import type { OpDetails, OpId, OpRef } from '../../engine/protocol';
import { CATEGORY_WORDS } from '../category_words';
import { reportFailure } from '../failures';
import { requestFlow } from './flow';
import { Changed } from '../frame';
import { clearColors } from './colors';
import { noteView } from './history';
import { lanesWithin } from '../layout/sight';
import { announce, type Context, type State } from '../state';
import { bounds, scopeQuery } from '../scope';
import { EVERY_DEVICE, type Snap } from '../types';
import { chooseDevice } from './chosen_device';
import { showSelected } from './card';
import { turnDrawer } from './tab';
import { frameWindow, showLane, showWindow } from './view';

/** What the user reads where an op cannot be shown. */
export const OP_NOT_SHOWN = say('op-not-shown');

/** An op narrower than this has no room for a name. */
const LEGIBLE_PX = 40;

/** How an op that was reached is brought into sight: not at all, by the smallest move, so large that one can read it, or alone. */
export type Reveal = 'stay' | 'show' | 'zoom' | 'frame';

/** `tab` says whether the drawer turns to the details, or stays at the table from which the op was chosen. */
export async function selectOp(context: Context, op: OpId, reveal: Reveal, tab: 'turn' | 'stay' = 'turn'): Promise<void> {
  const { state, frame, engine } = context;
  // The old details stay until the new ones are there, so that walking through ops does not flicker.
  state.selection = { op, details: state.selection?.op === op ? state.selection.details : null };
  state.instant = null;
  state.hover = null;
  frame.invalidate(Changed.selection, Changed.hover);
  requestFlow(context);
  const details = await engine.ask('op', op);
  if (state.selection?.op !== op) return;
  state.selection = { op, details };
  if (tab === 'turn') showSelected(context);
  else state.card_open = true;
  announce(context, spoken(state, details), Changed.selection, Changed.notice);
  if (reveal !== 'stay') {
    showLane(context, details.lane);
    const window = { start: details.start_ns, end: details.end_ns };
    if (reveal === 'frame') frameWindow(context, window);
    else showWindow(context, window, reveal === 'zoom' ? LEGIBLE_PX : undefined);
  }
  noteView(context);
}

function spoken(state: State, details: OpDetails): string {
  const device = state.trace?.summary.devices[details.device]?.name ?? '';
  const name = details.transfer ? tensorLabel(details.transfer.tensor) : details.name;
  const { op_type: type, category } = details;
  return say('selected-op', {
    name,
    type,
    category: CATEGORY_WORDS[category],
    length: formatDuration(details.end_ns - details.start_ns),
    device,
  });
}

export function clearSelection(context: Context): void {
  const { state } = context;
  if (!state.selection && !state.instant) return;
  state.selection = state.instant = null;
  if (state.tab === 'selection') turnDrawer(context, 'range');
  announce(context, say('nothing-selected'), Changed.selection, Changed.notice);
  noteView(context);
}

/** The next or previous op in the selected op's lane; with none selected, the first visible one. */
export async function selectNeighbour(context: Context, step: 1 | -1): Promise<void> {
  const { state, engine } = context;
  if (!state.selection) {
    await selectFirst(context);
    return;
  }
  const neighbour = await engine.ask('neighbour', state.selection.op, step);
  if (neighbour === null) announce(context, step > 0 ? say('last-op') : say('first-op'), Changed.notice);
  else await selectOp(context, neighbour, 'show');
}

/** The first visible op: where walking by keyboard begins. */
async function selectFirst(context: Context): Promise<void> {
  const { state, engine } = context;
  const { start, end } = state.window;
  for (const lane of lanesWithin(state, 0, state.viewport.height)) {
    const op = await engine.ask('opAt', lane, start, ns(end - start));
    if (op !== null) {
      await selectOp(context, op, 'show');
      return;
    }
  }
  announce(context, say('no-op-in-view'), Changed.notice);
}

/** Where the selected op's data comes from, the latest last; of a kernel, the op that launched it. */
export function producersOf(details: OpDetails): OpRef[] {
  const inputs = details.inputs.flatMap((input) => (input.producer ? [input.producer] : []));
  const found = details.transfer?.producer ? [details.transfer.producer, ...inputs] : inputs;
  if (found.length === 0 && details.launched_by) return [details.launched_by];
  return unique(found).sort((a, b) => a.end_ns - b.end_ns);
}

/** Where the selected op's data goes to, the earliest first; where nothing used it, the kernels that it launched. */
export function consumersOf(details: OpDetails): OpRef[] {
  const found = [...(details.transfer?.consumers ?? []), ...details.consumers];
  return unique(found.length > 0 ? found : details.kernels).sort((a, b) => a.start_ns - b.start_ns);
}

const unique = (refs: OpRef[]): OpRef[] => [...new Map(refs.map((ref) => [ref.op, ref])).values()];

/** The details of the selected op: a key that is pressed while they are on their way waits for them. Null if there is no such op any more. */
async function selectedDetails({ state, engine }: Context): Promise<OpDetails | null> {
  const { selection } = state;
  if (!selection) return null;
  const details = selection.details ?? (await engine.ask('op', selection.op));
  return state.selection?.op === selection.op ? details : null;
}

/** Against (-1) the flow of data to the producer that came last, or along it (+1) to the consumer that came first. */
export async function followFlow(context: Context, step: 1 | -1): Promise<void> {
  const details = await selectedDetails(context);
  if (!details) return;
  const next = step > 0 ? consumersOf(details)[0] : producersOf(details).at(-1);
  if (next) await selectOp(context, next.op, 'show');
  else announce(context, step > 0 ? say('no-consumer') : say('no-producer'), Changed.notice);
}

/** Asks for the figures of the range; while it is being dragged, only the newest matters. */
function requestSplits(context: Context): void {
  const { state, frame, engine } = context;
  const query = scopeQuery(state, null);
  const asked = async () => {
    const answer = await engine.ask('range', query);
    if (state.range?.start !== query.start_ns || state.range.end !== query.end_ns) return;
    state.range_splits = answer;
    frame.invalidate(Changed.scope);
  };
  state.queues.range.add(asked, (thrown) => reportFailure(context, say('range-not-counted'), thrown));
}

/** Selects a range within the step, of some lanes or (null) of all; or none. */
export function setRange(context: Context, range: Window | null, lanes: Uint32Array | null = null): void {
  const span = ns(context.state.trace?.summary.span_ns ?? 0);
  putRange(context, range && within(range, { start: ns(0), end: span }), lanes);
}

/** The same of what may begin before the first op or end after the last, as what contains ops does; but not further than one can pan. */
export function setOuterRange(
  context: Context,
  range: Window | null,
  lanes: Uint32Array | null = null,
  tab: 'turn' | 'stay' = 'turn',
): void {
  putRange(context, range && within(range, bounds(context.state)), lanes, tab);
}

const within = (range: Window, limits: Window): Window => ({
  start: ns(Math.max(limits.start, Math.round(range.start))),
  end: ns(Math.min(limits.end, Math.round(range.end))),
});

function putRange(context: Context, range: Window | null, lanes: Uint32Array | null, tab: 'turn' | 'stay' = 'turn'): void {
  const { state, frame } = context;
  state.range = range && range.end > range.start ? range : null;
  state.range_lanes = state.range ? lanes : null;
  if (state.range) {
    requestSplits(context);
    if (tab === 'turn') turnDrawer(context, 'range');
  } else state.range_splits = null;
  frame.invalidate(Changed.scope);
  noteView(context);
}

/** Puts back the range, and what was selected, after a drag that is taken back. */
export function restoreRange(
  context: Context,
  { range, range_lanes, selection }: Pick<State, 'range' | 'range_lanes' | 'selection'>,
): void {
  context.state.selection = selection;
  setOuterRange(context, range, range_lanes);
  context.frame.invalidate(Changed.selection);
}

/** Clears one thing: the selected op, else the chosen device, else the range. False if there is none. */
export function clearNearest(context: Context): boolean {
  if (clearColors(context)) return true;
  const { selection, chosen_device: chosen, range } = context.state;
  if (selection) clearSelection(context);
  else if (chosen.device !== null) chooseDevice(context, EVERY_DEVICE);
  else if (range) setRange(context, null);
  return selection !== null || chosen.device !== null || range !== null;
}

/** Makes the selected op the range. */
export async function rangeOfSelection(context: Context): Promise<void> {
  const details = await selectedDetails(context);
  if (details) setOuterRange(context, { start: details.start_ns, end: details.end_ns });
}

/** Makes what is in view the range: so the keyboard reaches any. */
export function rangeOfView(context: Context): void {
  setRange(context, context.state.window);
}

/** What F frames: the selected op, else the range, else everything. */
export async function frameSelection(context: Context, fit: () => void): Promise<void> {
  const { selection, range } = context.state;
  const details = selection?.details ?? (selection && (await selectedDetails(context)));
  if (details) {
    showLane(context, details.lane);
    frameWindow(context, { start: details.start_ns, end: details.end_ns });
  } else if (range) frameWindow(context, range);
  else fit();
}

/** Shows which edge of an op an edge of the range has taken. */
export function showSnap({ state, frame }: Context, snap: Snap | null): void {
  if (state.snapped === snap) return;
  state.snapped = snap;
  frame.invalidate(Changed.scope);
}
