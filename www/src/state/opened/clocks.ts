// The clocks of tasks: what is known of them, what they are set by, and what the user is about to set them by.
import { say } from '../../base/messages';
import { ns } from '../../base/time';
import type { Clocks, Ns, PairOfTasks, TaskClock } from '../../engine/protocol';
import { reportFailure } from '../failures';
import type { Question } from '../figures';
import { cause } from '../frame';
import { BY_HAND, ESTIMATED } from './clock_words';
import { showView } from './show_view';
import type { Context, State } from '../state';

/** What is typed to set clocks by, and what then points back in time. */
export const CLOCKS_CHANGED = cause('clocks');

/** One clock is compared with none. */
export const hasClocks = ({ trace }: State): boolean => new Set(trace?.whole.devices.map(({ task }) => task).filter(Boolean)).size > 1;

/** Clocks are compared once for each choice of repairs and patterns. */
export const CLOCKS: Question<'clocks'> = {
  verb: 'clocks',
  of: ({ trace }) => trace && [[...trace.view.repairs, ...trace.view.communication].join()],
  parameters: () => [],
  outcome: say('not-compared'),
};

/** What clocks are set by, or will be. */
export const shownClocks = ({ pending_view, trace }: State): readonly string[] => (pending_view ?? trace?.view)?.clocks ?? [];

/** What is subtracted from the times of a task by `words`. */
export function offsetBy(words: readonly string[], { task, offset_ns }: TaskClock): Ns {
  const by_hand = words.map((word) => BY_HAND.exec(word)).findLast((found) => found?.[1] === task);
  if (by_hand) return ns(Number(by_hand[2]));
  return words.includes(ESTIMATED) ? offset_ns : ns(0);
}

/** What is shown now, with what is typed in its place. */
export function draftWords(state: State): string[] {
  const { clock_draft } = state;
  const shown = shownClocks(state);
  if (!clock_draft) return [...shown];
  const base = shown.filter((word) => !clock_draft.has(BY_HAND.exec(word)?.[1] ?? ''));
  return [...base, ...[...clock_draft].map(([task, offset]) => `${task}=${Math.round(offset)}`)];
}

export function setClocks(context: Context, clocks: readonly string[]): void {
  context.state.clock_draft = null;
  context.frame.invalidate(CLOCKS_CHANGED);
  showView(context, { clocks });
}

/** Takes what was typed for a task. */
export function draftOffset({ state, frame }: Context, task: string, offset: Ns): void {
  state.clock_draft = new Map(state.clock_draft).set(task, offset);
  frame.invalidate(CLOCKS_CHANGED);
}

/** By pairs of tasks, what points back in time where clocks are set by `words`; null until the core has counted. */
export function earlyBy(context: Context, figures: Clocks, words: string[]): readonly PairOfTasks[] | null {
  const { state, engine, frame } = context;
  const [only] = words;
  if (only === undefined) return figures.pairs.map((pair) => ({ ...pair, violations_after: pair.violations_before }));
  if (only === ESTIMATED && words.length === 1) return figures.pairs;
  if (state.clock_count?.words === words.join()) return state.clock_count.pairs;
  const counted = async () => {
    const pairs = await engine.ask('violations', words);
    state.clock_count = { words: words.join(), pairs };
    frame.invalidate(CLOCKS_CHANGED);
  };
  state.queues.clocks.add(counted, (thrown) => reportFailure(context, say('not-compared'), thrown));
  return null;
}
