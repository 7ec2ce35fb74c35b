// The drawer below the timeline: which tab is shown, how tall it is, and whether it is open.
import { clamp } from '../../base/geom';
import { Changed } from '../frame';
import { noteView } from '../shown/history';
import { keep } from './preferences';
import type { Context, Tab } from '../state';

export const LEAST_DRAWER = 96;

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

export function toggleDrawer({ state, frame }: Context): void {
  state.drawer_open = !state.drawer_open;
  keep('drawer-open', state.drawer_open ? 'yes' : 'no');
  frame.invalidate(Changed.drawer | Changed.layout);
}

export function setDrawerHeight({ state, frame }: Context, height: number): void {
  state.drawer_height = clamp(height, LEAST_DRAWER, Math.max(LEAST_DRAWER, innerHeight * 0.7));
  keep('drawer-height', String(Math.round(state.drawer_height)));
  frame.invalidate(Changed.drawer | Changed.layout);
}
