// The tab of memory: what it asks for, and what of it is chosen. Each answer is asked for once for what is chosen.
import { say } from '../../base/messages';
import type { Ns } from '../../base/time';
import type { Window } from '../../base/time_scale';
import type { AliveBy, MemoryAlive, MemoryPicture, MemoryPlace, MemoryReport, MemoryWhy } from '../../engine/protocol';
import { figuresOf } from '../figures';
import { Changed } from '../frame';
import { announce, type Context } from '../state';
import type { Figures } from '../types';
import { layOut } from './lay_out';
import { chosenPlace } from './memory_accounts';

/** Rows of what is alive that the tab lists at most; its head says how many there are. */
const MOST_ROWS = 1000;
/** Boxes that are drawn one by one. */
const MOST_BOXES = 64;

const NOT_READ = say('memory-not-read');

export function requestMemory(context: Context): Figures<MemoryReport> | null {
  const { state, engine } = context;
  if (!state.trace) return null;
  state.memory = figuresOf(context, state.memory, state.trace, {
    question: () => engine.ask('memory'),
    outcome: NOT_READ,
    changed: Changed.memory,
    // Lanes under devices take room as soon as it is known which devices have any.
    then: () => {
      if (state.memory_shown) layOut(context);
    },
  });
  return state.memory;
}

/** Asks again after that has failed. */
export function retryMemory({ state, frame }: Context): void {
  state.memory = state.memory_alive = state.memory_why = state.memory_picture = null;
  frame.invalidate(Changed.memory);
}

/** What is alive at the moment that is shown. */
export function requestAlive(context: Context): MemoryAlive | null {
  const { state, engine } = context;
  const place = chosenPlace(state);
  if (!place) return null;
  const { memory_at: at_ns, memory_by: by } = state;
  state.memory_alive = figuresOf(context, state.memory_alive, `${keyOf(place)} ${at_ns} ${by}`, {
    question: () => engine.ask('memoryAlive', { ...place, at_ns, by, most: MOST_ROWS }),
    outcome: NOT_READ,
    changed: Changed.memory,
  });
  return state.memory_alive.answer;
}

/** Why the chosen tensor is alive then. */
export function requestWhy(context: Context): MemoryWhy | null {
  const { state, engine } = context;
  const place = chosenPlace(state);
  const { memory_at: at_ns, memory_life: life } = state;
  if (!place || life === null) return null;
  state.memory_why = figuresOf(context, state.memory_why, `${keyOf(place)} ${at_ns} ${life}`, {
    question: () => engine.ask('memoryWhy', { ...place, life, at_ns }),
    outcome: NOT_READ,
    changed: Changed.memory,
  });
  return state.memory_why.answer;
}

/** The curve and the boxes of `window`, for a picture so many pixels wide. */
export function requestPicture(context: Context, { start, end }: Window, width_px: number): MemoryPicture | null {
  const { state, engine } = context;
  const place = chosenPlace(state);
  if (!place || !state.trace || width_px <= 0) return null;
  const query = { start_ns: start, end_ns: end, width_px, reading: place.reading, accounts: Uint32Array.of(place.account) };
  state.memory_picture = figuresOf(context, state.memory_picture, `${keyOf(place)} ${start} ${end} ${width_px}`, {
    question: () => engine.ask('memoryPicture', query, MOST_BOXES),
    outcome: NOT_READ,
    changed: Changed.memory,
  });
  return state.memory_picture.answer;
}

const keyOf = ({ reading, account }: MemoryPlace): string => `${reading} ${account}`;

export function choosePlace(context: Context, place: MemoryPlace): void {
  const { state, frame } = context;
  state.memory_place = place;
  state.memory_at = state.memory_life = null;
  state.memory_lanes = null;
  if (state.memory_shown) layOut(context);
  frame.invalidate(Changed.memory);
}

export function chooseAliveBy({ state, frame }: Context, by: AliveBy): void {
  state.memory_by = by;
  frame.invalidate(Changed.memory);
}

/** Looks at a moment; at the peak with null. */
export function chooseMoment({ state, frame }: Context, at: Ns | null): void {
  state.memory_at = at;
  frame.invalidate(Changed.memory);
}

/** Asks why a tensor is alive. */
export function chooseLife(context: Context, life: number | null, name: string): void {
  context.state.memory_life = life;
  announce(context, name === '' ? say('no-tensor-chosen') : say('why-alive', { tensor: name }), Changed.memory | Changed.notice);
}
