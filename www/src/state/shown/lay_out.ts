// Lays the devices out anew, after anything that says where rows are has changed.
import { clamp } from '../../base/geom';
import { Changed } from '../frame';
import { layoutOf } from '../layout/layout';
import type { Context, State } from '../state';
import { countersByDevice } from './counter_rows';
import { devicesWithMemory } from './memory_accounts';

export const lowestScroll = ({ layout, viewport }: State): number => Math.max(0, layout.height - viewport.height);

/** Null while all lanes are shown. They have other numbers once they are arranged otherwise. */
export const lanesUsed = ({ lanes_used: used, lanes }: State): Uint8Array | null => (used?.of === lanes ? used.by_lane : null);

export function layOut(context: Context): void {
  const { state, frame } = context;
  if (!state.trace) return;
  const { devices } = state.trace.summary;
  const { lanes, rows, viewport } = state;
  const memory = devicesWithMemory(state);
  const counters = countersByDevice(state);
  state.layout = layoutOf({ devices, lanes, rows, viewport_height: viewport.height, memory, counters, used: lanesUsed(state) });
  state.scroll_y = clamp(state.scroll_y, 0, lowestScroll(state));
  state.hover = null;
  frame.invalidate(Changed.layout, Changed.view, Changed.hover);
}
