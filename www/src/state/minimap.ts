// The minimap's shares: asked for once for each thing that is looked at.
import type { Context } from './state';
import { Changed } from './frame';

/** Finer than any screen's minimap needs. */
export const MINIMAP_BINS = 1024;

export function requestMinimap({ state, engine, frame }: Context): void {
  const { trace } = state;
  void engine.minimap(MINIMAP_BINS).then((minimap) => {
    if (state.trace !== trace) return;
    state.minimap = minimap;
    frame.invalidate(Changed.marks);
  });
}
