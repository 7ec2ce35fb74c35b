// The accessibility engine axe-core finds nothing in any state of the page, light and dark.

import { axeTests } from './axe_walk.mjs';

const viewport = { width: 1600, height: 900 };
axeTests({ name: 'light', scheme: 'light', viewport });
axeTests({ name: 'dark', scheme: 'dark', viewport });
