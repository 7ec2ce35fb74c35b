// What is selected: a card next to it, or the tab Selection where the user has pinned it into the drawer.
import { Changed } from '../frame';
import type { Context, State } from '../state';
import { keep } from '../ui/preferences';
import { chooseTab, turnDrawer } from './tab';

/** Whether the tab shows what is selected. */
const isInDrawer = ({ drawer_open, tab }: State): boolean => drawer_open && tab === 'selection';

/** Whether there is a card. */
export const hasCard = (state: State): boolean =>
  state.trace !== null &&
  state.card_open &&
  !state.selection_pinned &&
  !isInDrawer(state) &&
  !!(state.selection?.details ?? state.instant?.details);

/** Shows what was selected just now. */
export function showSelected(context: Context): void {
  context.state.card_open = true;
  if (context.state.selection_pinned) turnDrawer(context, 'selection');
}

/** Puts its details before the user. */
export function openSelected(context: Context): void {
  const { state, frame } = context;
  state.card_open = true;
  if (state.selection_pinned) chooseTab(context, 'selection');
  else frame.invalidate(Changed.selection);
}

/** What is selected stays so. */
export function closeCard({ state, frame }: Context): void {
  if (!state.card_open) return;
  state.card_open = false;
  frame.invalidate(Changed.selection);
}

/** From the card into the drawer, or back. */
export function togglePinned(context: Context): void {
  const { state, frame } = context;
  state.selection_pinned = !state.selection_pinned;
  keep('selection-pinned', state.selection_pinned ? 'yes' : 'no');
  if (state.selection_pinned) chooseTab(context, 'selection');
  else {
    state.card_open = true;
    if (isInDrawer(state)) turnDrawer(context, state.tab_before_selection);
  }
  frame.invalidate(Changed.drawer, Changed.selection);
}
