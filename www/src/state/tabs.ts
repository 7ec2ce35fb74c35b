// The tabs of the drawer, by the place that each is in. The panel of a tab is `panel` of `views/drawer/NAME/panel.ts`.
import type { PlainId } from '../base/messages';

/** In their order, with the text on the tab: what is added here is in its place, the palette and addresses. A place of one tab is that tab. */
export const PLACES = [
  {
    place: 'overview',
    title: 'place-overview',
    tabs: {
      findings: 'tab-findings',
      steps: 'tab-steps',
      path: 'tab-path',
      scheduling: 'tab-scheduling',
      problems: 'tab-problems',
      clocks: 'tab-clocks',
    },
  },
  {
    place: 'time',
    title: 'place-time',
    tabs: { range: 'range-title', table: 'tab-table', kernels: 'tab-kernels', flame: 'tab-flame', matches: 'tab-matches' },
  },
  {
    place: 'communication',
    title: 'place-communication',
    short: 'place-communication-short',
    tabs: { network: 'tab-network', transfers: 'tab-transfers' },
  },
  { place: 'memory', title: 'tab-memory', tabs: { memory: 'tab-memory' } },
  { place: 'what_if', title: 'tab-what-if', tabs: { what_if: 'tab-what-if' } },
  { place: 'compare', title: 'tab-compare', tabs: { compare: 'tab-compare' } },
  { place: 'selection', title: 'tab-selection', tabs: { selection: 'tab-selection' } },
  { place: 'marks', title: 'tab-marks', tabs: { marks: 'tab-marks' } },
] as const satisfies readonly { place: string; title: PlainId; short?: PlainId; tabs: Readonly<Record<string, PlainId>> }[];

type KeysOf<T> = T extends unknown ? keyof T : never;
export type Tab = KeysOf<(typeof PLACES)[number]['tabs']>;
export type Place = (typeof PLACES)[number]['place'];

export const tabsOf = ({ tabs }: (typeof PLACES)[number]): Tab[] => Object.keys(tabs) as Tab[];

export const TABS: readonly Tab[] = PLACES.flatMap(tabsOf);

export const TAB_TITLES = Object.assign({}, ...PLACES.map(({ tabs }) => tabs)) as Readonly<Record<Tab, PlainId>>;

const PLACE_OF = new Map<Tab, Place>(PLACES.flatMap((own) => tabsOf(own).map((tab) => [tab, own.place] as const)));

export const placeOf = (tab: Tab): Place => PLACE_OF.get(tab) ?? 'overview';

export const titleOfPlace = (tab: Tab): PlainId => PLACES.find(({ place }) => place === placeOf(tab))?.title ?? TAB_TITLES[tab];
