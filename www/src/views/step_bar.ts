// The step, or the selected range of it, as one bar with figures.
import { el, setText } from '../base/dom';
import { formatDuration, formatPoint } from '../base/time';
import { Changed } from '../state/frame';
import { setRange } from '../state/select';
import { scope, scopeSplit, type Context } from '../state/state';
import { splitBar } from './split_bar';

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
  frame.onDom(Changed.trace | Changed.scope, () => {
    if (!state.trace) return;
    const { start, end } = scope(state);
    const all = state.trace.view.step === null && state.trace.summary.view.steps > 1;
    const whole = all ? 'All steps' : 'Whole step';
    setText(what, state.range ? 'Range' : whole);
    setText(length, formatDuration(end - start));
    clear.hidden = !state.range;
    what.title = state.range
      ? `${formatPoint(start, 1000)} to ${formatPoint(end, 1000)}`
      : 'All devices together: at every moment the step computes if any device computes, and so on';
    const split = scopeSplit(state, null);
    if (split) bar.update(split, state.range ? 'Selected range' : whole);
  });
  return el('div', { class: 'step-row' }, el('div', { class: 'side' }, what, length, clear), bar.element);
}
