// How tall lanes are: the sizes that a user can choose from, and what a group of many lanes is squeezed to.
import type { LaneGroup } from '../../engine/protocol';

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

export const SMALLEST = PITCHES.length - 1;
/** The smallest in which groups of lanes still show their names. */
export const SMALLEST_NAMED = 6;

export const TALL: Pitch = { ops: 18, communication: 14, most: Infinity };

/** An index into PITCHES, or what fits. */
export type LaneSize = number | 'auto';

/** A named group with more lanes than this is as thin as communication is: the next group should stay visible. */
const FEW_LANES = 6;

/** From one lane of the group to the next. */
export function pitchOf({ name, kind, lanes }: LaneGroup, pitch: Pitch): number {
  if (kind === 'ops' && (name === '' || lanes <= FEW_LANES)) return pitch.ops;
  // Below one pixel a lane is drawn over its neighbours, and still drawn.
  const most = Math.max(pitch.most, kind === 'ops' ? FEW_LANES * pitch.ops : 0);
  const fair = Math.min(pitch.communication, most / Math.max(lanes, 1));
  return fair >= 2 ? Math.floor(fair) : fair;
}
