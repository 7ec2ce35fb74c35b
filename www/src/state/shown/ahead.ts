// Asks ahead: while nothing else is asked and no hand is on the page, for what its tabs show when they are first opened.
//
// One question at a time, each after a pause, and only of traces that are small: the worker answers one after the other, and what a user asks
// then waits for the answer to one of these at most.
import type { Verb } from '../../engine/engine';
import { Changed } from '../frame';
import { figuresOf, request, type Question } from '../figures';
import type { Context } from '../state';
import type { OpenTrace } from '../types';
import { MEMORY } from './memory';
import { NETWORK } from './network';
import { SCHEDULING } from './scheduling';

/** Nobody has touched the page for so long. */
const PAUSE_MS = 700;
/** Of more ops an answer takes the worker longer than a user notices. */
const MOST_OPS = 100_000;

/** Memory first: its place goes where none was recorded, and should not go under a hand. */
const QUESTIONS = [MEMORY, NETWORK, SCHEDULING] as readonly Question<Verb>[];

export function askAhead(context: Context): void {
  const { state, frame } = context;
  let timer = 0;
  let of: OpenTrace | null = null;
  const next = () => {
    const { trace } = state;
    if (!trace || trace !== of) return;
    // What is asked already is on its way: the next one waits for it.
    if (QUESTIONS.some((question) => isOnItsWay(question))) return later();
    const is_small = trace.summary.ops <= MOST_OPS;
    const question = is_small ? QUESTIONS.find((one) => figuresOf(state, one) === null) : undefined;
    if (!question) {
      performance.mark('steplens:ahead');
      return;
    }
    request(context, question);
    later();
  };
  const isOnItsWay = (question: Question<Verb>): boolean => {
    const figures = figuresOf(state, question);
    return figures !== null && figures.answer === null && !figures.has_failed;
  };
  const later = () => {
    clearTimeout(timer);
    timer = window.setTimeout(next, PAUSE_MS);
  };
  for (const hand of ['pointerdown', 'pointermove', 'wheel', 'keydown'])
    addEventListener(
      hand,
      () => {
        if (timer !== 0) later();
      },
      { passive: true },
    );
  frame.onDom([Changed.trace, Changed.totals], () => {
    if (!state.trace || (state.trace.summary.transfers ?? null) === null) return;
    of = state.trace;
    later();
  });
}
