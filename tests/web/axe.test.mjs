// The accessibility engine axe-core finds nothing in any state of the page, light and dark.

import { axeTests } from './axe_walk.mjs';
import { thorough } from './thorough.mjs';

const viewport = { width: 1600, height: 900 };
axeTests({ name: 'light', is_first: true, scheme: 'light', viewport });
// Colours of the dark page are looked at where there is least room, in axe_narrow.
thorough(() => axeTests({ name: 'dark', scheme: 'dark', viewport }));
