// The drawer's tab of comparing: what differs between the open trace, A, and another one, B, and where the difference comes from.
import { el, fill, setText } from '../../../base/dom';
import { say } from '../../../base/messages';
import type { ComparePage } from '../../../engine/protocol';
import { Changed } from '../../../state/frame';
import { compareWithStep } from '../../../state/opened/compare';
import { COMPARE, COMPARE_CHANGED } from '../../../state/shown/comparison';
import type { Context } from '../../../state/state';
import { titled } from '../../keys/bindings';
import { asking } from '../../shared/asking';
import { pickCompared } from '../../start/drop';
import { isShown, type MakePanel } from '../tab_panel';
import { findingsPart } from './findings';
import { matchesPart } from './matches';
import { mirrorPart } from './mirror';
import { sidesPart } from './sides';
import { tablesPart } from './tables';
import { waterfallPart } from './waterfall';

export const panel: MakePanel = (context, tab) => {
  const { state, frame } = context;
  const { failed, ask } = asking(context, COMPARE, say('cmp-failed'));
  const nothing = invitation(context);
  const sides = sidesPart(context);
  const sentence = el('p', { class: 'cmp-sentence', role: 'status' });
  const reasons = el('ul', { class: 'cmp-reasons' });
  const waterfall = waterfallPart(context);
  const waterfall_part = part(say('cmp-waterfall'), say('cmp-waterfall-about'), waterfall.element);
  const steps = el('p', { class: 'note cmp-steps-said' });
  const findings = findingsPart(context);
  const matches = matchesPart();
  const left = el(
    'div',
    { class: 'cmp-left' },
    sides.element,
    failed,
    sentence,
    reasons,
    waterfall_part,
    findings.element,
    steps,
    matches.element,
  );
  const mirror = mirrorPart(context);
  const tables = tablesPart(context);
  const right = el(
    'div',
    { class: 'cmp-right', role: 'group', tabindex: 0, 'aria-label': say('cmp-results') },
    part(say('mirror-title'), '', mirror.element),
    part(say('cmp-tables'), '', tables.element),
  );
  const element = el('div', { class: 'compare' }, nothing.element, left, right);
  let painted: ComparePage | null = null;
  frame.onDom([Changed.trace, Changed.drawer, COMPARE_CHANGED, Changed.steps, 'compare', 'compareFindings'], () => {
    if (!isShown(state, tab)) return;
    const { other } = state;
    nothing.element.hidden = other !== null;
    left.hidden = other === null;
    if (!other) {
      nothing.show();
      right.hidden = true;
      return;
    }
    sides.show();
    const figures = ask();
    const answer = figures?.answer ?? null;
    element.classList.toggle('is-waiting', answer === null);
    right.hidden = answer === null;
    waterfall_part.hidden = answer === null || answer.waterfall.length === 0;
    matches.element.hidden = steps.hidden = answer === null;
    findings.show();
    reasons.hidden = (answer?.not_comparable.length ?? 0) === 0;
    setText(sentence, answer ? answer.sentence : figures?.has_failed ? '' : say('comparing'));
    if (!answer || answer === painted) return;
    painted = answer;
    fill(
      reasons,
      ...answer.not_comparable.map((own) =>
        el('li', {}, el('span', { class: 'cmp-reason' }, own.sentence), ' ', el('span', { class: 'note' }, own.still)),
      ),
    );
    waterfall.show(answer);
    setText(steps, answer.steps.sentence);
    matches.show(answer);
    mirror.show();
    tables.show(answer);
  });
  return element;
};

function part(title: string, about: string, ...content: HTMLElement[]): HTMLElement {
  return el('section', { class: 'cmp-part' }, el('h2', {}, title), about !== '' && el('p', { class: 'note' }, about), ...content);
}

/** How to compare, while nothing is compared: with a file, or with another step. */
function invitation(context: Context): { element: HTMLElement; show: () => void } {
  const { state } = context;
  const open = el(
    'button',
    { class: 'button outlined', type: 'button', title: titled(say('cmp-with-file-about'), 'compare'), onclick: pickCompared },
    say('cmp-with-file'),
  );
  const step = el('select', { 'aria-label': say('cmp-with-step') });
  const go = el(
    'button',
    { class: 'button outlined', type: 'button', onclick: () => compareWithStep(context, Number(step.value)) },
    say('cmp-with-step-go'),
  );
  const steps = el('p', { class: 'cmp-with-step' }, el('span', {}, say('cmp-with-step')), step, go);
  let listed: readonly unknown[] = [];
  const wanted = el('p', { class: 'cmp-wanted' });
  const show = () => {
    const name = state.wanted_other?.name ?? null;
    wanted.hidden = name === null;
    setText(wanted, name === null ? '' : say('cmp-wanted', { name }));
    const all = state.steps?.steps ?? [];
    const with_ops = all
      .map(({ ops, called }, row) => ({ ops, called, row }))
      .filter(({ ops, row, called }) => ops > 0 && called !== null && row !== state.trace?.view.step);
    steps.hidden = with_ops.length === 0 || all.length < 2;
    const of = [state.trace, state.steps];
    if (of.every((part, at) => part === listed[at])) return;
    listed = of;
    fill(step, ...with_ops.slice(0, MOST_STEPS).map(({ row, called }) => el('option', { value: String(row) }, String(called ?? '–'))));
  };
  return { element: el('div', { class: 'cmp-nothing' }, wanted, el('p', {}, say('cmp-nothing-yet')), el('p', {}, open), steps), show };
}

/** More are chosen in the tab Steps. */
const MOST_STEPS = 500;
