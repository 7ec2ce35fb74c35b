// What the file says of a step besides its times: fetches, feeds, ids, statistics, each in full.
import { el, fill } from '../../../base/dom';
import { plural } from '../../../base/format';
import { formatDuration } from '../../../base/time';
import { Changed } from '../../../state/frame';
import { nameOfStep } from '../../../state/opened/steps';
import type { Context } from '../../../state/state';
import { factLine } from '../../shared/parts';
import { momentOf } from './step_columns';

export function stepFacts(context: Context): HTMLElement {
  const { state, frame } = context;
  const element = el('section', { class: 'step-facts', 'aria-label': 'What the file says of the step', tabindex: 0 });
  frame.onDom(Changed.steps | Changed.trace, () => {
    const { steps, trace, looking, read_step } = state;
    const row = read_step ?? (looking ?? trace?.view)?.step ?? (steps?.steps.length === 1 ? 0 : null);
    const step = row === null ? undefined : steps?.steps[row];
    const has_facts = steps?.steps.some(
      ({ facts, name, recorded_unix_ns }) => facts.length > 0 || name !== '' || recorded_unix_ns !== null,
    );
    element.hidden = !has_facts;
    if (!has_facts) return;
    if (!step || row === null) {
      fill(element, el('p', { class: 'note' }, 'Choose a step to read what the file says of it.'));
      return;
    }
    fill(
      element,
      el('h2', { class: 'range-title' }, ['Step ' + (row + 1), nameOfStep(steps, row)].filter(Boolean).join(' · ')),
      step.ops === 0 && el('p', { class: 'note' }, 'No op was recorded in this run, so there is no picture of it.'),
      el(
        'dl',
        { class: 'facts-list' },
        factLine('file', step.file),
        step.recorded_unix_ns !== null && factLine('recorded', `${momentOf(step.recorded_unix_ns)} UTC`),
        step.ops > 0 && factLine('holds', `${plural(step.ops, 'op')}, ${formatDuration(step.window_ns)}`),
        step.parts > 1 && factLine('made of', plural(step.parts, 'recording')),
        ...step.facts.map(([what, value]) => factLine(what, value)),
      ),
    );
  });
  return element;
}
