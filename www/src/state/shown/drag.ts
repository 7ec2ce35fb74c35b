// The drag that is going on, for the key that takes it back.
import { noteView } from './history';
import type { Context } from '../state';

/** Says what takes back the drag that has begun; null once it has ended. A drag is one step of the view's history. */
export function dragging(context: Context, cancel: (() => void) | null): void {
  const { state } = context;
  const ended = state.cancel_drag !== null && cancel === null;
  state.cancel_drag = cancel;
  if (ended) noteView(context);
}

/** Stops the drag that is going on, if any, and takes it back. */
export function cancelDrag(context: Context): boolean {
  const { state } = context;
  if (!state.cancel_drag) return false;
  state.cancel_drag();
  dragging(context, null);
  return true;
}
