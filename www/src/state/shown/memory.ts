// The tab of memory: what it asks for, and what of it is chosen. Each answer is asked for once for what is chosen.
import { say } from '../../base/messages';
import type { Ns } from '../../base/time';
import type { Window } from '../../base/time_scale';
import type { AnswerOf, Verb } from '../../engine/engine';
import type { AliveBy, MemoryAlive, MemoryPicture, MemoryPlace, MemoryWhy } from '../../engine/protocol';
import { ofShown, request, type Question } from '../figures';
import { cause, Changed } from '../frame';
import { announce, type Context } from '../state';
import { layOut } from './lay_out';
import { chosenPlace } from './memory_accounts';

/** The live bytes under the devices have arrived, or are of another account. */
export const MEMORY_LANES_CHANGED = cause('memory_lanes');

/** Another account, moment or tensor is chosen. */
export const MEMORY_CHANGED = cause('memory');

/** Rows of what is alive that the tab lists at most; its head says how many there are. */
const MOST_ROWS = 1000;
/** Boxes that are drawn one by one. */
const MOST_BOXES = 64;

const NOT_READ = say('memory-not-read');

export const MEMORY: Question<'memory'> = {
  verb: 'memory',
  of: ofShown,
  parameters: () => [],
  outcome: NOT_READ,
  // Lanes under devices take room as soon as it is known which devices have any.
  then: (context) => {
    if (context.state.memory_shown) layOut(context);
  },
};

/** What is alive at the moment that is shown. */
export function requestAlive(context: Context): MemoryAlive | null {
  const { state } = context;
  const place = chosenPlace(state);
  if (!place) return null;
  const { memory_at: at_ns, memory_by: by } = state;
  return answerOf(context, {
    verb: 'memoryAlive',
    of: () => [state.trace, place.reading, place.account, at_ns, by],
    parameters: () => [{ ...place, at_ns, by, most: MOST_ROWS }],
    outcome: NOT_READ,
  });
}

/** Why the chosen tensor is alive then. */
export function requestWhy(context: Context): MemoryWhy | null {
  const { state } = context;
  const place = chosenPlace(state);
  const { memory_at: at_ns, memory_life: life } = state;
  if (!place || life === null) return null;
  return answerOf(context, {
    verb: 'memoryWhy',
    of: () => [state.trace, place.reading, place.account, at_ns, life],
    parameters: () => [{ ...place, life, at_ns }],
    outcome: NOT_READ,
  });
}

/** The curve and the boxes of `window`, for a picture so many pixels wide. */
export function requestPicture(context: Context, { start, end }: Window, width_px: number): MemoryPicture | null {
  const { state } = context;
  const place = chosenPlace(state);
  if (!place || !state.trace || width_px <= 0) return null;
  const { reading, account } = place;
  const query = { start_ns: start, end_ns: end, width_px, reading, accounts: Uint32Array.of(account) };
  return answerOf(context, {
    verb: 'memoryPicture',
    of: () => [state.trace, reading, account, start, end, width_px],
    parameters: () => [query, MOST_BOXES],
    outcome: NOT_READ,
  });
}

const answerOf = <V extends Verb>(context: Context, question: Question<V>): AnswerOf<V> | null =>
  request(context, question)?.answer ?? null;

export function choosePlace(context: Context, place: MemoryPlace): void {
  const { state, frame } = context;
  state.memory_place = place;
  state.memory_at = state.memory_life = null;
  state.memory_lanes = null;
  if (state.memory_shown) layOut(context);
  frame.invalidate(MEMORY_CHANGED, MEMORY_LANES_CHANGED);
}

export function chooseAliveBy({ state, frame }: Context, by: AliveBy): void {
  state.memory_by = by;
  frame.invalidate(MEMORY_CHANGED);
}

/** Looks at a moment; at the peak with null. */
export function chooseMoment({ state, frame }: Context, at: Ns | null): void {
  state.memory_at = at;
  frame.invalidate(MEMORY_CHANGED);
}

/** Asks why a tensor is alive. */
export function chooseLife(context: Context, life: number | null, name: string): void {
  context.state.memory_life = life;
  announce(context, name === '' ? say('no-tensor-chosen') : say('why-alive', { tensor: name }), MEMORY_CHANGED, Changed.notice);
}
