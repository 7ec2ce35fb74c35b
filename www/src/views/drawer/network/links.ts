// What went from each place to each other one: a matrix of links, one figure at a time, and all the figures of the link that is chosen.
import { asides, clauses, sentences } from '../../../base/joined';
import { say } from '../../../base/messages';
import { el, fill, setText } from '../../../base/dom';
import { formatBytes, formatCount, formatRate, formatShare } from '../../../base/format';
import { routeLabel, tensorLabel } from '../../../base/names';
import { formatDuration, formatEnds } from '../../../base/time';
import type { LinkRow, LinkTable, Network } from '../../../engine/protocol';
import { showTransfers } from '../../../state/shown/tab';
import { Changed } from '../../../state/frame';
import { answerTo } from '../../../state/figures';
import { NETWORK } from '../../../state/shown/network';
import { announce, type Context } from '../../../state/state';
import { chooseRoute, TRAFFIC_CHANGED } from '../../../state/shown/traffic';
import { pictureChip } from '../../dialogs/picture_chip';
import { matrix, type Figure } from './matrix';
import type { Section } from './section';

const timed = (row: LinkRow, value: number | null): number | null => (row.timed > 0 ? value : null);

/** `span` is how long the step is. */
const figuresOf = (span: number): readonly Figure[] => [
  { title: say('link-bytes'), explanation: say('link-bytes-about'), of: (row) => row.bytes, write: formatBytes },
  { title: say('link-count'), explanation: say('link-count-about'), of: (row) => row.count, write: formatCount },
  {
    title: say('link-bandwidth'),
    explanation: say('link-bandwidth-about'),
    of: (row) => row.bytes_per_second,
    write: formatRate,
  },
  { title: 'p50', explanation: say('link-p50-about'), of: (row) => row.p50_ns, write: formatDuration },
  {
    title: 'p99',
    explanation: say('link-p99-about'),
    of: (row) => row.p99_ns,
    write: formatDuration,
  },
  {
    title: say('link-busy'),
    explanation: say('link-busy-about'),
    of: (row) => timed(row, row.busy_ns / (span || 1)),
    write: formatShare,
  },
];

const writeOf = ({ of, write }: Figure, row: LinkRow): string => {
  const value = of(row);
  return value === null ? '–' : write(value);
};

/** Between tasks, unless everything stays within one. */
const hasTasks = ({ task_links }: Network): boolean => task_links.pairs.some((row) => row.source !== row.destination);

