// Where tasks, devices and lanes are, from top to bottom, in CSS pixels.
//
// A device's lanes come in groups. Packed, there are two: those of its ops, tall enough for names, and below them those
// of its communication; of these there are many, one for each transfer under way at the same time. So transfers are
// closed at first: one band that shows how many are in flight, or, where those in view are few enough to have names,
// each of them. Arranged otherwise, a group holds the lanes of one thread, op type or name scope, and has a name. A GPU
// that is several devices is one band, and each of these at least a group.
//
// A task has a header only where several of its devices are shown: one device says itself whose it is. Where no device names a task, there is none.
import type { Arrangement, DeviceId, DeviceSummary, LaneGroup, LaneId } from '../../engine/protocol';
import { clamp } from '../../base/geom';
import {
  FEW_LANES,
  grownPitch,
  LABEL_LANE,
  mostGrowth,
  pitchOf,
  PITCHES,
  READABLE,
  SMALLEST,
  SMALLEST_NAMED,
  TALL,
  type Pitch,
} from './pitch';
import { shownOf, type Rows } from './rows';
import { hasStreamDevices, membersOf, streamLabel } from './units';

export const TASK_HEADER = 24;
/** A folded device, and the least height of one with few lanes: its name needs this. */
export const MIN_BAND = 26;
const PADDING = 3;
/** The lane of live bytes under a device. */
export const MEMORY_HEIGHT = 30;
/** The lane of a counter under a device. */
export const COUNTER_HEIGHT = 32;
/** More counters of one device than this are counted, and have no lanes. */
const MOST_COUNTERS = 200;
const STRIP: LaneBox = { y: PADDING, height: MIN_BAND - 2 * PADDING };
/** Of the strip of a device that computes and communicates: the transfers' part, below a gap of one pixel. */
const STRIP_TRANSFERS = 6;
/** Transfers that are closed begin no higher than this: the name of the device stands there. */
const HEAD = 23;
/** Between groups of lanes. */
const GROUP_GAP = 4;
const NAMED_GAP = 2;
/** The least height of a group with a name, where lanes are tall enough for names. */
const NAMED_GROUP = 15;

/** The lanes of every device as they are numbered now: over all devices in order. */
export interface Lanes {
  readonly by: Arrangement;
  /** By DeviceId. */
  readonly groups: readonly (readonly LaneGroup[])[];
}

/** A contiguous run of lanes that are all as tall as each other. */
export interface Group {
  name: string;
  kind: LaneGroup['kind'];
  first_lane: LaneId;
  lanes: number;
  /** From the top of its band. */
  y: number;
  pitch: number;
}

export interface Band {
  /** The device, or the first of those of a GPU. */
  device: DeviceId;
  /** All of them. */
  devices: readonly DeviceId[];
  first_lane: LaneId;
  lanes: number;
  /** From the top of the canvas where it is pinned, else from the top of all that scrolls (see `Layout.height`). */
  y: number;
  height: number;
  pinned: boolean;
  folded: boolean;
  /** Whether its groups have names to show. */
  named: boolean;
  /** Where in it its density is drawn: instead of its lanes if it is folded, above them if they have names. */
  strip: LaneBox | null;
  /** What is drawn as density: the parts of `strip`, and the transfers that are closed. */
  strips: readonly StripBox[];
  /** Its transfers, where they are drawn together. */
  closed: ClosedLanes | null;
  /** Whether they are drawn one by one in the room that they have together: those in view are so few that each has room for its name. */
  bars: boolean;
  /** Whether it has transfers that can be closed, closed or not: their lanes' box. */
  transfers: LaneBox | null;
  /** Where in it the bytes that are alive are drawn, if they are. */
  memory: LaneBox | null;
  /** Where in it its counters are drawn, from top to bottom. */
  counters: readonly CounterBox[];
  groups: readonly Group[];
}

/** The lane of a counter; or, with null, a line that says how many more there are. */
export interface CounterBox extends LaneBox {
  counter: number | null;
  more: number;
}

export interface LaneBox {
  y: number;
  height: number;
}

/** A place for how many ops are in flight: all of them, all but communication, or communication. */
export interface StripBox extends LaneBox {
  of: 'all' | 'work' | 'communication';
  /** How many fill it from top to bottom: the most there are at once. 0 for the most of what is at hand. */
  most: number;
}

