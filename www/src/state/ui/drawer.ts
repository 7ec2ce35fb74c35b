// The drawer: whether it is below the timeline, next to it or in its place, how large it is, and whether it is open.
import { clamp } from '../../base/geom';
import { Changed } from '../frame';
import { drawerHeightName, drawerWidthName, forget, keep, restoreDrawerSize } from './preferences';
import { heightOfFirstPlace, isAtSide, LEAST_WIDTH } from './low_window';
import type { Context, State } from '../state';

export const LEAST_DRAWER = 96;

export function toggleDrawer({ state, frame }: Context): void {
  state.drawer_open = !state.drawer_open;
  state.drawer_full = false;
  state.drawer_modest = false;
  keep('drawer-open', state.drawer_open ? 'yes' : 'no');
  frame.invalidate(Changed.drawer, Changed.layout);
}

export const widestDrawer = (): number => Math.max(LEAST_WIDTH, Math.round(innerWidth - 2 * LEAST_WIDTH));

/** To the other side of the timeline than it is on. What the window would have it at anyway is not kept: another window may have it elsewhere. */
export function moveDrawer(context: Context): void {
  const { state, frame } = context;
  const is_now_at_side = isAtSide({ ...state, drawer_open: true });
  const wanted = is_now_at_side ? 'below' : 'at-side';
  const would_be = isAtSide({ drawer_open: true, drawer_place: 'auto' }) ? 'at-side' : 'below';
  state.drawer_place = wanted === would_be ? 'auto' : wanted;
  state.drawer_full = false;
  state.compares_below = true;
  state.drawer_open = true;
  if (state.drawer_place === 'auto') forget('drawer-place');
  else keep('drawer-place', state.drawer_place);
  frame.invalidate(Changed.drawer, Changed.layout);
}

/** Two traces that are compared show the lanes of both: they have the room of the timeline, unless the user gives it back. */
const comparesInFull = ({ tab, other, compares_below }: State): boolean => tab === 'compare' && other !== null && !compares_below;

/** Whether it has the timeline's room. */
export const isDrawerFull = (state: State): boolean => state.drawer_open && (state.drawer_full || comparesInFull(state));

/** Gives the drawer the timeline's room, or gives it back. */
export function toggleDrawerFull({ state, frame }: Context): void {
  const is_full = isDrawerFull(state);
  state.compares_below = is_full;
  // What is opened next has its lanes, whatever was compared.
  state.drawer_full = !is_full && !comparesInFull(state);
  state.drawer_open = true;
  state.drawer_yields = false;
  frame.invalidate(Changed.drawer, Changed.layout);
}

/** True if the timeline has its room again. */
export function leaveDrawerFull({ state, frame }: Context): boolean {
  if (!isDrawerFull(state)) return false;
  state.drawer_full = false;
  state.compares_below = true;
  frame.invalidate(Changed.drawer, Changed.layout);
  return true;
}

export function setDrawerWidth({ state, frame }: Context, width: number): void {
  state.drawer_width = clamp(width, LEAST_WIDTH, widestDrawer());
  keep(drawerWidthName(), String(Math.round(state.drawer_width)));
  frame.invalidate(Changed.drawer, Changed.layout);
}

/** In another window it is as large as the user made it on that screen, or as the window proposes. */
export function keepDrawerHeight({ state, frame }: Context): void {
  addEventListener('resize', () => {
    restoreDrawerSize(state);
    // A window that gets wide or narrow moves it.
    frame.invalidate(Changed.drawer, Changed.layout);
  });
}

/** Room for the tabs and a hint. */
const LOW = 124;

/** How tall the drawer is now. */
export const shownDrawerHeight = ({
  drawer_height,
  drawer_yields,
  drawer_modest,
}: Pick<State, 'drawer_height' | 'drawer_yields' | 'drawer_modest'>): number => {
  const height = drawer_modest ? Math.min(drawer_height, heightOfFirstPlace()) : drawer_height;
  return drawer_yields ? Math.min(height, LOW) : height;
};

export function setDrawerHeight({ state, frame }: Context, height: number): void {
  state.drawer_yields = false;
  state.drawer_modest = false;
  state.drawer_height = clamp(height, LEAST_DRAWER, Math.max(LEAST_DRAWER, innerHeight * 0.7));
  keep(drawerHeightName(), String(Math.round(state.drawer_height)));
  frame.invalidate(Changed.drawer, Changed.layout);
}
