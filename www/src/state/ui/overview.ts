// The verdict above the timeline: shown, or folded away.
import { Changed } from '../frame';
import type { Context } from '../state';
import { keep } from './preferences';

export function toggleOverview({ state, frame }: Context): void {
  state.overview_folded = !state.overview_folded;
  keep('overview-folded', state.overview_folded ? 'yes' : 'no');
  frame.invalidate(Changed.layout);
}
