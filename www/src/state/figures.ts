// What the core says of what is shown, asked for once for each thing that it is of: there, on its way, or failed and waiting for another try.
import type { AnswerOf, ParametersOf, Verb } from '../engine/engine';
import { attempt, reportFailure } from './failures';
import type { Context, State } from './state';
import type { Answers, Figures } from './types';

/** A verb, and what its answer is of. */
export interface About<V extends Verb> {
  verb: V;
  /** While all of this stays the same, so does the answer. Null where there is nothing to ask about. */
  of: (state: State) => readonly unknown[] | null;
}

/** The same with how to ask. */
export interface Question<V extends Verb> extends About<V> {
  parameters: (state: State) => ParametersOf<V>;
  /** What the user reads where it fails. */
  outcome: string;
  then?: (context: Context, answer: AnswerOf<V>) => void;
}

/** What most answers are of: what is shown. */
export const ofShown = ({ trace }: State): readonly unknown[] | null => trace && [trace];

/** The figures of what is asked about now; null where nobody has asked for them. */
export function figuresOf<V extends Verb>(state: State, { verb, of }: About<V>): Figures<AnswerOf<V>> | null {
  const figures = state.answers[verb];
  const now = of(state);
  return figures && now && isSame(figures.of, now) ? figures : null;
}

/** The answer; null while it is not there. */
export const answerTo = <V extends Verb>(state: State, about: About<V>): AnswerOf<V> | null => figuresOf(state, about)?.answer ?? null;

/** Asks, unless that was asked before. Null where there is nothing to ask about. */
export function request<V extends Verb>(context: Context, question: Question<V>): Figures<AnswerOf<V>> | null {
  const { state } = context;
  const of = question.of(state);
  if (!of) return null;
  const known = figuresOf(state, question);
  if (known) return known;
  const figures: Figures<AnswerOf<V>> = { of, answer: null, parts: null, has_failed: false };
  state.answers[question.verb] = figures as Answers[V];
  attempt(context, question.outcome, answered(context, figures, question));
  return figures;
}

/** Forgets the answer, so that whoever shows it asks again. */
export function askAgain({ state, frame }: Context, verb: Verb): void {
  delete state.answers[verb];
  frame.answered(verb);
}

async function answered<V extends Verb>(context: Context, figures: Figures<AnswerOf<V>>, question: Question<V>): Promise<void> {
  const { state, engine, frame } = context;
  const { verb, parameters, outcome, then } = question;
  const tell = (parts: Figures<unknown>['parts']) => {
    figures.parts = parts;
    frame.answered(verb);
  };
  try {
    figures.answer = await engine.follow(tell, verb, ...parameters(state));
  } catch (thrown) {
    figures.has_failed = reportFailure(context, outcome, thrown);
    // What was superseded is asked again, should it be shown again.
    if (!figures.has_failed) figures.of = null;
    frame.answered(verb);
    return;
  }
  then?.(context, figures.answer);
  frame.answered(verb);
}

const isSame = (a: readonly unknown[] | null, b: readonly unknown[]): boolean =>
  a !== null && a.length === b.length && a.every((part, at) => part === b[at]);
