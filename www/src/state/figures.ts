// Figures that the core works out once for each thing that is shown: asked for, there, or failed and waiting for another try.
import { attempt, reportFailure } from './failures';
import type { Context } from './state';
import type { Parts } from '../engine/protocol';
import type { Figures } from './types';

interface Asking<T> {
  /** `tell` hears how far the core is. */
  question: (tell: (parts: Parts) => void) => Promise<T>;
  /** What the user reads where it fails. */
  outcome: string;
  /** What the answer changes. */
  changed: number;
  then?: (answer: T) => void;
}

/** The figures of `of`: `known` if they are of it; otherwise sends the question, and returns figures that await the answer. */
export function figuresOf<T>(context: Context, known: Figures<T> | null, of: unknown, asking: Asking<T>): Figures<T> {
  if (known && known.of === of) return known;
  const figures: Figures<T> = { of, answer: null, parts: null, has_failed: false };
  attempt(context, asking.outcome, answered(context, figures, asking));
  return figures;
}

async function answered<T>(context: Context, figures: Figures<T>, { question, outcome, changed, then }: Asking<T>): Promise<void> {
  try {
    figures.answer = await question((parts) => {
      figures.parts = parts;
      context.frame.invalidate(changed);
    });
  } catch (thrown) {
    figures.has_failed = reportFailure(context, outcome, thrown);
    // What was superseded is asked again, should it be shown again.
    if (!figures.has_failed) figures.of = null;
    context.frame.invalidate(changed);
    return;
  }
  then?.(figures.answer);
  context.frame.invalidate(changed);
}
