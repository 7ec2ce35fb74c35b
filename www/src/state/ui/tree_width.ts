// How wide the left column is: as wide as the user made it, or as the style sheet has it for this window.
import { clamp } from '../../base/geom';
import { Changed } from '../frame';
import { forget, keep } from './preferences';
import type { Context } from '../state';

export const LEAST_TREE = 120;
/** Of the window: the rest belongs to the lanes. */
export const WIDEST_TREE = 0.5;

export const widestTree = (): number => Math.max(LEAST_TREE, Math.round(innerWidth * WIDEST_TREE));

export function setTreeWidth({ state, frame }: Context, width: number): void {
  state.tree_width = Math.round(clamp(width, LEAST_TREE, widestTree()));
  keep('tree-width', String(state.tree_width));
  frame.invalidate(Changed.layout, Changed.view);
}

/** Back to what the style sheet has. */
export function resetTreeWidth({ state, frame }: Context): void {
  state.tree_width = null;
  forget('tree-width');
  frame.invalidate(Changed.layout, Changed.view);
}
