// Back and forth through the views that the user has had.
import { Changed } from '../frame';
import { arrived, nextPlace, sameWindow } from './history';
import { layOut, lowestScroll } from './lay_out';
import { setOuterRange } from './select';
import type { Context } from '../state';

/** One view back (-1) or forth (+1); false where there is none. */
export function travel(context: Context, step: 1 | -1): boolean {
  const { state, frame } = context;
  const place = nextPlace(context, step);
  if (!place) return false;
  state.window = place.window;
  state.gliding = null;
  if (state.rows !== place.rows) {
    state.rows = place.rows;
    layOut(context);
  }
  state.scroll_y = Math.min(place.scroll_y, lowestScroll(state));
  state.hover = null;
  // Lanes have other numbers once they are arranged otherwise.
  const lanes = place.rows.arranged_by === state.lanes.by ? place.range_lanes : null;
  if (!sameWindow(state.range, place.range) || state.range_lanes !== lanes) setOuterRange(context, place.range, lanes);
  frame.invalidate(Changed.view, Changed.hover);
  arrived(context);
  return true;
}