export function linksSection(context: Context): Section {
  const { state, frame } = context;
  let network: Network | null = null;
  let between: 'device' | 'task' = 'task';
  let chosen_figure = 0;
  const table = (): LinkTable | null => network && (between === 'task' ? network.task_links : network.links);
  const rowOfRoute = (): LinkRow | null => {
    const { route } = state;
    const links = network && route && (route.between === 'task' ? network.task_links : network.links);
    const is_it = (row: LinkRow) => row.source === route?.source && row.destination === route.destination;
    return links ? ([...links.pairs, ...links.sent, ...links.received].find(is_it) ?? null) : null;
  };

  const choose = (row: LinkRow) => {
    const { route } = state;
    const again = route?.between === between && route.source === row.source && route.destination === row.destination;
    const all = row.source === null && row.destination === null;
    chooseRoute(context, again || all ? null : { between, source: row.source, destination: row.destination });
    announce(
      context,
      again || all ? say('bandwidth-all-links') : say('link-chosen', { link: routeLabel(row), figures: clauses(wordsOf(row)) }),
      Changed.notice,
    );
  };
  const grid = matrix(choose);

  const chips = <T>(label: string, values: readonly { value: T; title: string; explanation: string }[], pick: (value: T) => void) => {
    const buttons = values.map(({ value, title, explanation }) => ({
      value,
      button: el('button', { class: 'chip', type: 'button', title: explanation, onclick: () => pick(value) }, title),
    }));
    return {
      element: el('div', { class: 'chips', role: 'group', 'aria-label': label }, ...buttons.map(({ button }) => button)),
      mark: (now: T) => buttons.forEach(({ value, button }) => button.setAttribute('aria-pressed', String(value === now))),
    };
  };
  const figures = chips(
    say('link-figure'),
    figuresOf(1).map(({ title, explanation }, value) => ({ value, title, explanation })),
    (value) => {
      chosen_figure = value;
      paint();
    },
  );
  const ends = chips<'device' | 'task'>(
    say('link-ends'),
    [
      { value: 'task', title: say('link-tasks'), explanation: say('link-tasks-about') },
      { value: 'device', title: say('name-devices'), explanation: say('link-devices-about') },
    ],
    (value) => {
      between = value;
      paint();
    },
  );
  const note = el('p', { class: 'note' });
  const summary = el('div', { class: 'link-summary' });
  const copies = el('div', {});
  const element = el(
    'div',
    { class: 'links' },
    el('div', { class: 'link-tools' }, figures.element, ends.element, pictureChip(context, 'matrix')),
    summary,
    grid.element,
    note,
    copies,
  );

  function wordsOf(row: LinkRow): string[] {
    const all = figuresOf(network?.span_ns ?? 1);
    const word = (at: number, before: string, after = '') =>
      all[at] && all[at].of(row) !== null ? [`${before}${writeOf(all[at], row)}${after}`] : [];
    return [
      row.bytes === null
        ? say('transfers', { count: row.count })
        : say('bytes-in-transfers', { bytes: formatBytes(row.bytes), transfers: say('transfers', { count: row.count }) }),
      ...word(2, ''),
      ...word(3, 'p50 '),
      ...word(4, 'p99 '),
      row.timed > 0 ? say('link-busy-words', { length: formatDuration(row.busy_ns), share: writeOf(all[5]!, row) }) : say('link-no-times'),
      ...(row.timed > 0 && row.timed < row.count ? [say('link-timed', { count: row.timed })] : []),
      ...(row.first_ns !== null && row.last_ns !== null ? [say('from-to', formatEnds(row.first_ns, row.last_ns, 1000))] : []),
      ...(row.largest ? [say('link-largest', { tensor: tensorLabel(row.largest.tensor), size: formatBytes(row.largest.bytes) })] : []),
    ];
  }

  function showRoute(): void {
    const row = rowOfRoute();
    grid.mark(state.route?.between === between ? state.route : null);
    summary.hidden = !row;
    if (!row) return;
    // A task is a part of its devices' names, and `task:1` one of `task:10`.
    const end = (place: string | null) =>
      place === null ? '' : state.route?.between === 'task' && place.startsWith('/job:') ? `${place}/` : place;
    fill(
      summary,
      el('strong', {}, routeLabel(row)),
      el(
        'button',
        { class: 'chip', type: 'button', onclick: () => showTransfers(context, `${end(row.source)} -> ${end(row.destination)}`) },
        say('show-its-transfers'),
      ),
      el('button', { class: 'chip', type: 'button', onclick: () => chooseRoute(context, null) }, say('show-all-links')),
      ...wordsOf(row).map((words) => el('span', {}, words)),
    );
  }

  function paint(): void {
    const links = table();
    if (!network || !links) return;
    const figure = figuresOf(network.span_ns)[chosen_figure]!;
    figures.mark(chosen_figure);
    ends.mark(between);
    ends.element.hidden = !hasTasks(network) || network.links.pairs.length === network.task_links.pairs.length;
    figures.element.hidden = grid.element.hidden = links.pairs.length === 0;
    grid.show(links, figure);
    const { count, timed: known } = links.all;
    const left_out = grid.leftOut();
    setText(
      note,
      sentences([
        known < count && say('links-timed', { known: formatCount(known), transfers: say('transfers', { count }) }),
        left_out > 0 && say('links-left-out', { count: left_out }),
      ]),
    );
    fill(copies, ...(network.copies.length > 0 ? [copiesTable(network)] : []));
    showRoute();
  }

  frame.onDom([TRAFFIC_CHANGED, Changed.trace, 'network'], () => {
    if (network && network === answerTo(state, NETWORK)) showRoute();
  });

  return {
    id: 'links',
    title: say('links-title'),
    said: (answer) => said(answer),
    element,
    show: (answer) => {
      network = answer;
      between = hasTasks(answer) ? 'task' : 'device';
      paint();
    },
  };
}

function said(network: Network): string {
  const { pairs, all } = hasTasks(network) ? network.task_links : network.links;
  if (pairs.length === 0)
    return network.copies.length > 0 ? say('copies-by-gpus', { count: network.copies.reduce((sum, row) => sum + row.count, 0) }) : '';
  const busiest = pairs.reduce((a, b) => (b.busy_ns > a.busy_ns ? b : a));
  const share = formatShare(busiest.busy_ns / (network.span_ns || 1));
  return asides([
    clauses([say('links', { count: pairs.length }), formatBytes(all.bytes ?? 0)]),
    busiest.timed > 0 && say('links-busiest', { link: routeLabel(busiest), share }),
  ]);
}

/** What streams of GPUs copied: there the direction is all that is known of the ends. */
function copiesTable({ copies, span_ns }: Network): HTMLElement {
  const shown = figuresOf(span_ns);
  const head = el(
    'tr',
    {},
    el('th', { scope: 'col' }, say('copies-title')),
    ...shown.map(({ title, explanation }) => el('th', { scope: 'col', class: 'numeric', title: explanation }, title)),
  );
  const row = (link: LinkRow) =>
    el(
      'tr',
      {},
      el('th', { scope: 'row' }, routeLabel(link)),
      ...shown.map((figure) => el('td', { class: 'numeric' }, writeOf(figure, link))),
    );
  return el('table', { class: 'plain-table' }, el('thead', {}, head), el('tbody', {}, ...copies.map(row)));
}
