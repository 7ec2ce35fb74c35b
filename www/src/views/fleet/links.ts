// Links as a matrix: who sends down, who receives across, a colour says how many bytes; below it those that lost time.
import { el } from '../../base/dom';
import { formatBytes, formatRate } from '../../base/format';
import { clauses } from '../../base/joined';
import { say } from '../../base/messages';
import { formatDuration } from '../../base/time';
import type { LinkCell, LinkEnd } from '../../engine/protocol';
import type { Fleet } from '../../state/fleet_open';
import { taskWords } from './words';

const endWords = ({ first, last }: LinkEnd): string =>
  first === last ? taskWords(first) : say('fleet-from-to', { from: taskWords(first), to: taskWords(last) });

/** Bytes per second in transit; null where no time is known. */
const rateOf = ({ timed_bytes, busy_ns }: LinkCell): number | null => (busy_ns > 0 ? (timed_bytes / busy_ns) * 1e9 : null);

export function linkMatrix({ run }: Fleet): HTMLElement {
  const links = run?.lists.links;
  if (!links || links.cells.length === 0) return el('p', { class: 'note fleet-none' }, say('fleet-no-links'));
  const { ends, cells, slow } = links;
  const by_place = new Map(cells.map((cell) => [cell.from * ends.length + cell.to, cell]));
  const most = cells.reduce((sum, { bytes }) => Math.max(sum, bytes), 0);
  const routeWords = ({ from, to }: LinkCell): string => {
    const [source, destination] = [ends[from], ends[to]];
    return `${source ? endWords(source) : ''} → ${destination ? endWords(destination) : ''}`;
  };
  const about = (cell: LinkCell): string => {
    const rate = rateOf(cell);
    return clauses([routeWords(cell), formatBytes(cell.bytes), ...(rate === null ? [] : [formatRate(rate)])]);
  };
  const cellOf = (cell: LinkCell | undefined): HTMLElement => {
    const element = el('td', { class: 'fleet-link', title: cell ? about(cell) : '' });
    if (!cell) return element;
    element.style.setProperty('--heat', `${Math.round((100 * cell.bytes) / Math.max(most, 1))}%`);
    element.append(el('span', { class: 'visually-hidden' }, about(cell)));
    return element;
  };
  const used_from = ends.map((_, at) => at).filter((at) => cells.some(({ from }) => from === at));
  const used_to = ends.map((_, at) => at).filter((at) => cells.some(({ to }) => to === at));
  const grid = el(
    'table',
    { class: 'fleet-matrix', 'aria-label': say('fleet-links-label') },
    el(
      'tbody',
      {},
      ...used_from.map((from) =>
        el(
          'tr',
          {},
          el('th', { scope: 'row' }, endWords(ends[from] ?? { first: '', last: '' })),
          ...used_to.map((to) => cellOf(by_place.get(from * ends.length + to))),
        ),
      ),
    ),
  );
  return el(
    'div',
    {},
    el('p', { class: 'note' }, say('fleet-links-about')),
    el('div', { class: 'fleet-matrix-scroll', tabindex: 0, role: 'group', 'aria-label': say('fleet-links-label') }, grid),
    slow.length > 0 && el('h2', {}, say('fleet-slow-links')),
    slow.length > 0 && el('p', { class: 'note' }, say('fleet-slow-links-about')),
    el(
      'ul',
      { 'aria-label': say('fleet-slow-links') },
      ...slow.map(({ source, destination, lost_ns, rate, usual_rate, bytes }) =>
        el(
          'li',
          { class: 'fleet-row' },
          el('span', { class: 'fleet-row-title' }, `${taskWords(source)} → ${taskWords(destination)}`),
          el('span', { class: 'fleet-row-figures' }, formatDuration(lost_ns)),
          el(
            'span',
            { class: 'note fleet-row-about' },
            clauses([say('fleet-slow-link', { rate: formatRate(rate), usual: formatRate(usual_rate) }), formatBytes(bytes)]),
          ),
        ),
      ),
    ),
    links.unranked > 0 && el('p', { class: 'note' }, say('fleet-links-unranked', { count: links.unranked })),
    links.left_out > 0 && el('p', { class: 'note' }, say('fleet-links-left-out', { count: links.left_out })),
  );
}
