// From which size on a window has room for everything around the lanes, and where its drawer is.
import type { State } from '../state';

/** In CSS pixels: from here on a drawer next to the lanes opens by itself. */
const HIGH_WINDOW = 900;
/** The lanes have this share of the height until the user opens a place. */
const LANES_SHARE = 0.7;
/** What stands above the lanes, and the critical path below them. */
const AROUND_LANES = 171;
/** A place that is lower than this says too little to take it from the lanes. */
const LEAST_PLACE = 180;
/** Up to this width it is a phone, as in the style sheet. */
export const PHONE_WIDTH = 760;

/** The lanes have this share of the height next to a place that the user has opened. */
const LEAST_LANES_SHARE = 1 / 3;
/** The two rows of tabs, controls, headings, and eight rows of a table. */
const EIGHT_ROWS = 310;

/** How high a place below the lanes is that the user has opened, and whose height nobody chose. */
export const heightOfPlace = (): number =>
  Math.max(LEAST_PLACE, Math.min(EIGHT_ROWS, Math.floor(innerHeight * (1 - LEAST_LANES_SHARE)) - AROUND_LANES));

/** How high a place below the lanes may be that the user has not opened. */
export const heightOfFirstPlace = (): number => Math.floor(innerHeight * (1 - LANES_SHARE)) - AROUND_LANES;

/** Whether a place opens by itself: next to the lanes, or below them where it leaves them their share. */
export const opensFirstPlace = (is_at_side: boolean): boolean =>
  innerWidth > PHONE_WIDTH && (is_at_side ? innerHeight >= HIGH_WINDOW : heightOfFirstPlace() >= LEAST_PLACE);

/** From this width of the window on, the drawer is next to the timeline; a screen that is turned upright has it below. */
const WIDE_WINDOW = 1800;
const LEAST_RATIO = 1.3;
/** Next to the timeline, the drawer needs this, and the lanes, too. */
export const LEAST_WIDTH = 320;

const hasWidth = (): boolean => innerWidth >= 3 * LEAST_WIDTH;

/** Whether the drawer is next to the timeline now. */
export function isAtSide({ drawer_open, drawer_place }: Pick<State, 'drawer_open' | 'drawer_place'>): boolean {
  if (!drawer_open || !hasWidth()) return false;
  return drawer_place === 'auto' ? innerWidth >= WIDE_WINDOW && innerWidth >= innerHeight * LEAST_RATIO : drawer_place === 'at-side';
}
