// What shows an answer of the core that comes later or fails: one place that asks, says that it failed, and tries again.
import type { AnswerOf, Verb } from '../../engine/engine';
import { askAgain, request, type Question } from '../../state/figures';
import type { Context } from '../../state/state';
import type { Figures } from '../../state/types';
import { failedNote } from './failed_note';

export interface Asking<V extends Verb> {
  /** Says that the answer did not come; hidden otherwise. */
  failed: HTMLElement;
  /** Asks for what is not there. Null where there is nothing to ask about. */
  ask: () => Figures<AnswerOf<V>> | null;
}

/** `words` say what failed. */
export function asking<V extends Verb>(context: Context, question: Question<V>, words: string): Asking<V> {
  const failed = failedNote(words, () => askAgain(context, question.verb));
  const ask = () => {
    const figures = request(context, question);
    failed.hidden = figures?.has_failed !== true;
    return figures;
  };
  return { failed, ask };
}
