// Lanes and boxes drawn over them: which lanes a box touches, and where chosen lanes are. CSS pixels of the canvas.
import { lowerBound } from '../../base/geom';
import type { LaneId } from '../../engine/protocol';
import type { LaneBox } from './layout';
import { bandsInSight, lanesWithin, topOf, uncovered, type Sight } from './sight';

/** The lanes that a box from `top` to `bottom` touches, ascending; of a folded device, which shows none, all of them. */
export function lanesTouched(sight: Sight, top: number, bottom: number): Uint32Array {
  const folded = bandsInSight(sight).filter((band) => {
    const box = uncovered(sight, band, topOf(sight, band), band.height);
    return band.folded && box.y < bottom && box.y + box.height > top;
  });
  const closed = bandsInSight(sight).flatMap((band) => {
    if (!band.closed) return [];
    const box = uncovered(sight, band, topOf(sight, band) + band.closed.y, band.closed.height);
    return box.y < bottom && box.y + box.height > top && box.height > 0 ? [band.closed] : [];
  });
  const all = [...folded, ...closed].flatMap(({ first_lane, lanes }) => Array.from({ length: lanes }, (_, index) => first_lane + index));
  return Uint32Array.from(new Set([...lanesWithin(sight, top, bottom), ...all])).sort();
}

/** Lanes with no more than this between them are drawn as one run. */
const TOUCHING_PX = 6;

/** Where those of `lanes` (ascending) are drawn that are visible, as runs of neighbours from top to bottom. */
export function runsOf(sight: Sight, lanes: Uint32Array): LaneBox[] {
  const nextTo = (lane: LaneId) => lanes[lowerBound(0, lanes.length, lane, (index) => lanes[index] ?? Infinity)] ?? Infinity;
  const has = (lane: LaneId) => nextTo(lane) === lane;
  const runs: LaneBox[] = [];
  const add = ({ y, height }: LaneBox) => {
    const last = runs[runs.length - 1];
    if (height <= 0) return;
    if (last && y - last.y - last.height <= TOUCHING_PX) last.height = y + height - last.y;
    else runs.push({ y, height });
  };
  for (const band of bandsInSight(sight)) {
    const top = topOf(sight, band);
    if (band.folded && has(band.first_lane)) add(uncovered(sight, band, top, band.height));
    if (band.folded) continue;
    for (const group of band.groups)
      for (let index = 0; index < group.lanes; index++)
        if (has(group.first_lane + index)) add(uncovered(sight, band, top + group.y + index * group.pitch, group.pitch));
    const { closed } = band;
    if (closed && nextTo(closed.first_lane) < closed.first_lane + closed.lanes) add(uncovered(sight, band, top + closed.y, closed.height));
  }
  return runs;
}
