// How tall lanes are: the sizes that a user can choose from, and what a group of many lanes is squeezed to.
import type { LaneGroup } from '../../engine/protocol';

/** From this height on there is room for a label. */
export const LABEL_LANE = 13;

/**
 * From one lane to the next, for ops and for communication; how tall all of a device's communication may become while it has lanes; and
 * how tall the band is that shows it together.
 */
export interface Pitch {
  ops: number;
  communication: number;
  most: number;
  band: number;
}

/** From the tallest to the smallest; the index is the size that a user can choose. */
export const PITCHES: readonly Pitch[] = [
  { ops: 24, communication: 18, most: Infinity, band: 23 },
  { ops: 18, communication: 14, most: Infinity, band: 17 },
  { ops: 18, communication: 14, most: 640, band: 16 },
  { ops: 17, communication: 14, most: 480, band: 15 },
  { ops: 16, communication: 13, most: 360, band: 14 },
  { ops: 15, communication: 9, most: 300, band: 13 },
  { ops: 13, communication: 7, most: 240, band: 12 },
  { ops: 9, communication: 5, most: 180, band: 8 },
  { ops: 6, communication: 3, most: 120, band: 8 },
  { ops: 4, communication: 2, most: 80, band: 8 },
];

export const SMALLEST = PITCHES.length - 1;
/** The smallest in which ops still show their names. */
export const READABLE = 6;
/** The smallest in which groups of lanes still show their names. */
export const SMALLEST_NAMED = READABLE;

/** Where there is room, rows grow by pixels up to here: taller ones only move what belongs together apart. */
const MOST_GROWTH = 22;
const TALLEST = { ops: 40, communication: 30, band: 39 };
/** That is so in lanes as high as this. A taller window is filled by taller rows: they are seen from further away. */
const USUAL_HEIGHT = 640;

const stretch = (viewport_height: number): number => Math.max(1, viewport_height / USUAL_HEIGHT);

/** By how many pixels rows may grow in lanes that are `viewport_height` high. */
export const mostGrowth = (viewport_height: number): number => Math.round(MOST_GROWTH * stretch(viewport_height) ** 2);

/** The size `growth` pixels taller. The band of transfers stays as tall as an op: what lasts long is never thinner than what is short. */
export function grownPitch(pitch: Pitch, growth: number, viewport_height: number): Pitch {
  const grown = (now: number, tallest: number) => Math.max(now, Math.min(now + growth, Math.round(tallest * stretch(viewport_height))));
  const { ops, communication, most, band } = pitch;
  return {
    ops: grown(ops, TALLEST.ops),
    communication: grown(communication, TALLEST.communication),
    most,
    band: grown(band, TALLEST.band),
  };
}

export const TALL: Pitch = { ops: 18, communication: 14, most: Infinity, band: 17 };

/** An index into PITCHES, or what fits. */
export type LaneSize = number | 'auto';

/** A group with more lanes than this is as thin as communication is: the next group should stay visible. One with fewer is as tall as ops are, whatever it does. */
export const FEW_LANES = 6;

/** From one lane of the group to the next. */
export function pitchOf({ name, kind, lanes }: LaneGroup, pitch: Pitch): number {
  if (lanes <= FEW_LANES || (kind === 'ops' && name === '')) return pitch.ops;
  // Below one pixel a lane is drawn over its neighbours, and still drawn.
  const most = Math.max(pitch.most, kind === 'ops' ? FEW_LANES * pitch.ops : 0);
  const fair = Math.min(pitch.communication, most / Math.max(lanes, 1));
  return fair >= 2 ? Math.floor(fair) : fair;
}
