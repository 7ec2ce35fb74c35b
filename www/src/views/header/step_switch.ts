// Which step is shown, in the header: the one before, the one after, all on one axis; a click on its name lists them.
import { clauses } from '../../base/joined';
import { say } from '../../base/messages';
import { el, icon, setText } from '../../base/dom';
import { chooseTab } from '../../state/shown/tab';
import { Changed } from '../../state/frame';
import { showNextStep, toggleAllSteps } from '../../state/opened/show_view';
import { nameOfStep, nextStep, placeOfStep, WHY_ONE_STEP } from '../../state/opened/steps';
import type { Context } from '../../state/state';
import { titled } from '../keys/bindings';
import { ICONS } from '../shared/icons';

export function stepSwitch(context: Context): HTMLElement {
  const { state, frame } = context;
  const going = (by: 1 | -1) => {
    const words = by > 0 ? say('next-step-title') : say('previous-step-title');
    return el(
      'button',
      {
        class: 'button square small',
        type: 'button',
        title: titled(words, by > 0 ? 'next-step' : 'previous-step'),
        'aria-label': words,
        onclick: () => showNextStep(context, by),
      },
      icon(by > 0 ? ICONS.next : ICONS.previous),
    );
  };
  const [before, after] = [going(-1), going(1)];
  const place = el('span', { class: 'step-place' });
  const name = el('span', { class: 'step-name' });
  const list = el('button', { class: 'step-list', type: 'button', onclick: () => chooseTab(context, 'steps') }, place, name);
  const all = el('button', { class: 'chip', type: 'button', onclick: () => toggleAllSteps(context) }, say('all-steps-short'));
  all.setAttribute('aria-label', say('all-steps-title'));
  const element = el(
    'div',
    { class: 'step-switch', role: 'group', 'aria-label': say('step-title'), hidden: true },
    before,
    list,
    after,
    all,
  );
  frame.onDom(Changed.trace | Changed.steps, () => {
    const { trace, steps } = state;
    element.hidden = !trace || !steps || steps.steps.length < 2;
    if (!trace || !steps || element.hidden) return;
    // What was asked for is said at once; its picture follows.
    const { step } = state.pending_view ?? trace.view;
    setText(place, step === null ? say('steps', { count: steps.steps.length }) : placeOfStep(steps, step));
    setText(name, step === null ? '' : nameOfStep(steps, step));
    const why = steps.apart === undefined ? null : WHY_ONE_STEP[steps.apart];
    const lines = [
      step !== null && clauses([placeOfStep(steps, step), nameOfStep(steps, step)]),
      step === null ? say('all-steps-shown') : why && say('why-one-step', { why }),
      say('click-to-list'),
    ];
    list.title = lines.filter(Boolean).join('\n');
    all.title = titled(step === null ? say('back-to-one-step') : say('all-steps-title'), 'all-steps');
    all.setAttribute('aria-pressed', String(step === null));
    // Of a button that goes away under the finger the focus would be lost.
    before.setAttribute('aria-disabled', String(nextStep(steps, step, -1) === null));
    after.setAttribute('aria-disabled', String(nextStep(steps, step, 1) === null));
  });
  return element;
}
