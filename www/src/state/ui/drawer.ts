// The drawer below the timeline: how tall it is, and whether it is open.
import { clamp } from '../../base/geom';
import { Changed } from '../frame';
import { drawerHeightName, keep, restoreDrawerHeight } from './preferences';
import type { Context, State } from '../state';

export const LEAST_DRAWER = 96;

export function toggleDrawer({ state, frame }: Context): void {
  state.drawer_open = !state.drawer_open;
  keep('drawer-open', state.drawer_open ? 'yes' : 'no');
  frame.invalidate(Changed.drawer | Changed.layout);
}

/** Moved to another screen, the drawer is as tall as it was there. */
export function keepDrawerHeight({ state, frame }: Context): void {
  let screen_name = drawerHeightName();
  addEventListener('resize', () => {
    if (drawerHeightName() === screen_name) return;
    screen_name = drawerHeightName();
    restoreDrawerHeight(state);
    frame.invalidate(Changed.drawer | Changed.layout);
  });
}

/** Room for the tabs and a hint. */
const LOW = 124;

/** How tall the drawer is now. */
export const shownDrawerHeight = ({ drawer_height, drawer_yields }: Pick<State, 'drawer_height' | 'drawer_yields'>): number =>
  drawer_yields ? Math.min(drawer_height, LOW) : drawer_height;

/** Opens it at least as tall as `share` of the window, and leaves it so tall another time as the user made it. */
export function growDrawerTo({ state, frame }: Context, share: number): void {
  state.drawer_height = Math.max(state.drawer_height, Math.round(innerHeight * share));
  frame.invalidate(Changed.drawer | Changed.layout);
}

export function setDrawerHeight({ state, frame }: Context, height: number): void {
  state.drawer_yields = false;
  state.drawer_height = clamp(height, LEAST_DRAWER, Math.max(LEAST_DRAWER, innerHeight * 0.7));
  keep(drawerHeightName(), String(Math.round(state.drawer_height)));
  frame.invalidate(Changed.drawer | Changed.layout);
}
