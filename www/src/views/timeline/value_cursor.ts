// The values under the pointer's line: how many bytes are alive on each device.
import { formatBytes } from '../../base/format';
import { TimeScale } from '../../base/time_scale';
import { readingPlate } from '../../draw/overlay';
import { drawPlate } from '../../draw/shapes';
import { STRIP_COLUMN_PX } from '../../engine/protocol';
import type { Band } from '../../state/layout/layout';
import { bandsInSight, topOf, uncovered } from '../../state/layout/sight';
import { laneAccounts } from '../../state/shown/memory_accounts';
import { timeScale } from '../../state/shown/view';
import type { Context, State } from '../../state/state';
import { paletteOf } from '../../state/ui/theme';
import type { Surface } from '../shared/canvas';

interface Reading {
  text: string;
  /** The middle of what it is about. */
  y: number;
}

function memoryOf(state: State, band: Band, at_ns: number): Reading[] {
  const { memory } = band;
  const lanes = state.memory_lanes;
  if (!memory || !lanes) return [];
  const shown = laneAccounts(state);
  const device = band.devices.find((one) => shown.has(one));
  const account = device === undefined ? undefined : shown.get(device);
  const { accounts, start_ns, end_ns, width_px } = lanes.query;
  const row = account === undefined ? -1 : accounts.indexOf(account);
  const count = lanes.columns.length / Math.max(accounts.length, 1);
  const column = Math.floor(new TimeScale({ start: start_ns, end: end_ns }, width_px).toPx(at_ns) / STRIP_COLUMN_PX);
  const bytes = row < 0 || column < 0 || column >= count ? 0 : (lanes.columns[row * count + column] ?? 0);
  return bytes > 0 ? [{ text: formatBytes(bytes), y: memory.y + memory.height / 2 }] : [];
}

/** Next to the line, on the side where the tooltip is not. */
export function paintReadings({ state }: Context, { context: canvas, width }: Surface): void {
  const { hover_x } = state;
  if (hover_x === null) return;
  const theme = paletteOf(state);
  const at_ns = timeScale(state).toNs(hover_x);
  for (const band of bandsInSight(state)) {
    const top = topOf(state, band);
    for (const { text, y } of memoryOf(state, band, at_ns)) {
      if (uncovered(state, band, top + y - 1, 1).height < 1) continue;
      drawPlate(canvas, readingPlate(canvas, text, hover_x, top + y, width, theme), theme.raised, theme.text, theme.line);
    }
  }
}
