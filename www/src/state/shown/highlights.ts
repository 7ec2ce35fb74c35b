// What matters most in what is shown: asked for after the first frame, and again for each step or view.
import { say } from '../../base/messages';
import type { Highlights } from '../../engine/protocol';
import { figuresOf } from '../figures';
import { Changed } from '../frame';
import type { Context, State } from '../state';
import type { Figures } from '../types';

export function requestHighlights(context: Context): Figures<Highlights> | null {
  const { state, engine } = context;
  if (!state.trace) return null;
  state.highlights = figuresOf(context, state.highlights, state.trace, {
    question: () => engine.ask('highlights'),
    outcome: say('highlights-not-found'),
    changed: Changed.highlights,
  });
  return state.highlights;
}

/** Those of what is shown; null while they are not there. */
export const highlightsOf = ({ highlights, trace }: State): Highlights | null =>
  highlights && highlights.of === trace ? highlights.answer : null;
