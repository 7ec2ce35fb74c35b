// Where tasks, devices and lanes are, from top to bottom, in CSS pixels of the scrolled area.
//
// A device's lanes come in two groups: those of its ops, tall enough for names, and below them those that are mainly
// for communication. Of these there are many, one for each transfer under way at the same time, so they are thin.
import type { DeviceId, DeviceSummary, LaneId } from '../engine/protocol';
import { clamp, lowerBound } from '../base/geom';

export const TASK_HEADER = 24;
/** A folded device, and the least height of one with few lanes: its name needs this. */
const MIN_BAND = 26;
const PADDING = 3;
/** Between the two groups of lanes. */
const GROUP_GAP = 4;
/** From this height on there is room for a label. */
export const LABEL_LANE = 13;

/** From one lane to the next, for ops and for communication; and how tall all of a device's communication may become. */
export interface Pitch {
  ops: number;
  communication: number;
  most: number;
}

/** From the tallest to the smallest; the index is the size that a user can choose. */
export const PITCHES: readonly Pitch[] = [
  { ops: 24, communication: 18, most: Infinity },
  { ops: 18, communication: 14, most: Infinity },
  { ops: 18, communication: 7, most: 280 },
  { ops: 17, communication: 5, most: 180 },
  { ops: 16, communication: 3, most: 120 },
  { ops: 16, communication: 2, most: 84 },
  { ops: 13, communication: 2, most: 60 },
  { ops: 9, communication: 2, most: 48 },
  { ops: 6, communication: 2, most: 36 },
  { ops: 4, communication: 2, most: 24 },
];

const TALL: Pitch = { ops: 18, communication: 14, most: Infinity };

/** An index into PITCHES, or what fits. */
export type LaneSize = number | 'auto';

/** A contiguous run of lanes that are all as tall as each other. */
interface Group {
  first_lane: LaneId;
  lanes: number;
  y: number;
  pitch: number;
}

export interface Band {
  device: DeviceId;
  first_lane: LaneId;
  lanes: number;
  y: number;
  height: number;
  folded: boolean;
  /** Ops, then communication; either may have no lanes. A folded device has its lanes squeezed into a strip. */
  groups: readonly [Group, Group];
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
  /** The size in use: an index into PITCHES. */
  size: number;
}

export const emptyLayout: Layout = { sections: [], bands: [], height: 0, lanes: 0, size: 0 };

export interface LayoutOptions {
  folded: ReadonlySet<DeviceId>;
  tall: ReadonlySet<DeviceId>;
  size: LaneSize;
  viewport_height: number;
}

/** How many screens a trace may take before its lanes get smaller. */
const SCREENS = 1.6;
/** Of the screen, for a trace that is small. */
const SPARE = 0.7;
/** Lanes do not get smaller for less than this: then it is not their height that makes the trace tall. */
const LEAST_SAVING = 1.25;

export function layoutOf(devices: readonly DeviceSummary[], options: LayoutOptions): Layout {
  if (options.size !== 'auto') return placed(devices, options, clamp(options.size, 0, PITCHES.length - 1));
  const smallest = placed(devices, options, PITCHES.length - 1);
  const room = Math.max(options.viewport_height * SCREENS, smallest.height * LEAST_SAVING);
  // The very tallest lanes only where they leave room to spare.
  const fits = (size: number) =>
    placed(devices, options, size).height <= (size === 0 ? options.viewport_height * SPARE : room);
  const fitting = PITCHES.findIndex((_, size) => fits(size));
  return fitting < 0 ? smallest : placed(devices, options, fitting);
}

function placed(devices: readonly DeviceSummary[], options: LayoutOptions, size: number): Layout {
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
    const pitch = options.tall.has(id) ? TALL : (PITCHES[size] ?? TALL);
    const band = bandOf(
      { device: id, first_lane, lanes: device.lanes, y },
      device.op_lanes,
      pitch,
      options.folded.has(id),
    );
    bands.push(band);
    section.bands.push(band);
    y += band.height;
    section.height = y - section.y;
    first_lane += device.lanes;
  });
  return { sections, bands, height: y, lanes: first_lane, size };
}

function bandOf(
  place: Pick<Band, 'device' | 'first_lane' | 'lanes' | 'y'>,
  op_lanes: number,
  pitch: Pitch,
  folded: boolean,
): Band {
  const { first_lane, lanes, y } = place;
  const rest = lanes - op_lanes;
  const gap = !folded && op_lanes > 0 && rest > 0 ? GROUP_GAP : 0;
  // Below one pixel a lane is drawn over its neighbours, and still drawn.
  const fair = Math.min(pitch.communication, pitch.most / Math.max(rest, 1));
  const thin = fair >= 2 ? Math.floor(fair) : fair;
  // A device with a lane or two gets the height that its name needs anyway.
  const room = MIN_BAND - 2 * PADDING - gap;
  const squeezed = room / Math.max(lanes, 1);
  const few = !folded && op_lanes * pitch.ops + rest * thin < room;
  const height_of = (wanted: number) =>
    folded ? squeezed : few ? Math.min(Math.max(wanted, squeezed), LABEL_LANE + 3) : wanted;
  const ops: Group = { first_lane, lanes: op_lanes, y: y + PADDING, pitch: height_of(pitch.ops) };
  const below = ops.y + ops.lanes * ops.pitch + gap;
  const communication: Group = { first_lane: first_lane + op_lanes, lanes: rest, y: below, pitch: height_of(thin) };
  const height = folded ? MIN_BAND : Math.max(MIN_BAND, below + rest * communication.pitch + PADDING - y);
  return { ...place, folded, height: Math.ceil(height), groups: [ops, communication] };
}

export interface LaneBox {
  y: number;
  height: number;
}

/** Where the marks of `lane` are drawn. The pixel that is left empty below them is what tells lanes apart. */
export function laneBox(band: Band, lane: LaneId): LaneBox {
  const [ops, communication] = band.groups;
  const group = lane < communication.first_lane ? ops : communication;
  const gap = group.pitch >= 3 ? 1 : 0;
  return { y: group.y + (lane - group.first_lane) * group.pitch, height: Math.max(1, group.pitch - gap) };
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
  for (const group of bandAt(layout, y)?.groups ?? []) {
    const index = Math.floor((y - group.y) / group.pitch);
    if (index >= 0 && index < group.lanes) return group.first_lane + index;
  }
  return null;
}

/** The lanes of which anything lies in [top, bottom), ascending. */
export function lanesWithin(layout: Layout, top: number, bottom: number): Uint32Array {
  const lanes: number[] = [];
  for (const band of layout.bands) {
    if (band.y >= bottom || band.y + band.height <= top) continue;
    for (const group of band.groups) {
      const from = Math.max(0, Math.floor((top - group.y) / group.pitch));
      const to = Math.min(group.lanes, Math.ceil((bottom - group.y) / group.pitch));
      for (let index = from; index < to; index++) lanes.push(group.first_lane + index);
    }
  }
  return Uint32Array.from(lanes);
}

/** Whether the lanes of the device's ops have room for names. */
export const hasLabels = (band: Band): boolean =>
  band.groups[0].pitch >= LABEL_LANE && (band.groups[1].lanes === 0 || band.groups[1].pitch >= LABEL_LANE);
