// What the user does with devices: fold, hide, pin, move and filter them, and choose how tall lanes are.
import { say } from '../../base/messages';
import { clamp } from '../../base/geom';
import type { Arrangement, DeviceId } from '../../engine/protocol';
import { Changed } from '../frame';
import { noteView } from './history';
import { layOut } from './lay_out';
import { TASK_HEADER } from '../layout/layout';
import { PITCHES, type LaneSize } from '../layout/pitch';
import { ALL_ROWS, movedBefore, orderOf, targetPast, toggled, type Rows } from '../layout/rows';
import { topOf } from '../layout/sight';
import { announce, type Context, type State } from '../state';
import { keep } from '../ui/preferences';
import { rowCount, unitWords } from '../layout/units';
import { scrollTo } from './view';

const placeOf = ({ state }: Context, device: DeviceId): string => (state.trace ? unitWords(state.trace.summary, device).place : '');

/** Changes the rows, and keeps the device at the top of what scrolls where it is. */
export function changeRows(context: Context, change: Partial<Rows>): void {
  const { state } = context;
  const { layout, scroll_y } = state;
  const anchor = layout.bands.find((band) => band.y + band.height > scroll_y + layout.pinned_height + TASK_HEADER);
  const offset = anchor ? topOf(state, anchor) - layout.pinned_height : 0;
  state.rows = { ...state.rows, ...change };
  layOut(context);
  const moved = anchor && state.layout.by_device[anchor.device];
  if (moved && !moved.pinned && scroll_y > 0) {
    const start = moved.y - state.layout.pinned_height;
    scrollTo(context, Math.min(start - offset, start + moved.height - TASK_HEADER));
  }
  noteView(context);
}

export function toggleFold(context: Context, device: DeviceId): void {
  changeRows(context, { folded: toggled(context.state.rows.folded, device) });
}

export function toggleTall(context: Context, device: DeviceId): void {
  const { folded, tall } = context.state.rows;
  const open = new Set(folded);
  open.delete(device);
  changeRows(context, { folded: open, tall: toggled(tall, device) });
}

/** Gives the transfers of a device lanes of their own, or draws them together. */
export function toggleTransfers(context: Context, device: DeviceId): void {
  const { folded, opened } = context.state.rows;
  const open = new Set(folded);
  open.delete(device);
  changeRows(context, { folded: open, opened: toggled(opened, device) });
  const words = context.state.rows.opened.has(device) ? 'transfers-opened' : 'transfers-closed';
  announce(context, say(words, { what: placeOf(context, device) }), Changed.notice);
}

/** The same of every device that is shown, and of traces that are opened after this one. */
export function toggleAllTransfers(context: Context): void {
  const { state } = context;
  const { pinned, bands } = state.layout;
  const devices = [...pinned, ...bands].map((band) => band.device);
  state.transfers_open = !devices.every((device) => state.rows.opened.has(device));
  keep('transfers-open', state.transfers_open ? 'yes' : 'no');
  changeRows(context, { opened: new Set(state.transfers_open ? devices : []) });
  const what = say('devices', { count: devices.length });
  announce(context, say(state.transfers_open ? 'transfers-opened' : 'transfers-closed', { what }), Changed.notice);
}

/** Folds `devices`; if they are folded already, unfolds them. */
export function foldTogether(context: Context, devices: readonly DeviceId[]): void {
  const folded = new Set(context.state.rows.folded);
  const all = devices.every((device) => folded.has(device));
  for (const device of devices)
    if (all) folded.delete(device);
    else folded.add(device);
  changeRows(context, { folded });
}

/** Every device that is shown. */
export function foldAll(context: Context): void {
  const { pinned, bands } = context.state.layout;
  foldTogether(
    context,
    [...pinned, ...bands].map((band) => band.device),
  );
}

export function setLaneSize(context: Context, lane_size: LaneSize): void {
  changeRows(context, { lane_size });
}

/** One size up (+1) or down (-1) from the lanes as they are now. */
export function stepLaneSize(context: Context, step: 1 | -1): void {
  setLaneSize(context, clamp(context.state.layout.size - step, 0, PITCHES.length - 1));
}

