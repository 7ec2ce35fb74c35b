// The lanes of live bytes under the devices, as they are drawn on the canvas of the timeline.
import { drawnWindow } from '../../state/shown/glide';
import { formatBytes } from '../../base/format';
import { say } from '../../base/messages';
import { TimeScale, transformBetween } from '../../base/time_scale';
import { drawLaneName, drawMemoryLanes, type MemoryLanePlace } from '../../draw/memory';
import { bandsInSight, topOf, uncovered } from '../../state/layout/sight';
import { laneAccounts, laneReading } from '../../state/shown/memory_accounts';
import type { Context } from '../../state/state';
import { paletteOf } from '../../state/ui/theme';
import type { Surface } from '../shared/canvas';

/** Free above the highest column, in CSS pixels. */
const AIR = 3;

/** Draws nothing, and costs nothing, while they are not shown. */
export function paintMemory({ state }: Context, { context: canvas, element, ratio }: Surface): void {
  const { memory_lanes: lanes } = state;
  const reading = laneReading(state);
  if (!state.memory_shown || !reading) return;
  const theme = paletteOf(state);
  const shown = laneAccounts(state);
  const places: MemoryLanePlace[] = [];
  const names: { text: string; y: number }[] = [];
  for (const band of bandsInSight(state)) {
    const { memory } = band;
    const device = band.devices.find((one) => shown.has(one));
    const account = device === undefined ? undefined : shown.get(device);
    if (!memory || account === undefined) continue;
    const top = topOf(state, band) + memory.y;
    // What pinned devices cover even in part is not drawn: it is a lane of its own, and low.
    if (uncovered(state, band, top, memory.height).height < memory.height) continue;
    const { allocator, peak_bytes } = reading.accounts[account]!;
    places.push({ account, y: (top + AIR) * ratio, height: (memory.height - AIR - 1) * ratio, peak_bytes });
    names.push({ text: say('memory-lane', { allocator: allocator || say('memory-word'), peak: formatBytes(peak_bytes) }), y: top });
  }
  if (lanes && lanes.query.reading === reading.reading) {
    const { start_ns, end_ns, width_px } = lanes.query;
    const from = new TimeScale({ start: start_ns, end: end_ns }, width_px);
    const place = transformBetween(from, new TimeScale(drawnWindow(state), element.width));
    canvas.setTransform(1, 0, 0, 1, 0, 0);
    drawMemoryLanes(canvas, lanes, places, place, theme);
    canvas.setTransform(ratio, 0, 0, ratio, 0, 0);
  }
  for (const { text, y } of names) drawLaneName(canvas, text, y, theme);
}
