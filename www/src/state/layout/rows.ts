// Which devices are shown and in what order: what the user hid, pinned, moved, filtered and folded.
//
// A device keeps its DeviceId wherever it is shown. `Rows` is replaced whole when anything in it changes, so that the
// history can keep it as it was.
import { filterOf as textFilter } from '../../base/filter';
import { placeLabel } from '../../base/names';
import type { Arrangement, DeviceId, DeviceSummary } from '../../engine/protocol';
import type { LaneSize } from './pitch';
import { isAside, membersOf } from './units';

export interface Rows {
  /** All devices from top to bottom, or null for the order of the trace. */
  readonly order: readonly DeviceId[] | null;
  readonly hidden: ReadonlySet<DeviceId>;
  /** From top to bottom: they stay visible while the others scroll. */
  readonly pinned: readonly DeviceId[];
  /** Only devices whose name holds this are shown, and those that are pinned. */
  readonly filter: string;
  /** Shown as one strip each. */
  readonly folded: ReadonlySet<DeviceId>;
  /** Whose lanes are as tall as labels need, whatever the size chosen for all. */
  readonly tall: ReadonlySet<DeviceId>;
  /** Whose transfers have lanes of their own; those of the others are drawn together, as one band. */
  readonly opened: ReadonlySet<DeviceId>;
  readonly lane_size: LaneSize;
  /** What lanes are to be arranged by; the core needs a moment until they are. */
  readonly arranged_by: Arrangement;
}

export const ALL_ROWS: Rows = {
  order: null,
  hidden: new Set(),
  pinned: [],
  filter: '',
  folded: new Set(),
  tall: new Set(),
  opened: new Set(),
  lane_size: 'auto',
  arranged_by: 'packed',
};

/** The rows as a trace opens: what is no work is folded away until it is asked for; `transfers_open` is what the user chose for all devices. */
export function firstRows(devices: readonly DeviceSummary[], transfers_open: boolean): Rows {
  const aside = devices.flatMap((own, device) => (isAside(own) ? [device] : []));
  // Of a recording of nothing else it is what there is to see.
  if (aside.length === devices.length) aside.length = 0;
  return { ...ALL_ROWS, folded: new Set(aside), opened: new Set(transfers_open ? devices.keys() : []) };
}

export interface Shown {
  pinned: DeviceId[];
  scrolled: DeviceId[];
}

/** Every device of a trace with `count` of them, from top to bottom as if none were hidden. */
export function orderOf(rows: Rows, count: number): DeviceId[] {
  const known = [...new Set(rows.order ?? [])].filter((device) => device < count);
  if (known.length === count) return known;
  const moved = new Set(known);
  for (let device = 0; device < count; device++) if (!moved.has(device)) known.push(device);
  return known;
}

export function shownOf(devices: readonly DeviceSummary[], rows: Rows): Shown {
  const leads = (device: DeviceId) => membersOf(devices, device).length > 0;
  const pinned = rows.pinned.filter((device) => leads(device) && !rows.hidden.has(device));
  const sticking = new Set(pinned);
  const fits = filterOf(rows.filter);
  const scrolled = orderOf(rows, devices.length).filter((device) => {
    const names = membersOf(devices, device).map((member) => devices[member]?.name ?? '');
    return !sticking.has(device) && !rows.hidden.has(device) && names.some(fits);
  });
  return { pinned, scrolled };
}

/** Which devices a filter keeps, by their names as recorded and as the page shows them. */
export function filterOf(filter: string): (name: string) => boolean {
  const keeps = textFilter(filter);
  return (recorded) => keeps([recorded, placeLabel(recorded)]);
}

/** The rows with `device` shown and unfolded; the same object where it is so already. */
export function revealed(rows: Rows, device: DeviceId, name: string): Rows {
  const without = (set: ReadonlySet<DeviceId>) => new Set([...set].filter((other) => other !== device));
  let shown = rows;
  if (rows.hidden.has(device)) shown = { ...shown, hidden: without(rows.hidden) };
  if (rows.folded.has(device)) shown = { ...shown, folded: without(rows.folded) };
  const filtered = !rows.pinned.includes(device) && !filterOf(rows.filter)(name);
  return filtered ? { ...shown, filter: '' } : shown;
}

/** `order` with `moving` (in the order in which they stand there) taken out and put before `target`, or at the end. */
export function movedBefore(order: readonly DeviceId[], moving: readonly DeviceId[], target: DeviceId | null): DeviceId[] {
  const taken = new Set(moving);
  const rest = order.filter((device) => !taken.has(device));
  const block = order.filter((device) => taken.has(device));
  const at = target === null ? -1 : rest.indexOf(target);
  rest.splice(at < 0 ? rest.length : at, 0, ...block);
  return rest;
}

/** Before which device a block has to go to pass its neighbour above (-1) or below (+1); undefined at the edge. */
export function targetPast(blocks: readonly (readonly DeviceId[])[], block: number, step: 1 | -1): DeviceId | null | undefined {
  if (block < 0 || !blocks[block + step]) return undefined;
  return step < 0 ? blocks[block - 1]?.[0] : (blocks[block + 2]?.[0] ?? null);
}

/** The set with `member` added, or taken out if it is there. */
export function toggled<T>(set: ReadonlySet<T>, member: T): Set<T> {
  const changed = new Set(set);
  if (!changed.delete(member)) changed.add(member);
  return changed;
}