/** Lanes that are drawn as one. */
export interface ClosedLanes extends LaneBox {
  first_lane: LaneId;
  lanes: number;
}

export interface Section {
  /** Null for devices that name no task. */
  task: string | null;
  y: number;
  height: number;
  /** How much of it is its header; 0 for none. */
  header: number;
  bands: Band[];
}

export interface Layout {
  /** They stay at the top of the canvas. */
  pinned: Band[];
  pinned_height: number;
  /** What scrolls, from top to bottom. */
  sections: Section[];
  bands: Band[];
  /** Undefined where a device is hidden or does not match the filter. */
  by_device: readonly (Band | undefined)[];
  /** The first lane of each device, by DeviceId; last, how many lanes there are. */
  first_lanes: Uint32Array;
  /** Of the pinned and of all that scrolls: what scrolls begins below the pinned, at `pinned_height`. */
  height: number;
  /** The size in use: an index into PITCHES. */
  size: number;
}

export const emptyLayout: Layout = {
  pinned: [],
  pinned_height: 0,
  sections: [],
  bands: [],
  by_device: [],
  first_lanes: new Uint32Array(1),
  height: 0,
  size: 0,
};

export interface LayoutInput {
  devices: readonly DeviceSummary[];
  lanes: Lanes;
  rows: Rows;
  viewport_height: number;
  /** The devices with a lane of live bytes. */
  memory?: ReadonlySet<DeviceId>;
  /** The counters under each device. */
  counters?: ReadonlyMap<DeviceId, readonly number[]>;
  /** By lane, whether it has ops in or near the window (1 or 0); without, all lanes are shown. */
  used?: Uint8Array | null;
}

/** How many screens a trace may take before its lanes get too small for names. */
const SCREENS = 1.6;
/** Of the screen, for a trace that is small. */
const SPARE = 0.7;
/** Lanes do not get smaller for less than this: then it is not their height that makes the trace tall. */
const LEAST_SAVING = 1.25;
/** Of the screen, for accelerators whose lanes are taller than those of others. */
const ACCELERATORS_SHARE = 0.5;
/** Of the screen, for what is pinned: the rest must be left room to scroll in. */
const PINNED_SHARE = 0.6;

const NONE: ReadonlySet<DeviceId> = new Set();

/** The lanes of `summary`: packed. */
export const packedLanes = (devices: readonly DeviceSummary[]): Lanes => ({
  by: 'packed',
  groups: devices.map(({ lanes, op_lanes }) => [
    { name: '', lanes: op_lanes, kind: 'ops' },
    { name: 'communication', lanes: lanes - op_lanes, kind: 'communication' },
  ]),
});

export function layoutOf(input: LayoutInput): Layout {
  const { devices, rows, viewport_height } = input;
  const shown = shownOf(devices, rows);
  const first_lanes = firstLanes(input.lanes);
  const pitchAt = (size: number, growth = 0): Pitch => grownPitch(PITCHES[size] ?? TALL, growth, viewport_height);
  const bandsOf = (ids: readonly DeviceId[], size: number, growth = 0) =>
    rowsOf(input, first_lanes, ids, () => pitchAt(size, growth), false);
  const all = [...shown.pinned, ...shown.scrolled];
  // Opening the transfers of one device does not make the lanes of all smaller.
  const closed = { ...input, rows: { ...rows, opened: NONE } };
  const heightAt = (size: number, is_even = false) =>
    heightOf(
      devices,
      all,
      rowsOf(closed, first_lanes, all, () => pitchAt(size), is_even),
    );
  const smallest = input.lanes.by === 'packed' ? SMALLEST : SMALLEST_NAMED;
  const is_auto = rows.lane_size === 'auto';
  const fitting = rows.lane_size === 'auto' ? fittingSize(heightAt, smallest, viewport_height) : clamp(rows.lane_size, 0, SMALLEST);
  const even = is_auto ? evenSize(heightAt, fitting, viewport_height) : null;
  const [size, is_even] = [even ?? fitting, even !== null];
  // Hosts with hundreds of lanes do not make those of GPUs too small to read.
  const gpus = all.filter((id) => devices[id]?.accelerator !== undefined);
  const fits = (smaller: number) => heightOf(devices, gpus, bandsOf(gpus, smaller)) <= viewport_height * ACCELERATORS_SHARE;
  const readable = is_auto ? PITCHES.findIndex((_, smaller) => smaller > 0 && fits(smaller)) : -1;
  const sizeOf = (id: DeviceId) => (readable >= 0 && devices[id]?.accelerator !== undefined ? Math.min(readable, size) : size);
  const grownTo = (growth: number) => {
    const grown = rowsOf(closed, first_lanes, all, (id) => pitchAt(sizeOf(id), growth), is_even);
    return heightOf(devices, all, grown);
  };
  const growth = is_auto ? growthWithin(grownTo, viewport_height) : 0;
  const stuckAt = (smaller: number) => bandsOf(shown.pinned, smaller, smaller === size ? growth : 0);
  const stuck = pinnedThatFit(stuckAt, size, viewport_height * PINNED_SHARE);
  // What does not fit at the top leads what scrolls.
  const leading = shown.pinned.slice(stuck.length);
  const scrolled = rowsOf(input, first_lanes, [...leading, ...shown.scrolled], (id) => pitchAt(sizeOf(id), growth), is_even);
  return placed(devices, stuck, scrolled, first_lanes, size);
}

