// Whose gestures the timeline has: those of Steplens, or of another viewer that the user's hands know.
import type { State } from '../state';
import type { Gestures } from '../types';
import { keep } from './preferences';

export function chooseGestures(state: State, gestures: Gestures): void {
  state.gestures = gestures;
  keep('gestures', gestures);
}
