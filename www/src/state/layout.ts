// Where tasks, devices and lanes are, from top to bottom, in CSS pixels of the scrolled area.
import type { DeviceId, DeviceSummary, LaneId } from '../engine/protocol';
import { lowerBound } from '../base/geom';

export const TASK_HEADER = 24;
/** A folded device, and the least height of one with few lanes: its name needs this. */
const MIN_BAND = 26;
const BAND_PADDING = 3;
/** The share of a lane that is left empty below its marks is what tells lanes apart. */
export const LANE_GAP = 1;
/** From this height on there is room for a label. */
export const LABEL_LANE = 13;
export const LANE_HEIGHTS = [20, 16, 13, 10, 8, 6, 5] as const;
export const TALL_LANE = 16;

export interface Band {
  device: DeviceId;
  first_lane: LaneId;
  lanes: number;
  y: number;
  height: number;
  folded: boolean;
  /** From one lane to the next; below 1 where a folded device has many. */
  pitch: number;
}

export interface Section {
  /** Null for devices that name no task. */
  task: string | null;
  y: number;
  height: number;
  bands: Band[];
}

export interface Layout {
  sections: Section[];
  /** By DeviceId, which is also the order from top to bottom. */
  bands: Band[];
  height: number;
  lanes: number;
}

export const emptyLayout: Layout = { sections: [], bands: [], height: 0, lanes: 0 };

export interface LayoutOptions {
  folded: ReadonlySet<DeviceId>;
  tall: ReadonlySet<DeviceId>;
  lane_height: number | 'auto';
  viewport_height: number;
}

export function layoutOf(devices: readonly DeviceSummary[], options: LayoutOptions): Layout {
  return placed(devices, options, options.lane_height === 'auto' ? fittingHeight(devices, options) : options.lane_height);
}

/** The tallest lanes with which the whole trace needs little scrolling; the smallest where none does. */
function fittingHeight(devices: readonly DeviceSummary[], options: LayoutOptions): number {
  const room = options.viewport_height * 1.3;
  const smallest = LANE_HEIGHTS[LANE_HEIGHTS.length - 1] ?? 5;
  return LANE_HEIGHTS.find((height) => placed(devices, options, height).height <= room) ?? smallest;
}

function placed(devices: readonly DeviceSummary[], options: LayoutOptions, lane_height: number): Layout {
  const sections: Section[] = [];
  const bands: Band[] = [];
  let first_lane = 0;
  let y = 0;
  devices.forEach((device, id) => {
    let section = sections[sections.length - 1];
    if (!section || section.task !== device.task) {
      section = { task: device.task, y, height: 0, bands: [] };
      sections.push(section);
      y += TASK_HEADER;
    }
    const folded = options.folded.has(id);
    const wanted = options.tall.has(id) ? Math.max(lane_height, TALL_LANE) : lane_height;
    const height = folded ? MIN_BAND : Math.max(MIN_BAND, device.lanes * wanted + 2 * BAND_PADDING);
    // A device with a single lane gets the room that its name needs anyway.
    const pitch = folded ? (height - 2 * BAND_PADDING) / Math.max(device.lanes, 1) : Math.max(wanted, Math.min(TALL_LANE, (height - 2 * BAND_PADDING) / Math.max(device.lanes, 1)));
    const band: Band = { device: id, first_lane, lanes: device.lanes, y, height, folded, pitch };
    bands.push(band);
    section.bands.push(band);
    y += height;
    section.height = y - section.y;
    first_lane += device.lanes;
  });
  return { sections, bands, height: y, lanes: first_lane };
}

export interface LaneBox {
  y: number;
  height: number;
}

/** Where the marks of `lane` are drawn. */
export function laneBox(band: Band, lane: LaneId): LaneBox {
  const y = band.y + BAND_PADDING + (lane - band.first_lane) * band.pitch;
  const gap = band.pitch >= 4 ? LANE_GAP : 0;
  return { y, height: Math.max(1, band.pitch - gap) };
}

export function bandOfLane(layout: Layout, lane: LaneId): Band | undefined {
  const after = lowerBound(0, layout.bands.length, lane + 1, (index) => layout.bands[index]?.first_lane ?? Infinity);
  return layout.bands[after - 1];
}

export function bandAt(layout: Layout, y: number): Band | undefined {
  const after = lowerBound(0, layout.bands.length, y + 1e-6, (index) => layout.bands[index]?.y ?? Infinity);
  const band = layout.bands[after - 1];
  return band && y < band.y + band.height ? band : undefined;
}

/** The lane at `y`, or null between lanes. */
export function laneAt(layout: Layout, y: number): LaneId | null {
  const band = bandAt(layout, y);
  if (!band || band.lanes === 0) return null;
  const index = Math.floor((y - band.y - BAND_PADDING) / band.pitch);
  return index >= 0 && index < band.lanes ? band.first_lane + index : null;
}

/** The lanes of which anything lies in [top, bottom). */
export function lanesWithin(layout: Layout, top: number, bottom: number): Uint32Array {
  const lanes: number[] = [];
  for (const band of layout.bands) {
    if (band.y >= bottom || band.y + band.height <= top) continue;
    const from = Math.max(0, Math.floor((top - band.y - BAND_PADDING) / band.pitch));
    const to = Math.min(band.lanes, Math.ceil((bottom - band.y - BAND_PADDING) / band.pitch));
    for (let index = from; index < to; index++) lanes.push(band.first_lane + index);
  }
  return Uint32Array.from(lanes);
}