/** The size at which rows that are all as tall as each other fit the screen, or scroll as they would anyway; null where only uneven ones fit. */
function evenSize(heightAt: (size: number, is_even?: boolean) => number, size: number, viewport_height: number): number | null {
  if (heightAt(size) > viewport_height) return size;
  for (let smaller = size; smaller <= READABLE; smaller++) if (heightAt(smaller, true) <= viewport_height) return smaller;
  return null;
}

/** How much rows can grow until they fill the screen; 0 where they fill it anyway. */
function growthWithin(heightAt: (growth: number) => number, viewport_height: number): number {
  const most = mostGrowth(viewport_height);
  let growth = 0;
  while (growth < most && heightAt(growth + 1) <= viewport_height) growth++;
  return growth;
}

function firstLanes({ groups }: Lanes): Uint32Array {
  const first = new Uint32Array(groups.length + 1);
  groups.forEach((of, id) => {
    first[id + 1] = (first[id] ?? 0) + of.reduce((sum, group) => sum + group.lanes, 0);
  });
  return first;
}

function fittingSize(heightAt: (size: number) => number, smallest: number, viewport_height: number): number {
  const least = heightAt(smallest) * LEAST_SAVING;
  // All devices at once, if names stay readable; the very tallest lanes only where they leave room to spare.
  const screens = (size: number) => (size === 0 ? SPARE : size < READABLE ? 1 : SCREENS);
  const fits = (size: number) => heightAt(size) <= Math.max(viewport_height * screens(size), size === 0 ? 0 : least);
  const fitting = PITCHES.findIndex((_, size) => fits(size));
  return fitting < 0 ? smallest : Math.min(fitting, smallest);
}

const nameTasks = (devices: readonly DeviceSummary[]): boolean => devices.some(({ task }) => task !== null);

function heightOf(devices: readonly DeviceSummary[], ids: readonly DeviceId[], bands: readonly Band[]): number {
  let height = 0;
  const taskOf = (index: number) => devices[ids[index] ?? -1]?.task;
  const has_tasks = nameTasks(devices);
  bands.forEach((band, index) => {
    const first = index === 0 || taskOf(index - 1) !== taskOf(index);
    if (has_tasks && first && index + 1 < ids.length && taskOf(index + 1) === taskOf(index)) height += TASK_HEADER;
    height += band.height;
  });
  return height;
}

/** The pinned bands, in smaller lanes where they would take too much of the screen; those that fit even so. */
function pinnedThatFit(bandsAt: (size: number) => Band[], size: number, room: number): Band[] {
  const total = (bands: readonly Band[]) => bands.reduce((sum, band) => sum + band.height, 0);
  for (let smaller = size; smaller <= SMALLEST; smaller++) {
    const bands = bandsAt(smaller);
    if (total(bands) <= room) return bands;
  }
  const bands = bandsAt(SMALLEST);
  while (total(bands) > room) bands.pop();
  return bands;
}

