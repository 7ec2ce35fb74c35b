// The tabs of the drawer. The panel of each is `panel` of `views/drawer/NAME/panel.ts`.
import type { PlainId } from '../base/messages';

/** In their order, with the text on the tab. */
export const TAB_TITLES = {
  findings: 'tab-findings',
  steps: 'tab-steps',
  range: 'range-title',
  selection: 'tab-selection',
  transfers: 'tab-transfers',
  path: 'tab-path',
  kernels: 'tab-kernels',
  flame: 'tab-flame',
  scheduling: 'tab-scheduling',
  what_if: 'tab-what-if',
  compare: 'tab-compare',
  network: 'tab-network',
  memory: 'tab-memory',
  clocks: 'tab-clocks',
  matches: 'tab-matches',
  table: 'tab-table',
  marks: 'tab-marks',
  problems: 'tab-problems',
} as const satisfies Record<string, PlainId>;

export type Tab = keyof typeof TAB_TITLES;
export const TABS = Object.keys(TAB_TITLES) as Tab[];
