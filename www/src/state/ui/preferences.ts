// What outlives the page: theme, drawer, width of the column, what is shown above and under the lanes. Where the browser keeps nothing, the page works all the same.
import { COLOR_BIES } from '../../engine/protocol';
import type { State } from '../state';
import { heightOfPlace, isAtSide, opensFirstPlace, PHONE_WIDTH } from './low_window';
import { DRAWER_PLACES, GESTURES, type ThemeChoice } from '../types';

type Name =
  | 'theme'
  | 'color'
  | 'textures'
  | 'overview-folded'
  | 'gestures'
  | 'drawer-open'
  | 'selection-pinned'
  | 'drawer-place'
  | `drawer-height.${string}`
  | `drawer-width.${string}`
  | 'traffic'
  | 'memory'
  | 'strip'
  | 'tree-width'
  | 'recent'
  | 'transfers-open'
  | 'share-includes'
  | `columns.${string}`;

const key = (name: Name): string => `steplens.${name}`;

export function keep(name: Name, value: string): void {
  try {
    localStorage.setItem(key(name), value);
  } catch {
    // Storage is off for this page: a file from disk, or a private window.
  }
}

export function forget(name: Name): void {
  try {
    localStorage.removeItem(key(name));
  } catch {
    // Where storage is off, nothing was kept.
  }
}

function kept(name: Name): string | null {
  try {
    return localStorage.getItem(key(name));
  } catch {
    return null;
  }
}

const THEMES: readonly string[] = ['auto', 'light', 'dark'] satisfies ThemeChoice[];

export function restorePreferences(state: State): void {
  const theme = kept('theme');
  if (theme !== null && THEMES.includes(theme)) state.theme = theme as ThemeChoice;
  state.gestures = GESTURES.find((own) => own === kept('gestures')) ?? state.gestures;
  const textures = kept('textures');
  if (textures !== null) state.textures = textures === 'yes';
  state.color_by = COLOR_BIES.find((by) => by === kept('color')) ?? state.color_by;
  const folded = kept('overview-folded');
  if (folded !== null) state.overview_folded = folded === 'yes';
  state.selection_pinned = kept('selection-pinned') === 'yes';
  state.keeps_recent = kept('recent') !== 'no';
  // The minimap shows when transfers were under way, too.
  state.traffic_shown = kept('traffic') === 'yes';
  state.transfers_open = kept('transfers-open') === 'yes';
  state.memory_shown = kept('memory') === 'yes';
  state.strip_shown = kept('strip') !== 'no';
  state.drawer_place = DRAWER_PLACES.find((place) => place === kept('drawer-place')) ?? 'auto';
  const opens_itself = opensFirstPlace(isAtSide({ drawer_open: true, drawer_place: state.drawer_place }));
  state.drawer_open = (kept('drawer-open') ?? (opens_itself ? 'yes' : 'no')) === 'yes';
  state.drawer_modest = state.drawer_open && !isDrawerDecided();
  restoreDrawerSize(state);
  const width = Number(kept('tree-width'));
  state.tree_width = width > 0 ? width : null;
}

/** Whether the user has opened or closed the drawer. */
export const isDrawerDecided = (): boolean => kept('drawer-open') !== null;

/** The drawer has a height and a width for each size of screen. */
export const drawerHeightName = () => `drawer-height.${screen.width}x${screen.height}` as const;
export const drawerWidthName = () => `drawer-width.${screen.width}x${screen.height}` as const;

/** A phone is narrow and high: what stands next to each other elsewhere needs height there. */
const PHONE = { width: PHONE_WIDTH, share: 0.4 };
/** A screen of 4K has room for both. */
const TALL_WINDOW = { height: 1400, share: 0.36 };

/** Of the window, while the drawer is next to the timeline. */
const WIDTH_SHARE = 0.34;

export function restoreDrawerSize(state: State): void {
  const width = Number(kept(drawerWidthName()));
  state.drawer_width = width > 0 ? width : Math.round(innerWidth * WIDTH_SHARE);
  const height = Number(kept(drawerHeightName()));
  state.drawer_height = height > 0 ? height : Math.round(proposedHeight(innerWidth, innerHeight));
}

function proposedHeight(width: number, height: number): number {
  if (height > TALL_WINDOW.height) return height * TALL_WINDOW.share;
  return width <= PHONE.width ? height * PHONE.share : heightOfPlace();
}

/** What the user chose of a table's columns; the names are those in CSV. */
export interface KeptColumns {
  order: string[];
  hidden: string[];
  /** Shown even where there is little room; earlier versions kept none. */
  wanted?: string[];
  widths: Record<string, number>;
}

const columnsKey = (table: string) => `columns.${table}` as const;

export const keepColumns = (table: string, columns: KeptColumns): void => keep(columnsKey(table), JSON.stringify(columns));

export const forgetColumns = (table: string): void => forget(columnsKey(table));

/** Null where nothing was kept, or what was kept is not of this version. */
export function keptColumns(table: string): KeptColumns | null {
  const text = kept(columnsKey(table));
  if (text === null) return null;
  try {
    const columns: unknown = JSON.parse(text);
    return isKeptColumns(columns) ? columns : null;
  } catch {
    // Somebody else wrote it. The columns are as the table proposes.
    return null;
  }
}

const areTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every((item) => typeof item === 'string');

const isKeptColumns = (value: unknown): value is KeptColumns =>
  typeof value === 'object' &&
  value !== null &&
  'order' in value &&
  areTexts(value.order) &&
  'hidden' in value &&
  areTexts(value.hidden) &&
  (!('wanted' in value) || areTexts(value.wanted)) &&
  'widths' in value &&
  typeof value.widths === 'object' &&
  value.widths !== null;

/** What the user last included in a page that is shared, in words; null where nothing was decided. */
export const keptIncludes = (): string[] | null => kept('share-includes')?.split(',') ?? null;

export const keepIncludes = (words: readonly string[]): void => keep('share-includes', words.join(','));
