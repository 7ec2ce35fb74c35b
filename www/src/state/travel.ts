// Back and forth through the views that the user has had.
import { Changed } from './frame';
import { arrived, nextPlace } from './history';
import { layOut, lowestScroll } from './lay_out';
import { setRange } from './select';
import type { Context } from './state';

/** One view back (-1) or forth (+1); false where there is none. */
export function travel(context: Context, step: 1 | -1): boolean {
  const { state, frame } = context;
  const place = nextPlace(context, step);
  if (!place) return false;
  state.window = place.window;
  if (state.rows !== place.rows) {
    state.rows = place.rows;
    layOut(context);
  }
  state.scroll_y = Math.min(place.scroll_y, lowestScroll(state));
  state.hover = null;
  if (state.range !== place.range || state.range_lanes !== place.range_lanes)
    setRange(context, place.range, place.range_lanes);
  frame.invalidate(Changed.view | Changed.hover);
  arrived();
  return true;
}
