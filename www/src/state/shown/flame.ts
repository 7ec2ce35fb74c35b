// The flame of the range, or of the step: what it is made of, and which part of it is shown. Asked for again for each step, view, range and choice.
import { say } from '../../base/messages';
import type { FlameChoice } from '../../engine/protocol';
import type { Question } from '../figures';
import { cause } from '../frame';
import { scopeQuery } from '../scope';
import type { Context } from '../state';

/** What the flame is made of, as wide as, and about. */
export const FLAME_CHANGED = cause('flame');

export const FLAME: Question<'flame'> = {
  verb: 'flame',
  of: ({ trace, range, range_lanes, flame }) => trace && [trace, range?.start, range?.end, range_lanes, flame],
  parameters: (state) => [scopeQuery(state, null), state.flame],
  outcome: say('flame-not-found'),
};

/** Shows another part of the flame, or the same of other layers or times. Names keep their meaning in all of these. */
export function chooseFlame({ state, frame }: Context, choice: Partial<FlameChoice>): void {
  state.flame = { ...state.flame, ...choice };
  frame.invalidate(FLAME_CHANGED);
}

/** Shows what is on the bar at the end of these names. */
export const showBar = (context: Context, path: readonly string[]): void => chooseFlame(context, { path, name: null });

/** Shows what is around one name, and what is in it, wherever it ran. */
export const showName = (context: Context, name: string): void => chooseFlame(context, { path: [], name });
