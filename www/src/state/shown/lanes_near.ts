/** How far around the window lanes are kept, of its length, on each side: so far one can pan and finds the lanes there. */
export const NEAR = 0.25;
