// How finely the minimap is cut, as the worker is asked and the canvas draws.

/** How many slices of time the minimap's shares have: more than any screen's minimap needs. */
export const MINIMAP_BINS = 1024;
