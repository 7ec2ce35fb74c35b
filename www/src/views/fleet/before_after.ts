// What is different from a step on: each figure of the step before and after, and whether that is sure.
import { clauses } from '../../base/joined';
import { el, type Child } from '../../base/dom';
import { formatCount } from '../../base/format';
import { capital, say } from '../../base/messages';
import { formatDuration } from '../../base/time';
import type { FigureBeforeAfter } from '../../engine/protocol';
import { setMoment } from '../../state/fleet/open';
import type { Fleet } from '../../state/fleet_open';
import type { Context } from '../../state/state';
import { signed } from '../shared/signed';
import { beganWords, columnWords, FIGURE_WORDS } from './words';

/** What the list shows. Its button stays the same: one that was made anew under the hand would lose the click, and the focus. */
export function beforeAfterPart(context: Context): (fleet: Fleet) => Child[] {
  const from_chosen = el(
    'button',
    {
      id: 'fleet-from-chosen',
      class: 'button outlined',
      type: 'button',
      title: say('fleet-from-chosen-about'),
      onclick: () => setMoment(context, context.state.fleet?.chosen?.column ?? null),
    },
    say('fleet-from-chosen'),
  );
  return ({ before_after: own, run, chosen }) => {
    if (!own || !run) return [el('p', { class: 'note fleet-none' }, say('fleet-looking'))];
    const step = columnWords(run, own.column);
    const began = beganWords(run, own.column);
    const column = chosen?.column ?? null;
    from_chosen.disabled = column === null || column === own.column;
    // A column may be the mean of several steps.
    const sideWords = (columns: number) => (run.steps_per_column > 1 ? formatCount(columns) : say('steps', { count: columns }));
    return [
      el('p', { class: 'fleet-moment' }, clauses([say('fleet-from-on', { step }), began])),
      from_chosen,
      el('p', { class: 'note' }, say('fleet-before-after-about', { before: sideWords(own.before), after: sideWords(own.after) })),
      own.figures.length === 0 && el('p', { class: 'note fleet-none' }, say('fleet-before-after-none')),
      el('ul', { 'aria-label': say('fleet-before-after') }, ...own.figures.map(figureRow)),
    ];
  };
}

function sureWords({ difference_ns, is_sure }: FigureBeforeAfter): string {
  if (is_sure === null) return say('fleet-few-steps');
  if (difference_ns === 0) return say('fleet-same');
  return say(is_sure ? 'fleet-sure' : 'fleet-not-sure');
}

const figureRow = (own: FigureBeforeAfter): HTMLElement =>
  el(
    'li',
    { class: 'fleet-row' },
    el('span', { class: 'fleet-row-title' }, capital(FIGURE_WORDS[own.figure])),
    el('span', { class: 'fleet-row-figures' }, signed(own.difference_ns)),
    el(
      'span',
      { class: 'note fleet-row-about' },
      clauses([say('fleet-days-means', { before: formatDuration(own.before_ns), after: formatDuration(own.after_ns) }), sureWords(own)]),
    ),
  );
