// What went from each place to each other one: a matrix of links, one figure at a time, and all the figures of the link that is chosen.
import { el, fill, setText } from '../../../base/dom';
import { formatBytes, formatCount, formatRate, formatShare, plural } from '../../../base/format';
import { routeLabel, tensorLabel } from '../../../base/names';
import { formatDuration, formatPoint } from '../../../base/time';
import type { LinkRow, LinkTable, Network } from '../../../engine/protocol';
import { showTransfers } from '../../../state/shown/tab';
import { Changed } from '../../../state/frame';
import { networkOf } from '../../../state/shown/network';
import { announce, type Context } from '../../../state/state';
import { chooseRoute } from '../../../state/shown/traffic';
import { matrix, type Figure } from './matrix';
import type { Section } from './section';

const WIRE = 'from the sending to the receipt, as far as the clocks of both ends agree';
const timed = (row: LinkRow, value: number | null): number | null => (row.timed > 0 ? value : null);

/** `span` is how long the step is. */
const figuresOf = (span: number): readonly Figure[] => [
  { title: 'bytes', explanation: 'The sizes of all transfers of the link together', of: (row) => row.bytes, write: formatBytes },
  { title: 'count', explanation: 'How many transfers went over the link', of: (row) => row.count, write: formatCount },
  {
    title: 'bandwidth',
    explanation: `The bytes over the time in which at least one transfer was on the wire: ${WIRE}. Of transfers without such a time neither counts`,
    of: (row) => row.bytes_per_second,
    write: formatRate,
  },
  { title: 'p50', explanation: `The median time on the wire: ${WIRE}`, of: (row) => row.p50_ns, write: formatDuration },
  {
    title: 'p99',
    explanation: `What 99 of a hundred times on the wire do not exceed: ${WIRE}`,
    of: (row) => row.p99_ns,
    write: formatDuration,
  },
  {
    title: 'busy',
    explanation: `The share of the step in which at least one transfer was on the wire: ${WIRE}`,
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
      again || all
        ? 'Bandwidth of all links'
        : `${routeLabel(row)}: ${wordsOf(row).join(', ')}. The bandwidth above the lanes is of it alone.`,
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
    'Figure',
    figuresOf(1).map(({ title, explanation }, value) => ({ value, title, explanation })),
    (value) => {
      chosen_figure = value;
      paint();
    },
  );
  const ends = chips<'device' | 'task'>(
    'Ends of links',
    [
      { value: 'task', title: 'tasks', explanation: 'Links between tasks' },
      { value: 'device', title: 'devices', explanation: 'Links between devices' },
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
    el('div', { class: 'link-tools' }, figures.element, ends.element),
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
      `${row.bytes === null ? '' : `${formatBytes(row.bytes)} in `}${plural(row.count, 'transfer')}`,
      ...word(2, ''),
      ...word(3, 'p50 '),
      ...word(4, 'p99 '),
      ...(row.timed > 0 ? [`busy ${formatDuration(row.busy_ns)}, ${writeOf(all[5]!, row)} of the step`] : ['no time on the wire is known']),
      ...(row.timed > 0 && row.timed < row.count ? [`times are of ${formatCount(row.timed)}`] : []),
      ...(row.first_ns !== null && row.last_ns !== null
        ? [`from ${formatPoint(row.first_ns, 1000)} to ${formatPoint(row.last_ns, 1000)}`]
        : []),
      ...(row.largest ? [`largest ${tensorLabel(row.largest.tensor)}, ${formatBytes(row.largest.bytes)}`] : []),
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
        'Its transfers',
      ),
      el('button', { class: 'chip', type: 'button', onclick: () => chooseRoute(context, null) }, 'All links'),
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
      [
        ...(known < count ? [`Times on the wire are known of ${formatCount(known)} of ${plural(count, 'transfer')}.`] : []),
        ...(left_out > 0
          ? [`The ${plural(left_out, 'place')} with the fewest bytes are left out; steplens network --json has every link.`]
          : []),
      ].join(' '),
    );
    fill(copies, ...(network.copies.length > 0 ? [copiesTable(network)] : []));
    showRoute();
  }

  frame.onDom(Changed.network | Changed.traffic | Changed.trace, () => {
    if (network && network === networkOf(state)) showRoute();
  });

  return {
    id: 'links',
    title: 'Links',
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
    return network.copies.length > 0
      ? `${plural(
          network.copies.reduce((sum, row) => sum + row.count, 0),
          'copy',
          'copies',
        )} by GPUs`
      : '';
  const busiest = pairs.reduce((a, b) => (b.busy_ns > a.busy_ns ? b : a));
  const busy =
    busiest.timed > 0 ? `; busiest ${routeLabel(busiest)}, ${formatShare(busiest.busy_ns / (network.span_ns || 1))} of the step` : '';
  return `${plural(pairs.length, 'link')}, ${formatBytes(all.bytes ?? 0)}${busy}`;
}

/** What streams of GPUs copied: there the direction is all that is known of the ends. */
function copiesTable({ copies, span_ns }: Network): HTMLElement {
  const shown = figuresOf(span_ns);
  const head = el(
    'tr',
    {},
    el('th', { scope: 'col' }, 'Copies by GPUs'),
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
