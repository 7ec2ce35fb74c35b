// Everything the page may ask. Each answer is a promise; a worker stands behind it.
import type { Found, OpenOptions, Parts, Progress, Source, Summary } from './protocol';
import type { Answer } from './verbs/verb';
import type { VERBS } from './verbs/verbs';

type Verbs = typeof VERBS;

export type Verb = keyof Verbs;
export type ParametersOf<V extends Verb> = Parameters<Verbs[V]['answer']>;
export type AnswerOf<V extends Verb> = ReturnType<Verbs[V]['answer']> extends Answer<infer T> ? T : never;

export interface Engine {
  /**
   * Opens `sources` as one trace. The trace that was open stays until this one is whole; a failure leaves it untouched. `setup`
   * says what the first picture is to show, in the terms of the function that the worker was started with; its answer comes back.
   */
  open<PageSetup, Picture>(
    sources: Source[],
    options: OpenOptions,
    setup: Promise<PageSetup>,
    progress: (p: Progress) => void,
  ): Promise<Picture>;
  /** Opens `sources` as B, which the open trace is compared with, and says what they hold; a failure leaves everything as it is. */
  openOther(sources: Source[], options: OpenOptions, progress: (p: Progress) => void): Promise<Summary>;
  /** Makes B the open trace, and that one B. Its first picture is as that of `open`. */
  swap<PageSetup, Picture>(setup: Promise<PageSetup>): Promise<Picture>;
  /** Reads `sources` without opening them, only to count what they hold. */
  count(sources: Source[], progress: (p: Progress) => void): Promise<Found>;
  /** Stops the opening or counting in progress; its promise rejects with the code `cancelled`. */
  cancel(): void;
  /** Asks about what is open. `verbs/` says what each verb is. */
  ask<V extends Verb>(verb: V, ...parameters: ParametersOf<V>): Promise<AnswerOf<V>>;
  /** The same; `tell` hears how far the answer is, where it comes in pieces. */
  follow<V extends Verb>(tell: (parts: Parts) => void, verb: V, ...parameters: ParametersOf<V>): Promise<AnswerOf<V>>;
}
