// From which height on a window has room for everything around the lanes.
/** In CSS pixels, as in the style sheet: a laptop's window is lower than this, and has its height for the lanes. */
export const LOW_WINDOW = 820;
/** From here on there is room for lanes and an open drawer. */
const HIGH_WINDOW = 1000;
/** Up to this width it is a phone, as in the style sheet. */
export const PHONE_WIDTH = 760;

/** Whether both the lanes and a place of the drawer have room. */
export const isHighWindow = (): boolean => innerHeight >= HIGH_WINDOW && innerWidth > PHONE_WIDTH;