function placed(devices: readonly DeviceSummary[], pinned: Band[], bands: Band[], first_lanes: Uint32Array, size: number): Layout {
  const by_device: (Band | undefined)[] = Array.from({ length: devices.length });
  const sections: Section[] = [];
  let y = 0;
  for (const band of pinned) {
    Object.assign(band, { y, pinned: true });
    for (const device of band.devices) by_device[device] = band;
    y += band.height;
  }
  const pinned_height = y;
  const taskOf = (index: number) => devices[bands[index]?.device ?? -1]?.task ?? null;
  const has_tasks = nameTasks(devices);
  bands.forEach((band, index) => {
    const task = taskOf(index);
    let section = sections[sections.length - 1];
    if (!section || section.task !== task) {
      const header = has_tasks && index + 1 < bands.length && taskOf(index + 1) === task ? TASK_HEADER : 0;
      section = { task, y, height: 0, header, bands: [] };
      sections.push(section);
      y += header;
    }
    band.y = y;
    for (const device of band.devices) by_device[device] = band;
    section.bands.push(band);
    y += band.height;
    section.height = y - section.y;
  });
  return { pinned, pinned_height, sections, bands, by_device, first_lanes, height: y, size };
}

/** The rows of `ids`; with `is_even`, those of devices that do nearly the same are all as tall as each other. */
function rowsOf(
  input: LayoutInput,
  first_lanes: Uint32Array,
  ids: readonly DeviceId[],
  pitch: (id: DeviceId) => Pitch,
  is_even: boolean,
): Band[] {
  const bands = ids.map((id) => bandOfLanes(input, first_lanes, id, pitch(id)));
  return (is_even ? evened(bands, input.rows.tall) : bands).map((band) => withCounters(input, withMemory(input, band)));
}

/** A row gets this many times its height, and not more: one with nothing but a name stays low. */
const MOST_STRETCH = 2.2;

function evened(bands: readonly Band[], tall: ReadonlySet<DeviceId>): Band[] {
  const is_plain = (band: Band) =>
    !band.named &&
    !band.folded &&
    !tall.has(band.device) &&
    (band.closed !== null || band.bars || band.transfers === null) &&
    opLanes(band) <= FEW_LANES;
  const tallest = bands.reduce((most, band) => (is_plain(band) ? Math.max(most, band.height) : most), 0);
  return bands.map((band) => (is_plain(band) && band.height * MOST_STRETCH >= tallest ? stretched(band, tallest) : band));
}

const opLanes = ({ groups, bars }: Band): number => groups.slice(0, bars ? -1 : undefined).reduce((sum, { lanes }) => sum + lanes, 0);

/** `band` as tall as `height`: its lanes stay as tall as those of others, and its transfers, which are closed, are at its bottom. */
function stretched(band: Band, height: number): Band {
  const more = height - band.height;
  if (band.bars && band.transfers) {
    const transfers = { ...band.transfers, y: band.transfers.y + more };
    return {
      ...band,
      height,
      transfers,
      groups: band.groups.map((group, at, all) => (at === all.length - 1 ? { ...group, y: group.y + more } : group)),
    };
  }
  const closed = band.closed && { ...band.closed, y: band.closed.y + more };
  return closed ? { ...band, height, closed, transfers: closed, strips: [stripOf(closed)] } : { ...band, height };
}

function withMemory(input: LayoutInput, band: Band): Band {
  if (band.folded || !band.devices.some((one) => input.memory?.has(one))) return band;
  const memory = { y: band.height - 1, height: MEMORY_HEIGHT };
  return { ...band, memory, height: band.height + MEMORY_HEIGHT };
}

function withCounters(input: LayoutInput, band: Band): Band {
  const all = band.folded ? [] : band.devices.flatMap((one) => input.counters?.get(one) ?? []);
  if (all.length === 0) return band;
  const top = band.height - 1;
  const counters: CounterBox[] = all.slice(0, MOST_COUNTERS).map((counter, index) => {
    return { counter, more: 0, y: top + index * COUNTER_HEIGHT, height: COUNTER_HEIGHT };
  });
  const more = all.length - counters.length;
  if (more > 0) counters.push({ counter: null, more, y: top + counters.length * COUNTER_HEIGHT, height: COUNTER_HEIGHT });
  return { ...band, counters, height: band.height + counters.length * COUNTER_HEIGHT };
}

