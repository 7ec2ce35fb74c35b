// What of the layout is visible, and where on the canvas: the one place that knows of scrolling and of pinned devices.
//
// All positions are CSS pixels of the canvas. The cost of every function is by what is visible, or the logarithm of what there is.
import { lowerBound } from '../../base/geom';
import type { DeviceId, LaneId } from '../../engine/protocol';
import type { Band, Group, LaneBox, Layout, Section, StripBox } from './layout';

/** The state is one. */
export interface Sight {
  readonly layout: Layout;
  readonly scroll_y: number;
  readonly viewport: { readonly height: number };
}

export const topOf = ({ scroll_y }: Pick<Sight, 'scroll_y'>, band: Band): number => (band.pinned ? band.y : band.y - scroll_y);

/** The first of `boxes`, which lie one below the other, whose end is below `y`. */
function firstBelow(boxes: readonly LaneBox[], y: number): number {
  return lowerBound(0, boxes.length, y, (index) => {
    const box = boxes[index];
    // The end of a box belongs to the next one.
    return box ? box.y + box.height - 1e-9 : Infinity;
  });
}

/** Those of `boxes` of which anything lies in [top, bottom). */
export function boxesBetween<B extends LaneBox>(boxes: readonly B[], top: number, bottom: number): B[] {
  const found: B[] = [];
  for (let index = firstBelow(boxes, top); index < boxes.length; index++) {
    const box = boxes[index];
    if (!box || box.y >= bottom) break;
    found.push(box);
  }
  return found;
}

/** The bands that scroll of which anything lies in [top, bottom) of the canvas, pinned ones covering nothing. */
const scrolledBetween = ({ layout, scroll_y }: Sight, top: number, bottom: number): Band[] =>
  boxesBetween(layout.bands, top + scroll_y, bottom + scroll_y);

export const sectionsInSight = ({ layout, scroll_y, viewport }: Sight): Section[] =>
  boxesBetween(layout.sections, scroll_y + layout.pinned_height, scroll_y + viewport.height);

/** From top to bottom; the pinned ones, which cover what scrolls below them, come first. */
export function bandsInSight(sight: Sight): Band[] {
  const { layout, viewport } = sight;
  return [...layout.pinned, ...scrolledBetween(sight, layout.pinned_height, viewport.height)];
}

/** The part of [y, y + height) that pinned bands leave free, for what belongs to `band`. Its height may be 0. */
export function uncovered({ layout }: Pick<Sight, 'layout'>, band: Band, y: number, height: number): LaneBox {
  if (band.pinned) return { y, height };
  const top = Math.max(y, layout.pinned_height);
  return { y: top, height: Math.max(0, y + height - top) };
}

export function deviceOfLane({ first_lanes }: Layout, lane: LaneId): DeviceId {
  return lowerBound(0, first_lanes.length, lane + 1, (index) => first_lanes[index] ?? Infinity) - 1;
}

/** Undefined where its device is not shown. */
export const bandOfLane = (layout: Layout, lane: LaneId): Band | undefined => layout.by_device[deviceOfLane(layout, lane)];

function groupOf(band: Band, lane: LaneId): Group | undefined {
  const { groups } = band;
  const after = lowerBound(0, groups.length, lane + 1, (index) => groups[index]?.first_lane ?? Infinity);
  const group = groups[after - 1];
  return group && lane < group.first_lane + group.lanes ? group : undefined;
}

/** Whether `lane` is one of those that are drawn as one. */
export const isClosed = ({ closed }: Band, lane: LaneId): boolean =>
  closed !== null && lane >= closed.first_lane && lane < closed.first_lane + closed.lanes;

/** Where the marks of `lane` are drawn within its band; of a folded device, which shows none, its strip, and so of transfers that are closed. */
export function boxInBand(band: Band, lane: LaneId): LaneBox | null {
  const group = groupOf(band, lane);
  if (!group) return band.folded ? band.strip : isClosed(band, lane) ? band.closed : lastLaneBox(band, lane);
  // The pixel that is left empty below them is what tells lanes apart.
  const gap = group.pitch >= 3 ? 1 : 0;
  return { y: group.y + (lane - group.first_lane) * group.pitch, height: Math.max(1, group.pitch - gap) };
}

/** A lane that is not shown, as nothing of it is in view, has its place at the last one of its group: that is where what comes into view is drawn first. */
function lastLaneBox({ groups }: Band, lane: LaneId): LaneBox | null {
  const after = lowerBound(0, groups.length, lane + 1, (index) => groups[index]?.first_lane ?? Infinity);
  const group = groups[after - 1];
  if (!group) return null;
  return { y: group.y + (group.lanes - 1) * group.pitch, height: Math.max(1, group.pitch - (group.pitch >= 3 ? 1 : 0)) };
}

