// The step, or the selected range of it, as one bar with figures.
import { el, setText } from '../base/dom';
import { formatDuration, formatPoint } from '../base/time';
import { repairWords } from '../state/doctor';
import { Changed } from '../state/frame';
import { setRange } from '../state/select';
import { scope, scopeSplit, type Context } from '../state/state';
import { splitBar } from './split_bar';
import { REPAIRED_MARK } from './words';

export function stepBar(context: Context): HTMLElement {
  const { state, frame } = context;
  const bar = splitBar(true);
  const what = el('span', { class: 'scope-name' });
  const length = el('span', { class: 'scope-length' });
  const clear = el(
    'button',
    { class: 'chip', type: 'button', title: 'Back to the whole step (Esc)', onclick: () => setRange(context, null) },
    'clear',
  );
  const repaired = el('span', { class: 'repaired', role: 'img' }, REPAIRED_MARK);
  frame.onDom(Changed.trace | Changed.scope | Changed.steps, () => {
    if (!state.trace) return;
    const { start, end } = scope(state);
    const all = state.trace.view.step === null && state.trace.summary.view.steps > 1;
    const whole = all ? 'All steps' : 'Whole step';
    setText(what, state.range ? 'Range' : whole);
    setText(length, formatDuration(end - start));
    clear.hidden = !state.range;
    repaired.hidden = !state.trace.summary.devices.some((device) => device.repaired);
    repaired.title = repairWords(state);
    repaired.setAttribute('aria-label', repaired.title);
    what.title = state.range
      ? `${formatPoint(start, 1000)} to ${formatPoint(end, 1000)}`
      : 'All devices together: at every moment the step computes if any device computes, and so on';
    const split = scopeSplit(state, null);
    if (split) bar.update(split, `${state.range ? 'Selected range' : whole}${repaired.hidden ? '' : ', repaired'}`);
  });
  return el('div', { class: 'step-row' }, el('div', { class: 'side' }, what, length, repaired, clear), bar.element);
}
