// What the user did with devices, by their names: another step has other devices, and the same ones with other ids.
import type { DeviceId, DeviceSummary } from '../../engine/protocol';
import { orderOf, type Rows } from './rows';
import { leaderOf, membersOf } from './units';

export interface NamedRows {
  order: readonly string[] | null;
  hidden: readonly string[];
  pinned: readonly string[];
  folded: readonly string[];
  tall: readonly string[];
  opened: readonly string[];
}

export const NO_NAMED_ROWS: NamedRows = { order: null, hidden: [], pinned: [], folded: [], tall: [], opened: [] };

type Devices = readonly Pick<DeviceSummary, 'name' | 'accelerator'>[];

/** What `rows` say of `devices`; of devices that are not among them, `before` still holds. */
export function namedRows(rows: Rows, devices: Devices, before: NamedRows): NamedRows {
  const here = new Set(devices.map(({ name }) => name));
  const named = (ids: Iterable<DeviceId>, elsewhere: readonly string[]) => [
    // Another step may lack the device that leads a unit, and have the others of it.
    ...[...ids].flatMap((id) => membersOf(devices, id)).flatMap((id) => devices[id]?.name ?? []),
    ...elsewhere.filter((name) => !here.has(name)),
  ];
  return {
    order: rows.order && named(orderOf(rows, devices.length), before.order ?? []),
    hidden: named(rows.hidden, before.hidden),
    pinned: named(rows.pinned, before.pinned),
    folded: named(rows.folded, before.folded),
    tall: named(rows.tall, before.tall),
    opened: named(rows.opened, before.opened),
  };
}

/** The same of `devices` by their ids; what is not about devices stays as in `rows`. */
export function rowsOf(named: NamedRows, devices: Devices, rows: Rows): Rows {
  const ids = new Map(devices.map(({ name }, id) => [name, id]));
  const idsOf = (names: readonly string[]): DeviceId[] => [
    ...new Set(names.flatMap((name) => ids.get(name) ?? []).map((device) => leaderOf(devices, device))),
  ];
  const order = named.order && idsOf(named.order);
  return {
    ...rows,
    order: order && order.length > 0 ? order : null,
    hidden: new Set(idsOf(named.hidden)),
    pinned: idsOf(named.pinned),
    folded: new Set(idsOf(named.folded)),
    tall: new Set(idsOf(named.tall)),
    opened: new Set(idsOf(named.opened)),
  };
}
