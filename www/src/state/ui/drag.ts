// The drag that is going on, for the key that takes it back.
import type { Context } from '../state';

/** Says what takes back the drag that has begun; null once it has ended. */
export function dragging({ state }: Context, cancel: (() => void) | null): void {
  state.cancel_drag = cancel;
}

/** Stops the drag that is going on, if any, and takes it back. */
export function cancelDrag({ state }: Context): boolean {
  if (!state.cancel_drag) return false;
  state.cancel_drag();
  state.cancel_drag = null;
  return true;
}