function bandOfLanes({ devices: all, lanes, rows, used }: LayoutInput, first_lanes: Uint32Array, device: DeviceId, sized: Pitch): Band {
  const devices = membersOf(all, device);
  const first_lane = first_lanes[device] ?? 0;
  const folded = rows.folded.has(device);
  const end = first_lanes[device + devices.length] ?? 0;
  const band = {
    device,
    devices,
    first_lane,
    lanes: end - first_lane,
    y: 0,
    pinned: false,
    folded,
    named: false,
    strip: null,
    strips: [],
    closed: null,
    bars: false,
    transfers: null,
    memory: null,
    counters: [],
  };
  const strips = stripsOf(devices.flatMap((one) => all[one] ?? []));
  if (folded) return { ...band, height: MIN_BAND, strip: STRIP, strips, groups: [] };
  const pitch = rows.tall.has(device) && sized.ops < TALL.ops ? TALL : sized;
  const shownOf = (first: LaneId, count: number) => lanesShown(used ?? null, first, count);
  if (hasStreamDevices(all, device)) {
    const groups = devices.flatMap((stream) => streamGroups(all[stream]?.name ?? '', lanes.groups[stream] ?? [], lanes.by));
    return namedBand({ ...band, strips }, groups, pitch, null, shownOf);
  }
  const of = lanes.groups[device] ?? [];
  // Streams of a GPU and threads of a host have names in any arrangement.
  const { accelerator, by_thread } = all[device] ?? {};
  const is_packed = lanes.by === 'packed' && accelerator === undefined && by_thread !== true;
  const hold_all = accelerator === undefined && by_thread !== true && (lanes.by === 'packed' || lanes.by === 'scope');
  const closable = hold_all ? (of.find(isClosable) ?? null) : null;
  const split = { closable, open: rows.opened.has(device) };
  return is_packed ? packedBand(band, of, pitch, split, shownOf) : namedBand({ ...band, strips }, of, pitch, split, shownOf);
}

/** How many of `count` lanes from `first` on are shown. */
type ShownLanes = (first: LaneId, count: number) => number;

/** Down to the last one in use: a group is filled from the top, and its lanes keep their order. One is always there. */
function lanesShown(used: Uint8Array | null, first: LaneId, count: number): number {
  if (!used) return count;
  let shown = count;
  while (shown > 1 && used[first + shown - 1] === 0) shown--;
  return shown;
}

/** All transfers of a device, if they are more than a lane holds: one lane says more than how many are in it. */
const isClosable = ({ name, kind, lanes }: LaneGroup): boolean => name === 'communication' && kind === 'communication' && lanes > 1;

/** Compute stays legible where there are a hundred times as many transfers: each has a part of the strip, and its own scale. */
function stripsOf(devices: readonly DeviceSummary[]): StripBox[] {
  const [first] = devices;
  const talks = devices.some(({ communication_ns }) => communication_ns > 0);
  const works = devices.some(({ op_lanes }) => op_lanes > 0);
  const is_packed = devices.length === 1 && first?.by_thread === false && first.accelerator === undefined;
  const lanes = is_packed ? first.lanes - first.op_lanes : 0;
  if (!talks || !works) return [{ ...STRIP, of: 'all', most: is_packed ? first.lanes : 0 }];
  const height = STRIP.height - STRIP_TRANSFERS - 1;
  return [
    { y: STRIP.y, height, of: 'work', most: is_packed ? first.op_lanes : 0 },
    { y: STRIP.y + height + 1, height: STRIP_TRANSFERS, of: 'communication', most: lanes },
  ];
}

interface Split {
  /** The group that can be closed. */
  closable: LaneGroup | null;
  open: boolean;
}

const stripOf = ({ y, height, lanes }: ClosedLanes): StripBox => ({ y, height, of: 'communication', most: lanes });

/** The lanes of one stream, of a GPU whose streams are devices: one group if they are packed, else those of the arrangement. */
function streamGroups(name: string, groups: readonly LaneGroup[], by: Arrangement): LaneGroup[] {
  const stream = streamLabel(name);
  if (by !== 'packed') return groups.map((group) => ({ ...group, name: `${stream} ${group.name}` }));
  const kind = groups.some((group) => group.kind === 'ops' && group.lanes > 0) ? 'ops' : 'communication';
  return [{ name: stream, kind, lanes: groups.reduce((sum, group) => sum + group.lanes, 0) }];
}

