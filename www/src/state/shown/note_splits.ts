// How the time of each marked range divides, so that windows of one trace can be compared. Asked once for each, when the marks are shown.
import { say } from '../../base/messages';
import type { Split } from '../../engine/protocol';
import { attempt } from '../failures';
import { Changed } from '../frame';
import type { Context } from '../state';
import type { Note, OpenTrace } from '../types';

/** The split of a note's range: null while the core has not answered, undefined for a moment. */
export type NoteSplits = (note: Note) => Split | null | undefined;

export function noteSplits(context: Context): NoteSplits {
  const { state, engine, frame } = context;
  let of: OpenTrace | null = null;
  let known = new Map<string, Split | null>();
  return ({ start_ns, end_ns }) => {
    if (end_ns <= start_ns || !state.trace) return undefined;
    if (of !== state.trace) [of, known] = [state.trace, new Map()];
    const answers = known;
    const key = `${start_ns} ${end_ns}`;
    const split = answers.get(key);
    if (split !== undefined) return split;
    answers.set(key, null);
    const query = { start_ns, end_ns, device: null, lanes: null };
    const asked = engine.ask('range', query).then(({ step }) => {
      answers.set(key, step);
      frame.invalidate(Changed.notes);
    });
    attempt(context, say('mark-not-divided'), asked);
    return null;
  };
}
