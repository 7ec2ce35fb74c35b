// When a menu opens: the right mouse button, the key for menus, and a finger that rests. The menus are in the later part of the page; until it
// is there, the browser's own opens.
import type { OpId } from '../engine/protocol';
import { attempt } from '../state/failures';
import { OP_NOT_SHOWN } from '../state/shown/select';
import type { Context } from '../state/state';
import { onLongPress } from './shared/long_press';

export interface Point {
  x: number;
  y: number;
}

export function offerMenus(context: Context, root: HTMLElement): void {
  const opens = (target: HTMLElement, at: Point): boolean => context.later.there?.menuOf(context, target, at) ?? false;
  root.addEventListener('contextmenu', (event) => {
    const { target } = event;
    if (!(target instanceof HTMLElement) || event.defaultPrevented || !context.state.trace) return;
    if (opens(target, placeOf(event, target))) event.preventDefault();
  });
  onLongPress(root, (target, at) => context.state.trace !== null && !target.matches('canvas') && opens(target, at));
}

/** The menu of what is at a point of the lanes: a finger has rested there. */
export function menuAtOp(context: Context, op: OpId, at: Point): void {
  attempt(
    context,
    OP_NOT_SHOWN,
    context.later.get().then((later) => later.menuAtOp(context, op, at)),
  );
}

/** The key for menus has no place of its own. */
function placeOf({ clientX, clientY, button }: MouseEvent, target: HTMLElement): Point {
  if (button === 2) return { x: clientX, y: clientY };
  const { left, top } = target.getBoundingClientRect();
  return { x: left + 24, y: top + 24 };
}
