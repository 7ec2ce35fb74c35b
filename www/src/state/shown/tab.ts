// Which tab of the drawer is shown.
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

/** Turns to the transfers that `filter` keeps. */
export function showTransfers(context: Context, filter: string): void {
  context.state.transfers_filter = filter;
  chooseTab(context, 'transfers');
}

/** The user has typed another filter into their table. */
export function filterTransfers({ state }: Context, filter: string): void {
  state.transfers_filter = filter;
}
