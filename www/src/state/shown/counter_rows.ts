// Which counters there are, under which device each stands, and what it is called.
import type { CounterRow, Counters, DeviceId } from '../../engine/protocol';
import { answerTo, ofShown } from '../figures';
import { shownOf } from '../layout/rows';
import type { State } from '../state';

/** The counters of what is shown; null until the core has said so. */
export const countersOf = (state: State): Counters | null => answerTo(state, { verb: 'counters', of: ofShown });

/** By `CounterRow.counter`. */
export const counterAt = (state: State, counter: number): CounterRow | null => countersOf(state)?.counters[counter] ?? null;

/** The counters under each device. Those of processes without ops stand under the last device. */
export function countersByDevice(state: State): ReadonlyMap<DeviceId, readonly number[]> {
  const by_device = new Map<DeviceId, number[]>();
  const rows = countersOf(state)?.counters ?? [];
  if (rows.length === 0 || !state.trace) return by_device;
  const { pinned, scrolled } = shownOf(state.trace.summary.devices, state.rows);
  const last = scrolled[scrolled.length - 1] ?? pinned[pinned.length - 1] ?? 0;
  for (const { counter, device_id } of rows) {
    const device = device_id ?? last;
    const before = by_device.get(device);
    if (before) before.push(counter);
    else by_device.set(device, [counter]);
  }
  return by_device;
}

/** What the lane of a counter is called: one series with the name of its counter says nothing more. */
export function counterName({ name, series, process }: CounterRow): string {
  const own = name === series || series === '' ? name : `${name} · ${series}`;
  return process === null || process === '' ? own : `${process} · ${own}`;
}
