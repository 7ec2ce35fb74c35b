// Motion to another window: what is drawn moves, and the view is at its end from the start. So whatever is asked, remembered or written into
// the address meanwhile is about where the motion ends, and nothing can come to rest on its way.
import { contains, windowBetween, type Window } from '../../base/time_scale';
import { Changed } from '../frame';
import type { Context, State } from '../state';

/** Long enough to see where it goes, too short to wait for. */
const GLIDE_MS = 170;

/** What is drawn now. */
export const drawnWindow = ({ gliding, window }: Pick<State, 'gliding' | 'window'>): Window => gliding ?? window;

/** Draws the way from `from` to the window of the view, at once where the system asks for no motion. */
export function glideFrom(context: Context, from: Window): void {
  const { state, frame } = context;
  const target = state.window;
  const still = from.start === target.start && from.end === target.end;
  if (still || document.hidden || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  let last = from;
  let passed_ms = 0;
  state.gliding = from;
  frame.animate((elapsed_ms) => {
    if (state.gliding !== last) return false;
    passed_ms += elapsed_ms;
    if (state.window !== target || passed_ms >= GLIDE_MS) {
      endGlide(context);
      return false;
    }
    last = windowBetween(from, target, 1 - (1 - passed_ms / GLIDE_MS) ** 3);
    state.gliding = last;
    frame.invalidate(Changed.glide);
    return true;
  });
}

/** Draws the end of the motion. */
export function endGlide({ state, frame }: Context): void {
  if (!state.gliding) return;
  state.gliding = null;
  frame.invalidate(Changed.view);
}

/** Any hand or key ends it: what it is about is the view that is there. */
export function endGlideOnInput(context: Context): void {
  for (const kind of ['pointerdown', 'wheel', 'keydown'] as const) {
    addEventListener(kind, () => endGlide(context), { capture: true, passive: true });
  }
}

/** Whether figures at hand do until the motion ends: they cover where it leads to. */
export const doesForMotion = ({ gliding, window }: State, { start_ns, end_ns }: { start_ns: number; end_ns: number }): boolean =>
  gliding !== null && contains({ start: start_ns, end: end_ns } as Window, window);
