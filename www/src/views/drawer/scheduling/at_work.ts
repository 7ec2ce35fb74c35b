// How many ops ran at once, on the devices that share threads and on each device, and for how long others were queued meanwhile.
import { sentences } from '../../../base/joined';
import { say } from '../../../base/messages';
import { el, fill } from '../../../base/dom';
import { formatCount, formatShare } from '../../../base/format';
import { placeLabel } from '../../../base/names';
import { formatDuration } from '../../../base/time';
import type { AtWorkRow } from '../../../engine/protocol';
import type { Context } from '../../../state/state';
import { barCell } from '../../table/columns';
import { atWorkChart } from './at_work_chart';
import type { Section } from './section';

/** Rows of devices beyond these are counted only. */
const MOST_BLOCKS = 40;

export function atWorkSection(context: Context): Section {
  const element = el('div', { class: 'at-work-all', tabindex: 0, role: 'group', 'aria-label': say('at-work-title') });
  return {
    title: say('at-work-title'),
    element,
    has: ({ at_work }) => at_work.length > 0,
    show: ({ at_work, threads }) => {
      const more = at_work.length - MOST_BLOCKS;
      fill(
        element,
        ...at_work.slice(0, MOST_BLOCKS).map((row) => blockOf(row, threads, context.state.trace?.summary.span_ns ?? 0)),
        more > 0 && el('p', { class: 'note' }, say('and-more', { count: more })),
      );
    },
    mark: () => undefined,
  };
}

function blockOf(row: AtWorkRow, threads: number | null, span_ns: number): HTMLElement {
  const name = row.devices.length === 1 ? placeLabel(row.devices[0] ?? '') : say('at-work-shared', { count: row.devices.length });
  const longest = Math.max(...row.at_once.map(({ length_ns }) => length_ns), 1);
  const numeric = (text: string) => el('td', { class: 'numeric' }, text);
  const line = ({ ops, length_ns, queued_ns }: AtWorkRow['at_once'][number]) =>
    el(
      'tr',
      {},
      el('th', { scope: 'row', class: 'numeric' }, formatCount(ops)),
      el('td', { class: 'at-work-bar' }, ...barCell(length_ns / longest, '', formatDuration(length_ns))),
      numeric(row.queued_ns === null ? '–' : formatDuration(queued_ns)),
    );
  return el(
    'section',
    { class: 'at-work' },
    el('p', { class: 'at-work-name', title: row.devices.join('\n') }, name),
    el('p', { class: 'note' }, ...wordsOf(row, threads)),
    row.average.length > 0 && atWorkChart(row, threads, span_ns),
    el(
      'details',
      { class: 'at-work-figures' },
      el('summary', {}, say('at-work-figures')),
      el(
        'table',
        { class: 'plain-table' },
        el(
          'thead',
          {},
          el(
            'tr',
            {},
            el('th', { scope: 'col', class: 'numeric' }, say('at-once')),
            el('th', { scope: 'col' }, say('at-once-length')),
            el('th', { scope: 'col', class: 'numeric', title: say('queued-meanwhile-about') }, say('queued-meanwhile')),
          ),
        ),
        el('tbody', {}, ...row.at_once.map(line)),
      ),
    ),
  );
}

function wordsOf({ most, queued_ns, queued_at_most_ns, starved_ns }: AtWorkRow, threads: number | null): string[] {
  const words = [say('at-work-most', { most: say('ops', { count: most }) })];
  if (queued_ns === null) words.push(say('at-work-not-scheduled'));
  else if (starved_ns !== null && threads !== null)
    words.push(say('at-work-starved', { threads: say('threads', { count: threads }), length: formatDuration(starved_ns) }));
  else if (queued_at_most_ns !== null && queued_ns > 0)
    words.push(
      say('at-work-queued', {
        length: formatDuration(queued_ns),
        share: formatShare(queued_at_most_ns / queued_ns),
        most: formatCount(most),
      }),
    );
  return [sentences(words)];
}
