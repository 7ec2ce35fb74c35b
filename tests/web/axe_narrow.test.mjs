// The accessibility engine axe-core finds nothing in any state of the page where that has less room.

import { axeTests } from './axe_walk.mjs';
import { thorough } from './thorough.mjs';

thorough(() => axeTests({ name: '900 px wide', scheme: 'light', viewport: { width: 900, height: 700 } }));
// 200 % zoom of a 1600 by 900 window leaves 800 by 450 CSS pixels.
axeTests({ name: '200 % zoom, dark', scheme: 'dark', viewport: { width: 800, height: 450, deviceScaleFactor: 2 } });
