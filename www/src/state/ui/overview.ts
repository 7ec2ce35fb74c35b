// What stands above the timeline: whole, or folded to one line. Where the user has chosen nothing, a low window has the room for the lanes.
import { Changed } from '../frame';
import type { Context, State } from '../state';
import { isSmallWindow } from './low_window';
import { keep } from './preferences';

export const isOverviewFolded = ({ overview_folded }: Pick<State, 'overview_folded'>): boolean => overview_folded ?? isSmallWindow();

export function toggleOverview({ state, frame }: Context): void {
  state.overview_folded = !isOverviewFolded(state);
  keep('overview-folded', state.overview_folded ? 'yes' : 'no');
  frame.invalidate(Changed.layout);
}

/** A window that gets low or high folds or unfolds what nobody has folded. */
export function keepOverviewFitting({ frame }: Context): void {
  let was_small = isSmallWindow();
  addEventListener('resize', () => {
    if (isSmallWindow() === was_small) return;
    was_small = isSmallWindow();
    frame.invalidate(Changed.layout);
  });
}
