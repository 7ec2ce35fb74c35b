// Whether the step bar shows what any device does, or the mean.
import { Changed } from '../frame';
import type { Context } from '../state';

export function toggleAnyDevice({ state, frame }: Context): void {
  state.any_device = !state.any_device;
  frame.invalidate(Changed.scope);
}
