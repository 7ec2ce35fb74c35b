// Two days of the dataset: which op types take longer on the second one.
import { clauses } from '../../base/joined';
import { el, fill, type Child } from '../../base/dom';
import { say } from '../../base/messages';
import { formatDuration } from '../../base/time';
import type { TypeOfTwoDays } from '../../engine/protocol';
import { setDays } from '../../state/fleet/open';
import type { Fleet } from '../../state/fleet_open';
import type { Context } from '../../state/state';
import { signed } from '../shared/signed';
import { taskWords } from './words';

/** What the list shows. The two choices stay the same: made anew, they would lose the focus with each day that the keyboard chooses. */
export function daysPart(context: Context): (fleet: Fleet) => Child[] {
  const choice = (id: string, label: string) => {
    const select = el('select', { id, 'aria-label': label });
    select.addEventListener('change', () => setDays(context, from.value, to.value));
    return select;
  };
  const from = choice('fleet-day-a', say('fleet-day-a'));
  const to = choice('fleet-day-b', say('fleet-day-b'));
  const choices = el('p', { class: 'fleet-choices' }, from, '→', to);
  let offered: readonly string[] = [];
  return ({ days, overview }) => {
    if (!days || !overview) return [el('p', { class: 'note fleet-none' }, say('fleet-looking'))];
    const { day_a, day_b, types, more, left_out } = days;
    if (offered !== overview.days) {
      offered = overview.days;
      for (const select of [from, to]) fill(select, ...offered.map((day) => el('option', { value: day }, day)));
    }
    [from.value, to.value] = [day_a, day_b];
    return [
      choices,
      el('p', { class: 'note' }, say('fleet-days-about')),
      types.length === 0 && el('p', { class: 'note fleet-none' }, say('fleet-days-none')),
      el('ul', { 'aria-label': say('fleet-days') }, ...types.map(typeRow)),
      more > 0 && el('p', { class: 'note' }, say('fleet-days-more', { count: more })),
      left_out > 0 && el('p', { class: 'note' }, say('fleet-days-left-out', { count: left_out })),
    ];
  };
}

const typeRow = (own: TypeOfTwoDays): HTMLElement =>
  el(
    'li',
    { class: 'fleet-row' },
    el('span', { class: 'fleet-row-title' }, own.op_type),
    el('span', { class: 'fleet-row-figures' }, signed(own.difference_ns)),
    el(
      'span',
      { class: 'note fleet-row-about' },
      clauses([
        say('fleet-days-means', { before: formatDuration(own.mean_a_ns), after: formatDuration(own.mean_b_ns) }),
        taskWords(own.job),
        own.is_waiting && say('fleet-days-waiting'),
      ]),
    ),
  );