export function arrangeBy(context: Context, arranged_by: Arrangement): void {
  changeRows(context, { arranged_by });
}

/** How many rows are shown. */
export const shownRows = ({ layout }: State): number => layout.pinned.length + layout.bands.length;

export function setFilter(context: Context, filter: string): void {
  if (filter === context.state.rows.filter) return;
  changeRows(context, { filter });
  const total = rowCount(context.state.trace?.summary.devices ?? []);
  announce(context, say('rows-of', { shown: String(shownRows(context.state)), count: total }), Changed.notice);
}

export function hide(context: Context, devices: readonly DeviceId[]): void {
  const { hidden } = context.state.rows;
  changeRows(context, { hidden: new Set([...hidden, ...devices]) });
  const [only] = devices;
  const what = devices.length === 1 && only !== undefined ? placeOf(context, only) : say('devices', { count: devices.length });
  announce(context, say('hidden-what', { what }), Changed.notice);
}

export function showHidden(context: Context): void {
  const { size } = context.state.rows.hidden;
  changeRows(context, { hidden: ALL_ROWS.hidden });
  announce(context, say('devices-shown-again', { devices: say('devices', { count: size }) }), Changed.notice);
}

/** Pins a device below those that are pinned, or lets it go back to its place. */
export function togglePin(context: Context, device: DeviceId): void {
  const { pinned } = context.state.rows;
  const was = pinned.includes(device);
  changeRows(context, { pinned: was ? pinned.filter((other) => other !== device) : [...pinned, device] });
  announce(context, say(was ? 'unpinned-what' : 'pinned-what', { what: placeOf(context, device) }), Changed.notice);
}

/** Pins all of `devices`, in their order. */
export function pinAll(context: Context, devices: readonly DeviceId[]): void {
  const { pinned } = context.state.rows;
  changeRows(context, { pinned: [...pinned, ...devices.filter((device) => !pinned.includes(device))] });
  announce(context, say('pinned-what', { what: say('devices', { count: devices.length }) }), Changed.notice);
}

/** Puts devices before `target`, or below all others; pinned ones among the pinned. */
export function moveBefore(context: Context, devices: readonly DeviceId[], target: DeviceId | null): void {
  const { state } = context;
  const { rows } = state;
  const pinned = devices.every((device) => rows.pinned.includes(device));
  if (pinned) changeRows(context, { pinned: movedBefore(rows.pinned, devices, target) });
  else {
    const order = orderOf(rows, state.trace?.summary.devices.length ?? 0);
    changeRows(context, { order: movedBefore(order, devices, target) });
  }
  const [first] = devices;
  if (first === undefined) return;
  const place = (pinned ? state.layout.pinned : state.layout.bands).findIndex((band) => band.device === first) + 1;
  const among = pinned ? state.layout.pinned.length : state.layout.bands.length;
  announce(context, say('device-moved-to', { device: placeOf(context, first), place: String(place), all: String(among) }), Changed.notice);
}

/** One place up (-1) or down (+1) among what is shown; over the edge of its task, past the whole neighbouring task. */
export function moveOne(context: Context, device: DeviceId, step: 1 | -1): void {
  const { layout } = context.state;
  const stuck = layout.by_device[device]?.pinned === true;
  const sections = layout.sections.map(({ bands }) => bands.map((band) => band.device));
  const own = sections.findIndex((section) => section.includes(device));
  const atEdge = !stuck && sections[own]?.at(step > 0 ? -1 : 0) === device;
  const singles = (stuck ? layout.pinned : layout.bands).map((band) => [band.device]);
  const target = atEdge
    ? targetPast(sections, own, step)
    : targetPast(
        singles,
        singles.findIndex(([other]) => other === device),
        step,
      );
  if (target !== undefined) moveBefore(context, [device], target);
}

/** All of a task's devices past the task above (-1) or below (+1). */
export function moveSection(context: Context, section: number, step: 1 | -1): void {
  const sections = context.state.layout.sections.map(({ bands }) => bands.map((band) => band.device));
  const devices = sections[section];
  const target = targetPast(sections, section, step);
  if (devices && target !== undefined) moveBefore(context, devices, target);
}
