// Counters under the devices and flags of instants, as they are drawn on the canvas of the timeline; and which of them is at a point.
import { formatValue } from '../../base/format';
import { say } from '../../base/messages';
import { TimeScale, transformBetween } from '../../base/time_scale';
import { columnsOfCounter, drawCounterLanes, drawInstants, scaleOfCounter, type CounterPlace, type FlagPlace } from '../../draw/counters';
import { drawLaneName } from '../../draw/memory';
import { COUNTER_PARTS, STRIP_COLUMN_PX, type InstantFlag } from '../../engine/protocol';
import { bandAt, bandsInSight, laneBox, topOf, uncovered, bandOfLane } from '../../state/layout/sight';
import { counterAt, counterName } from '../../state/shown/counter_rows';
import { drawnWindow } from '../../state/shown/glide';
import { timeScale } from '../../state/shown/view';
import type { Context, State } from '../../state/state';
import type { OnCounter } from '../../state/types';
import { paletteOf } from '../../state/ui/theme';
import type { Surface } from '../shared/canvas';
import type { Point } from './gestures';

/** Free above the highest value, in CSS pixels: the name of the lane stands there. */
const AIR = 4;
/** How near the pointer must be to a flag. */
const HIT_PX = 6;
/** The pole of a flag that is in no lane. */
const POLE_PX = 14;

export function paintCounters({ state }: Context, { context: canvas, element, ratio, height: canvas_height }: Surface): void {
  const theme = paletteOf(state);
  const places: CounterPlace[] = [];
  const names: { text: (extent: { min: number; max: number } | null) => string; y: number; place: number | null }[] = [];
  for (const band of bandsInSight(state)) {
    for (const { counter, more, y, height } of band.counters) {
      const top = topOf(state, band) + y;
      if (top > canvas_height || top + height < 0 || uncovered(state, band, top, height).height < height) continue;
      const row = counter === null ? null : counterAt(state, counter);
      if (counter === null || !row) {
        names.push({ text: () => say('more-counters', { count: more }), y: top, place: null });
        continue;
      }
      const name = counterName(row);
      const text = (seen: { min: number; max: number } | null) =>
        seen ? say('counter-lane', { name, min: formatValue(seen.min), max: formatValue(seen.max) }) : name;
      names.push({ text, y: top, place: places.length });
      const { low, high } = scaleOfCounter(row.min, row.max);
      places.push({ counter, y: (top + AIR) * ratio, height: (height - AIR - 1) * ratio, low, high });
    }
  }
  if (names.length === 0) return;
  const lanes = state.counter_lanes;
  let extents: readonly ({ min: number; max: number } | null)[] = [];
  if (lanes) {
    const { start_ns, end_ns, width_px } = lanes.query;
    const from = new TimeScale({ start: start_ns, end: end_ns }, width_px);
    const place = transformBetween(from, new TimeScale(drawnWindow(state), element.width));
    canvas.setTransform(1, 0, 0, 1, 0, 0);
    extents = drawCounterLanes(canvas, lanes, places, place, theme);
    canvas.setTransform(ratio, 0, 0, ratio, 0, 0);
  }
  for (const { text, y, place } of names) drawLaneName(canvas, text(place === null ? null : (extents[place] ?? null)), y, theme);
}

/** Where a flag is, as its lanes are now; null where its device is not in sight. */
function placeOf(state: State, flag: InstantFlag): Omit<FlagPlace, 'is_chosen'> | null {
  const x = Math.round(timeScale(state).toPx(flag.at_ns));
  const { layout, viewport } = state;
  if (x < -10 || x > viewport.width) return null;
  const pinned = layout.pinned_height;
  if (flag.is_global) return { x, y: pinned, height: viewport.height - pinned };
  const band = flag.lane === null ? layout.by_device[flag.device ?? -1] : bandOfLane(layout, flag.lane);
  if (flag.device === null) return { x, y: pinned, height: POLE_PX };
  if (!band) return null;
  const lane = flag.lane === null ? null : laneBox(state, flag.lane);
  const box = uncovered(state, band, lane?.y ?? topOf(state, band), lane ? Math.max(lane.height, 8) : Math.min(POLE_PX, band.height));
  return box.height > 0 && box.y < viewport.height ? { x, y: box.y, height: box.height } : null;
}

export function paintInstants({ state }: Context, { context: canvas }: Surface): void {
  const places = (state.flags?.flags ?? []).flatMap((flag): FlagPlace[] => {
    const place = placeOf(state, flag);
    return place ? [{ ...place, is_chosen: flag.instant === state.instant?.instant }] : [];
  });
  if (places.length > 0) drawInstants(canvas, places, paletteOf(state));
}

/** The flag at a point: the nearest one, where its pennant is. */
export function flagUnder(state: State, { x, y }: Point, slack: number = HIT_PX): InstantFlag | null {
  let nearest: { flag: InstantFlag; far: number } | null = null;
  for (const flag of state.flags?.flags ?? []) {
    const place = placeOf(state, flag);
    if (!place) continue;
    const far = Math.abs(place.x + 3 - x);
    const is_at = far <= slack && y >= place.y - 2 && y <= place.y + Math.min(place.height, POLE_PX);
    if (is_at && (!nearest || far < nearest.far)) nearest = { flag, far };
  }
  return nearest?.flag ?? null;
}

/** The column of a counter at a point; null where there is none. */
export function counterUnder(state: State, { x, y }: Point): OnCounter | null {
  const band = bandAt(state, y);
  const lanes = state.counter_lanes;
  if (!band || !lanes) return null;
  const within = y - topOf(state, band);
  const box = band.counters.find((one) => within >= one.y && within < one.y + one.height);
  const row = box && box.counter !== null ? counterAt(state, box.counter) : null;
  const columns = row && columnsOfCounter(lanes, row.counter);
  if (!row || !columns) return null;
  const { start_ns, end_ns, width_px } = lanes.query;
  const scale = new TimeScale({ start: start_ns, end: end_ns }, width_px);
  const at = Math.floor(scale.toPx(timeScale(state).toNs(x)) / STRIP_COLUMN_PX);
  const [min, max, last] = columns.subarray(at * COUNTER_PARTS, (at + 1) * COUNTER_PARTS);
  if (at < 0 || min === undefined || max === undefined || last === undefined || Number.isNaN(last)) return null;
  const column = { start: scale.toNs(at * STRIP_COLUMN_PX), end: scale.toNs((at + 1) * STRIP_COLUMN_PX) };
  return { row, column, min, max, last };
}
