// What counts as communication beyond what names and formats say: patterns of the user's, a part of the view.
import { say } from '../../base/messages';
import { errorBody, SUPERSEDED } from '../../engine/errors';
import type { Context, State } from '../state';
import { MOST_PATTERNS, patternOfType } from './pattern_words';
import { showView } from './show_view';

/** Those in force, or about to be. */
export const shownPatterns = ({ pending_view, trace }: State): readonly string[] => (pending_view ?? trace?.view)?.communication ?? [];

/** Takes a pattern. Gives the sentence why it is none, or '' where it is in force now. */
export async function addPattern(context: Context, pattern: string): Promise<string> {
  const { state, engine } = context;
  if (pattern === '') return say('pattern-empty');
  if (shownPatterns(state).includes(pattern)) return say('pattern-known');
  if (shownPatterns(state).length >= MOST_PATTERNS) return say('patterns-full', { most: String(MOST_PATTERNS) });
  const whole = state.trace?.whole;
  for (let is_read = false; !is_read;) {
    try {
      await engine.ask('patternOps', [pattern]);
      is_read = true;
    } catch (thrown) {
      const { code, message } = errorBody(thrown);
      if (code === 'bad-option') return message;
      // Another view of the trace came meanwhile: a pattern can be read or not, whatever is shown.
      if (code !== SUPERSEDED || state.trace?.whole !== whole) throw thrown;
    }
  }
  showView(context, { communication: [...shownPatterns(state), pattern] });
  return '';
}

export function removePattern(context: Context, pattern: string): void {
  showView(context, { communication: shownPatterns(context.state).filter((other) => other !== pattern) });
}

/** Whether the user has said of this op type that it counts as communication. */
export const isCounted = (state: State, op_type: string): boolean => shownPatterns(state).includes(patternOfType(op_type));

/** Counts an op type as communication, or again as what its name says. */
export function toggleCounted(context: Context, op_type: string): void {
  const pattern = patternOfType(op_type);
  const shown = shownPatterns(context.state);
  if (shown.includes(pattern)) removePattern(context, pattern);
  else showView(context, { communication: [...shown, pattern].slice(-MOST_PATTERNS) });
}
