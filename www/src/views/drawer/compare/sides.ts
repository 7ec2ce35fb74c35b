// Which two steps are compared: their names and lengths, the step of B, and what can be done with them.
import { clauses } from '../../../base/joined';
import { el, fill, setText } from '../../../base/dom';
import { say } from '../../../base/messages';
import { formatDuration } from '../../../base/time';
import { countOfSteps, placeOfStep, rowOfStep } from '../../../state/opened/steps';
import { closeComparison, nameOfOther, nameOfTrace, showOtherStep, swapCompared } from '../../../state/opened/compare';
import type { Context } from '../../../state/state';
import { pickCompared } from '../../start/drop';
import { titled } from '../../keys/bindings';

export interface Sides {
  element: HTMLElement;
  show: () => void;
}

export function sidesPart(context: Context): Sides {
  const { state } = context;
  const [a, b] = [line('a', say('cmp-a')), line('b', say('cmp-b'))];
  const step = el('input', {
    type: 'number',
    class: 'cmp-step',
    'aria-label': say('cmp-step-of-b'),
    title: say('cmp-step-of-b'),
    onchange: () => {
      const row = state.other ? rowOfStep(state.other.steps, Math.round(Number(step.value))) : -1;
      if (row >= 0) showOtherStep(context, row);
      else show();
    },
  });
  const typical = chip(say('cmp-typical'), say('cmp-typical-about'), () => showOtherStep(context, 'typical'));
  const of = el('span', { class: 'note' });
  const choice = el('span', { class: 'cmp-choice' }, el('span', { class: 'note' }, say('cmp-step')), step, of, typical);
  b.element.append(choice);
  const actions = el(
    'div',
    { class: 'cmp-actions' },
    chip(say('cmp-swap'), say('cmp-swap-about'), () => swapCompared(context)),
    chip(say('cmp-another'), titled(say('cmp-another-about'), 'compare'), pickCompared),
    chip(say('cmp-close'), say('cmp-close-about'), () => closeComparison(context)),
  );
  const problems = el('p', { class: 'note cmp-problems', hidden: true });
  const show = () => {
    const { trace, other } = state;
    if (!trace || !other) return;
    const { steps: list } = state;
    const step_of_a = list && trace.view.step !== null && list.steps.length > 1 ? placeOfStep(list, trace.view.step) : '';
    const took = trace.view.step !== null && trace.view.step === other.typical_of_a;
    a.show(nameOfTrace(trace), clauses([step_of_a, took && say('cmp-took-typical')]), trace.summary.span_ns);
    b.show(other.sources === null ? say('cmp-same-trace') : nameOfOther(other), '', other.summary.span_ns);
    const steps = other.steps.steps.flatMap(({ called }) => called ?? []);
    choice.hidden = other.steps.steps.length < 2;
    const row = other.view.step;
    if (document.activeElement !== step) step.value = String(row === null ? '' : (other.steps.steps[row]?.called ?? ''));
    [step.min, step.max] = [String(Math.min(...steps)), String(Math.max(...steps))];
    setText(of, say('cmp-of-steps', { count: countOfSteps(other.steps) }));
    const found = other.sources === null ? [] : other.whole.files.flatMap(({ problems }) => problems);
    problems.hidden = found.length === 0;
    if (found.length > 0) fill(problems, say('cmp-problems-of-b', { count: found.length, first: found[0]?.detail ?? '' }));
  };
  return { element: el('div', { class: 'cmp-sides' }, a.element, b.element, problems, actions), show };
}

const chip = (words: string, title: string, onclick: () => void) => el('button', { class: 'chip', type: 'button', title, onclick }, words);

function line(side: 'a' | 'b', letter: string) {
  const [name, step, length] = [el('span', { class: 'cmp-name' }), el('span', { class: 'note' }), el('span', { class: 'figure' })];
  const element = el('div', { class: `cmp-side is-${side}` }, el('span', { class: 'cmp-letter' }, letter), name, step, length);
  return {
    element,
    show: (text: string, of: string, ns: number) => {
      setText(name, text);
      name.title = text;
      setText(step, of);
      setText(length, formatDuration(ns));
    },
  };
}
