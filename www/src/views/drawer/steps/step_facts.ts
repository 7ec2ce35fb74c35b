// What the file says of a step besides its times: fetches, feeds, ids, statistics, each in full.
import { clauses } from '../../../base/joined';
import { say } from '../../../base/messages';
import { el, fill } from '../../../base/dom';
import { formatDuration } from '../../../base/time';
import { Changed } from '../../../state/frame';
import { nameOfStep, titleOfStep } from '../../../state/opened/steps';
import type { Context } from '../../../state/state';
import { factLine } from '../../shared/parts';
import { momentOf } from './step_columns';

export function stepFacts(context: Context): HTMLElement {
  const { state, frame } = context;
  const element = el('section', { class: 'step-facts', 'aria-label': say('step-facts'), tabindex: 0 });
  frame.onDom([Changed.steps, Changed.trace], () => {
    const { steps, trace, pending_view, read_step } = state;
    const row = read_step ?? (pending_view ?? trace?.view)?.step ?? (steps?.steps.length === 1 ? 0 : null);
    const step = row === null ? undefined : steps?.steps[row];
    const has_facts = steps?.steps.some(
      ({ facts, name, recorded_unix_ns }) => facts.length > 0 || name !== '' || recorded_unix_ns !== null,
    );
    element.hidden = !has_facts;
    if (!has_facts) return;
    if (!step || row === null) {
      fill(element, el('p', { class: 'note' }, say('step-facts-choose')));
      return;
    }
    fill(
      element,
      el('h2', { class: 'range-title' }, [steps && titleOfStep(steps, row), nameOfStep(steps, row)].filter(Boolean).join(' · ')),
      step.ops === 0 && el('p', { class: 'note' }, say('step-without-ops') + say('full-stop')),
      el(
        'dl',
        { class: 'facts-list' },
        factLine(say('fact-file'), step.file),
        step.recorded_unix_ns !== null && factLine(say('fact-recorded'), `${momentOf(step.recorded_unix_ns)} UTC`),
        step.ops > 0 && factLine(say('fact-holds'), clauses([say('ops', { count: step.ops }), formatDuration(step.window_ns)])),
        step.parts > 1 && factLine(say('fact-made-of'), say('recordings', { count: step.parts })),
        ...step.facts.map(([what, value]) => factLine(what, value)),
      ),
    );
  });
  return element;
}
