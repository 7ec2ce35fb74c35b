// Which tab of the drawer is shown.
import type { TransferSort } from '../../engine/protocol';
import { Changed } from '../frame';
import type { Context } from '../state';
import type { Tab } from '../types';
import { keep } from '../ui/preferences';
import { noteView } from './history';

/** Turns to `tab`. What one selects in the timeline does not open a drawer that the user has closed. */
export function turnDrawer({ state, frame }: Context, tab: Tab): void {
  if (state.tab === tab) return;
  state.tab = tab;
  frame.invalidate(Changed.drawer);
}

export function chooseTab(context: Context, tab: Tab): void {
  const { state, frame } = context;
  state.tab = tab;
  state.drawer_open = true;
  keep('drawer-open', 'yes');
  frame.invalidate(Changed.drawer | Changed.layout);
  noteView(context);
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
