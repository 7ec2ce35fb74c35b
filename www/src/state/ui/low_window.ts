// From which height on a window has room for everything above the lanes.
/** In CSS pixels, as in the style sheet: a laptop's window is lower than this, and has its height for the lanes. */
export const LOW_WINDOW = 820;
