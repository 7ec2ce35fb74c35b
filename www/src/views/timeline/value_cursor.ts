// The values under the pointer's line: how many transfers are in flight, how many ops of folded devices, and how many bytes are alive.
import { formatAverage, formatBytes } from '../../base/format';
import { say } from '../../base/messages';
import { TimeScale } from '../../base/time_scale';
import { readingPlate } from '../../draw/overlay';
import { drawPlate } from '../../draw/shapes';
import { COLORS, STRIP_COLUMN_PX, STRIP_PARTS, type DeviceId, type Marks } from '../../engine/protocol';
import type { Band } from '../../state/layout/layout';
import { bandsInSight, topOf, uncovered } from '../../state/layout/sight';
import { laneAccounts } from '../../state/shown/memory_accounts';
import { scaleOf } from '../../state/shown/marks';
import { timeScale } from '../../state/shown/view';
import type { Context, State } from '../../state/state';
import { paletteOf } from '../../state/ui/theme';
import type { Surface } from '../shared/canvas';

interface Reading {
  text: string;
  /** The middle of what it is about. */
  y: number;
}

/** How many ops, and how many transfers and the like, are in flight in the column of a device's strip at a time; null where no strip is at hand. */
function inFlightOf({ query, strips }: Marks, device: DeviceId, at_ns: number): { work: number; transfers: number } | null {
  const row = query.strips.indexOf(device);
  const column = Math.floor(scaleOf(query).toPx(at_ns) / STRIP_COLUMN_PX);
  const columns = Math.ceil(query.width_px / STRIP_COLUMN_PX);
  if (row < 0 || column < 0 || column >= columns) return null;
  const at = (row * columns + column) * STRIP_PARTS;
  const sum = (from: number) => strips.subarray(from, from + COLORS).reduce((all, average) => all + average, 0);
  return { work: sum(at), transfers: sum(at + COLORS) };
}

function densityOf(band: Band, marks: Marks, at_ns: number): Reading[] {
  const in_flight = inFlightOf(marks, band.device, at_ns);
  if (!in_flight) return [];
  const { work, transfers } = in_flight;
  const known = (id: 'tip-in-flight' | 'tip-transfers-in-flight', count: number) =>
    count > 0 ? [say(id, { count, average: formatAverage(count) })] : [];
  const of_transfers = known('tip-transfers-in-flight', transfers);
  const readings: Reading[] = [];
  if (band.strip) {
    const texts = band.closed ? known('tip-in-flight', work) : [...known('tip-in-flight', work), ...of_transfers];
    readings.push({ text: texts.join(' · '), y: band.strip.y + band.strip.height / 2 });
  }
  if (band.closed) readings.push({ text: of_transfers.join(''), y: band.closed.y + band.closed.height / 2 });
  return readings;
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
export function paintReadings({ state }: Context, { context: canvas, width }: Surface, marks: Marks | null): void {
  const { hover_x } = state;
  if (hover_x === null || !marks) return;
  const theme = paletteOf(state);
  const at_ns = timeScale(state).toNs(hover_x);
  for (const band of bandsInSight(state)) {
    const top = topOf(state, band);
    for (const { text, y } of [...densityOf(band, marks, at_ns), ...memoryOf(state, band, at_ns)]) {
      if (text === '' || uncovered(state, band, top + y - 1, 1).height < 1) continue;
      drawPlate(canvas, readingPlate(canvas, text, hover_x, top + y, width, theme), theme.raised, theme.text, theme.line);
    }
  }
}
