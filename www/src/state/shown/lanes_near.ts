// How far around the window lanes are kept: the worker's first picture and the page's later ones agree on it.

/** Of the window's length, on each side: so far one can pan and finds the lanes there. */
export const NEAR = 0.25;
