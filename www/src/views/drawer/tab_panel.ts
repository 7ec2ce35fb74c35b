// What the panel of a tab is: `panel` of each folder here. Most panels show what the core answers to one verb.
import type { AnswerOf, Verb } from '../../engine/engine';
import type { Question } from '../../state/figures';
import { Changed, type On } from '../../state/frame';
import type { Context, State } from '../../state/state';
import type { Tab } from '../../state/tabs';
import type { Figures } from '../../state/types';
import { asking } from '../shared/asking';

/** Makes the panel of `tab`, when that is shown for the first time. */
export type MakePanel = (context: Context, tab: Tab) => HTMLElement;

export const isShown = (state: State, tab: Tab): boolean => state.trace !== null && state.tab === tab && state.drawer_open;

interface AnswerPanel<V extends Verb> {
  ask: Question<V>;
  /** What the user reads in it where that fails, with a button to try again. */
  failed: string;
  /** What it is drawn for again while it is shown, besides the answer, another trace and the drawer. */
  changed?: On;
  /** Other verbs whose answers it shows. */
  also?: readonly Verb[];
  make: (context: Context, tools: Tools) => { element: HTMLElement; show: (figures: Figures<AnswerOf<V>>) => void };
}

interface Tools {
  /** Has its place in the panel. */
  failed: HTMLElement;
  /** To be called when the panel has something else to show of its own accord. */
  again: () => void;
}

export const answerPanel =
  <V extends Verb>({ ask: question, failed: words, changed = [], also = [], make }: AnswerPanel<V>): MakePanel =>
  (context, tab) => {
    const { state, frame } = context;
    const { failed, ask } = asking(context, question, words);
    const { element, show } = make(context, { failed, again: () => again() });
    const again = frame.onDom([Changed.trace, Changed.drawer, ...changed, question.verb, ...also], () => {
      if (!isShown(state, tab)) return;
      const figures = ask();
      if (figures) show(figures);
    });
    return element;
  };
