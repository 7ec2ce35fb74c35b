// From which height on a window has room for everything above the lanes.
/** In CSS pixels, as in the style sheet: a laptop's window is lower than this, and has its height for the lanes. */
export const LOW_WINDOW = 820;
/** Up to this width it is a phone, as in the style sheet. */
export const PHONE_WIDTH = 760;

/** Whether the lanes need the room that is above them. */
export const isSmallWindow = (): boolean => innerHeight < LOW_WINDOW || innerWidth <= PHONE_WIDTH;
