// The drawer's tab of what if: how long the step would take with changes, how far to trust that, and what would help.
import { el, fill, setText } from '../../../base/dom';
import { formatShare } from '../../../base/format';
import { say, type PlainId } from '../../../base/messages';
import { formatDuration } from '../../../base/time';
import type { WhatIfAnswer } from '../../../engine/verbs/what_if';
import { Changed } from '../../../state/frame';
import { WHAT_IF, WHAT_IF_CHANGED } from '../../../state/shown/what_if';
import type { Figures } from '../../../state/types';
import { clockNote } from '../../shared/clock_note';
import { factLine } from '../../shared/parts';
import { answerPanel } from '../tab_panel';
import { addForm } from './add_change';
import { changesList } from './changes_list';
import { mirroredTimelines } from './mirrored';
import { savingsPart } from './savings';
import { waitsTable } from './waits';

/** What a prediction is worth, where that has to be said next to it. */
const JUDGEMENTS: Readonly<Record<string, PlainId>> = {
  'within-error': 'if-within-error',
  'within-variation': 'if-within-variation',
  'no-effect': 'if-no-effect',
  refused: 'if-refused',
  frozen: 'if-refused',
};

export const panel = answerPanel({
  ask: WHAT_IF,
  failed: say('if-not-replayed'),
  changed: [WHAT_IF_CHANGED, Changed.totals],
  also: ['whatIfRows'],
  make: (context, { failed }) => {
    const { state } = context;
    const judgement = el('span', { class: 'if-judgement', hidden: true });
    const sentence = el('p', { class: 'if-sentence', role: 'status' });
    const facts = el('dl', { class: 'if-facts' });
    const changes = changesList(context);
    const add = addForm(context);
    const help = el('p', { class: 'note if-refused-help', hidden: true }, say('if-refused-help'));
    const left = el('div', { class: 'if-left' }, clockNote(context), failed, judgement, sentence, help, changes.element, add, facts);
    const waits = part(say('if-waits-title'));
    const timelines = part(say('if-timelines-title'));
    const savings = savingsPart(context);
    const helping = part(say('if-savings-title'), el('p', { class: 'note' }, say('if-savings-about')), savings.element);
    helping.element.classList.add('if-wide');
    const right = el(
      'div',
      { class: 'if-right', role: 'group', tabindex: 0, 'aria-label': say('if-results') },
      waits.element,
      timelines.element,
      helping.element,
    );
    const element = el('div', { class: 'what-if' }, left, right);
    let painted: WhatIfAnswer | null = null;
    const show = ({ answer, has_failed }: Figures<WhatIfAnswer>) => {
      const is_withheld = answer?.clocks !== undefined || state.trace?.summary.clocks !== undefined;
      const is_refused = answer?.judgement === 'refused' || answer?.judgement === 'frozen';
      const may_change = answer !== null && !is_withheld && !is_refused;
      element.classList.toggle('is-waiting', answer !== null && String(answer.asked) !== String(state.changes));
      setText(sentence, answer ? answer.sentence : has_failed ? '' : say('if-replaying'));
      sentence.hidden = is_withheld || has_failed;
      const words = answer && !is_withheld ? JUDGEMENTS[answer.judgement] : undefined;
      judgement.hidden = words === undefined;
      if (words) setText(judgement, say(words));
      help.hidden = !is_refused || is_withheld;
      add.hidden = !may_change;
      changes.element.hidden = is_withheld || (!may_change && state.changes.length === 0);
      changes.show(answer);
      facts.hidden = answer === null || is_withheld;
      right.hidden = !may_change;
      if (may_change) savings.show();
      if (!answer || answer === painted) return;
      painted = answer;
      fill(facts, ...factsOf(answer));
      if (!may_change) return;
      fill(waits.body, el('p', { class: 'note' }, say('if-waits-about')), waitsTable(answer));
      fill(timelines.body, mirroredTimelines(answer));
    };
    return { element, show };
  },
});

function part(title: string, ...content: HTMLElement[]): { element: HTMLElement; body: HTMLElement } {
  const body = el('div', {}, ...content);
  return { element: el('section', { class: 'if-part' }, el('h2', {}, title), body), body };
}

/** How far the answer can be trusted. */
function factsOf(answer: WhatIfAnswer): HTMLElement[] {
  const { baseline_ns, replayed_ns, replay_error, started_near, frozen_ns, variation_ns, predicted_ns, low_ns, high_ns, lines } = answer;
  const facts = [
    factLine(say('if-recorded'), formatDuration(baseline_ns)),
    factLine(say('if-replayed'), formatDuration(replayed_ns), say('if-replayed-about')),
    factLine(say('if-error'), formatShare(replay_error), say('if-error-about')),
    factLine(say('if-near'), formatShare(started_near), say('if-near-about')),
    factLine(say('if-frozen'), formatDuration(frozen_ns), say('if-frozen-about')),
    factLine(
      say('if-variation'),
      variation_ns === null ? say('if-variation-unknown') : formatDuration(variation_ns),
      say('if-variation-about'),
    ),
  ];
  if (predicted_ns !== null) facts.splice(2, 0, factLine(say('if-predicted'), formatDuration(predicted_ns)));
  if (low_ns !== null && high_ns !== null)
    facts.splice(
      3,
      0,
      factLine(say('if-range'), say('if-range-of', { low: formatDuration(low_ns), high: formatDuration(high_ns) }), say('if-range-about')),
    );
  if (lines)
    facts.push(
      factLine(say('if-lines'), say(lines.sharing === 'in-order' ? 'if-lines-in-order' : 'if-lines-shared'), say('if-lines-about')),
    );
  return facts;
}