/** Where the marks of `lane` are drawn; null where its device is not shown. It may lie outside the canvas. */
export function laneBox(sight: Sight, lane: LaneId): LaneBox | null {
  const band = bandOfLane(sight.layout, lane);
  const box = band && boxInBand(band, lane);
  return band && box ? { y: topOf(sight, band) + box.y, height: box.height } : null;
}

export function bandAt({ layout, scroll_y }: Sight, y: number): Band | undefined {
  const stuck = y < layout.pinned_height;
  const bands = stuck ? layout.pinned : layout.bands;
  const at = stuck ? y : y + scroll_y;
  const band = bands[firstBelow(bands, at)];
  return band && at >= band.y ? band : undefined;
}

/** The task whose header or devices are at `y`. */
export function sectionAt({ layout, scroll_y }: Sight, y: number): Section | undefined {
  const section = layout.sections[firstBelow(layout.sections, y + scroll_y)];
  return section && y >= layout.pinned_height && y + scroll_y >= section.y ? section : undefined;
}

/** The lane at `y`, or null between lanes. */
export function laneAt(sight: Sight, y: number): LaneId | null {
  const band = bandAt(sight, y);
  if (!band) return null;
  const within = y - topOf(sight, band);
  const { groups } = band;
  const after = lowerBound(0, groups.length, within + 1e-6, (index) => groups[index]?.y ?? Infinity);
  const group = groups[after - 1];
  if (!group) return null;
  const index = Math.floor((within - group.y) / group.pitch + 1e-9);
  return index >= 0 && index < group.lanes ? group.first_lane + index : null;
}

/** The folded device whose strip is at `y`. */
export function foldedAt(sight: Sight, y: number): DeviceId | null {
  const band = bandAt(sight, y);
  return band?.folded === true ? band.device : null;
}

/** The groups of which anything lies in [top, bottom) of the band. */
export function groupsBetween({ groups }: Band, top: number, bottom: number): Group[] {
  const endOf = (group: Group) => group.y + group.lanes * group.pitch;
  const first = lowerBound(0, groups.length, top + 1e-9, (index) => {
    const group = groups[index];
    return group ? endOf(group) : Infinity;
  });
  const after = lowerBound(first, groups.length, bottom, (index) => groups[index]?.y ?? Infinity);
  return groups.slice(first, after);
}

/** The lanes of which anything lies in [top, bottom), from top to bottom. */
export function lanesWithin(sight: Sight, top: number, bottom: number): Uint32Array {
  const { layout } = sight;
  const stuck = layout.pinned.filter((band) => band.y < bottom && band.y + band.height > top);
  // Beyond the canvas, what scrolls is not covered: it is about to come into sight.
  const from = top < 0 ? layout.pinned_height + top : Math.max(top, layout.pinned_height);
  const lanes: number[] = [];
  for (const band of [...stuck, ...scrolledBetween(sight, from, bottom)]) {
    const y = topOf(sight, band);
    const above = (band.pinned ? top : from) - y;
    const below = bottom - y;
    for (const group of groupsBetween(band, above, below)) {
      const start = Math.max(0, Math.floor((above - group.y) / group.pitch));
      const end = Math.min(group.lanes, Math.ceil((below - group.y) / group.pitch));
      for (let lane = start; lane < end; lane++) lanes.push(group.first_lane + lane);
    }
  }
  return Uint32Array.from(lanes);
}

/** The devices that show their density, of which anything lies in [top, bottom), from top to bottom. */
export function stripsWithin(sight: Sight, top: number, bottom: number): Uint32Array {
  const { layout } = sight;
  const bands = [...layout.pinned, ...scrolledBetween(sight, layout.pinned_height + Math.min(top, 0), bottom)];
  return Uint32Array.from(bands.filter((band) => band.strips.length > 0).map((band) => band.device));
}

/** The density that is drawn at `y`, and the band it is of. */
export function stripAt(sight: Sight, y: number): { band: Band; strip: StripBox } | null {
  const band = bandAt(sight, y);
  if (!band) return null;
  const within = y - topOf(sight, band);
  // The pixel between two belongs to the lower one.
  const strip = band.strips.find((one) => within < one.y + one.height && within >= one.y - (one === band.strips[0] ? 0 : 1));
  return strip ? { band, strip } : null;
}

/** Whether `wanted` are among `held`; both must be in the same order, as they are from one layout. */
export function holdsAll(held: Uint32Array, wanted: Uint32Array): boolean {
  let at = 0;
  for (const one of wanted) {
    while (at < held.length && held[at] !== one) at++;
    if (at++ >= held.length) return false;
  }
  return true;
}
