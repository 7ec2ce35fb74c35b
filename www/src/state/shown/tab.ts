// Which tab of the drawer is shown.
import type { TransferSort } from '../../engine/protocol';
import { Changed } from '../frame';
import type { Context, State } from '../state';
import type { Tab } from '../tabs';
import { isDrawerDecided, keep } from '../ui/preferences';
import { noteView } from './history';

/** Turns to `tab`. What one selects in the timeline opens a drawer that is closed by default, but none that the user has closed. */
export function turnDrawer({ state, frame }: Context, tab: Tab): void {
  const opens = tab === 'selection' && !state.drawer_open && !isDrawerDecided();
  if (state.tab === tab && !opens) return;
  leaveFor(state, tab);
  if (state.drawer_yields) state.drawer_yields = saysNothing(state, tab);
  if (opens) state.drawer_open = true;
  frame.invalidate(Changed.drawer, ...(opens ? [Changed.layout] : []));
}

export function chooseTab(context: Context, tab: Tab): void {
  const { state, frame } = context;
  leaveFor(state, tab);
  state.drawer_open = true;
  state.drawer_modest = false;
  state.drawer_yields = saysNothing(state, tab);
  keep('drawer-open', 'yes');
  frame.invalidate(Changed.drawer, Changed.layout);
  noteView(context);
}

function leaveFor(state: State, tab: Tab): void {
  if (state.tab !== 'selection') state.tab_before_selection = state.tab;
  state.tab = tab;
}

/** Whether a tab has but a hint to show. */
function saysNothing({ trace, selection, search, notes }: State, tab: Tab): boolean {
  if (tab === 'selection') return selection === null;
  if (tab === 'matches') return search.query === '' || search.result?.count === 0;
  if (tab === 'marks') return notes.length === 0;
  return tab === 'transfers' && trace?.summary.transfers === 0;
}

/** A tab that says something again has the drawer as tall as it was; it gets low only as a tab is chosen, not under the hand. */
export function growDrawer({ state, frame }: Context): void {
  if (!state.drawer_yields || saysNothing(state, state.tab)) return;
  state.drawer_yields = false;
  frame.invalidate(Changed.drawer, Changed.layout);
}

/** Turns to the transfers that `filter` keeps; with `sort`, those come first that have most of it. */
export function showTransfers(context: Context, filter: string, sort: TransferSort | null = null): void {
  context.state.transfers_filter = filter;
  context.state.transfers_sort = sort;
  chooseTab(context, 'transfers');
}

/** What their table is to be sorted by from now on, once. */
export function takeTransfersSort({ state }: Context): TransferSort | null {
  const sort = state.transfers_sort;
  state.transfers_sort = null;
  return sort;
}

/** The user has typed another filter into their table. */
export function filterTransfers({ state }: Context, filter: string): void {
  state.transfers_filter = filter;
}