/** The transfers of `group` one by one in the room that they have together, if each in view has room for its name; so nothing below them moves. */
function barsIn({ first_lane, lanes, y, height }: ClosedLanes, group: LaneGroup, shownOf: ShownLanes): Group | null {
  const shown = shownOf(first_lane, lanes);
  return shown * LABEL_LANE <= height ? { ...group, first_lane, lanes: shown, y, pitch: height / shown } : null;
}

type Begun = Omit<Band, 'height' | 'groups'>;

function packedBand(band: Begun, all: readonly LaneGroup[], pitch: Pitch, { closable, open }: Split, shownOf: ShownLanes): Band {
  let next_lane = band.first_lane;
  let first_of_closable: LaneId | null = null;
  const used: (LaneGroup & { first_lane: LaneId })[] = [];
  for (const group of all) {
    const first_lane = next_lane;
    next_lane += group.lanes;
    if (group === closable) first_of_closable = first_lane;
    if (group.lanes === 0 || (group === closable && !open)) continue;
    used.push({ ...group, first_lane, lanes: shownOf(first_lane, group.lanes) });
  }
  const gaps = GROUP_GAP * Math.max(used.length - 1, 0);
  // A device with a lane or two gets the height that its name needs anyway.
  const room = MIN_BAND - 2 * PADDING - gaps;
  const squeezed = room / Math.max(band.lanes, 1);
  const few = used.reduce((sum, group) => sum + group.lanes * pitchOf(group, pitch), 0) < room;
  const groups: Group[] = [];
  let y = PADDING;
  let transfers: LaneBox | null = null;
  for (const group of used) {
    if (group.first_lane === first_of_closable) y = Math.max(y, HEAD);
    const wanted = pitchOf(group, pitch);
    const height = few ? Math.min(Math.max(wanted, squeezed), LABEL_LANE + 3) : wanted;
    groups.push({ ...group, y, pitch: height });
    if (group.first_lane === first_of_closable) transfers = { y, height: group.lanes * height };
    y += group.lanes * height + GROUP_GAP;
  }
  const height = (bottom: number) => Math.ceil(Math.max(MIN_BAND, bottom + PADDING));
  if (!closable || open || first_of_closable === null)
    return { ...band, transfers, height: height(used.length > 0 ? y - GROUP_GAP : y), groups };
  const closed = { first_lane: first_of_closable, lanes: closable.lanes, y: Math.max(y, HEAD), height: pitch.band };
  const bars = barsIn(closed, closable, shownOf);
  if (bars) return { ...band, bars: true, transfers: closed, height: height(closed.y + closed.height), groups: [...groups, bars] };
  return { ...band, closed, transfers: closed, strips: [stripOf(closed)], height: height(closed.y + closed.height), groups };
}

/** A line for the device itself, with its density; below it, the groups with their names. */
function namedBand(band: Begun, lanes: readonly LaneGroup[], pitch: Pitch, split: Split | null, shownOf: ShownLanes): Band {
  const groups: Group[] = [];
  let first_lane = band.first_lane;
  let y = MIN_BAND;
  let closed: ClosedLanes | null = null;
  let bars = false;
  let transfers: LaneBox | null = null;
  for (const group of lanes) {
    if (group === split?.closable && !split.open) {
      const together = { first_lane, lanes: group.lanes, y, height: Math.max(pitch.band, NAMED_GROUP) };
      transfers = together;
      const one_by_one = barsIn(together, group, shownOf);
      if (one_by_one) groups.push(one_by_one);
      else closed = together;
      bars = one_by_one !== null;
      y += together.height + NAMED_GAP;
    } else if (group.lanes > 0) {
      const shown = { ...group, lanes: shownOf(first_lane, group.lanes) };
      const wanted = pitchOf(shown, pitch);
      const height = pitch.ops >= LABEL_LANE ? Math.max(wanted, NAMED_GROUP / shown.lanes) : wanted;
      groups.push({ ...shown, first_lane, y, pitch: height });
      if (group === split?.closable) transfers = { y, height: shown.lanes * height };
      y += shown.lanes * height + NAMED_GAP;
    }
    first_lane += group.lanes;
  }
  const strips = closed ? [...band.strips, stripOf(closed)] : band.strips;
  return { ...band, named: true, strip: STRIP, strips, closed, bars, transfers, height: Math.ceil(y + PADDING - NAMED_GAP), groups };
}

/** Whether all lanes have room for names. */
export const hasLabels = (band: Band): boolean => band.groups.every((group) => group.pitch >= LABEL_LANE);
