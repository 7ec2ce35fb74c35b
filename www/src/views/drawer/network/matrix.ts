// A matrix of links as a grid: sources down, destinations across, what each adds up to at the ends; walked by arrow keys.
import { say } from '../../../base/messages';
import { el, fill } from '../../../base/dom';
import { clamp } from '../../../base/geom';
import { endLabel, routeLabel } from '../../../base/names';
import type { LinkRow, LinkTable, Route } from '../../../engine/protocol';

/** A browser takes long to lay out more cells than these squared. */
const MOST_PLACES = 80;

/** What the cells say of a link. */
export interface Figure {
  title: string;
  explanation: string;
  /** Null where it is not known. */
  of: (row: LinkRow) => number | null;
  write: (value: number) => string;
}

interface Cell {
  element: HTMLTableCellElement;
  row: LinkRow | null;
}

export interface Matrix {
  element: HTMLElement;
  show: (links: LinkTable, figure: Figure) => void;
  /** Shows which link is chosen. */
  mark: (route: Pick<Route, 'source' | 'destination'> | null) => void;
  /** How many places there is no room for. */
  leftOut: () => number;
}

export function matrix(choose: (row: LinkRow) => void): Matrix {
  const head = el('thead', {});
  const body = el('tbody', {});
  const grid = el(
    'table',
    {
      class: 'matrix',
      role: 'grid',
      'aria-label': say('matrix-label'),
      onkeydown: (event) => walk(event),
      onclick: (event) => click(event),
    },
    head,
    body,
  );
  const element = el('div', { class: 'matrix-scroll' }, grid);
  let cells: Cell[][] = [];
  let at = { row: 0, column: 0 };
  let left_out = 0;

  /** The one cell that the keyboard reaches from outside. */
  const hold = (row: number, column: number) => {
    const old = cells[at.row]?.[at.column];
    if (old) old.element.tabIndex = -1;
    at = { row: clamp(row, 0, cells.length - 1), column: clamp(column, 0, (cells[0]?.length ?? 1) - 1) };
    const now = cells[at.row]?.[at.column];
    if (now) now.element.tabIndex = 0;
    return now?.element;
  };

  const take = (cell: Cell | undefined) => {
    if (cell?.row) choose(cell.row);
  };

  function walk(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const moves: Readonly<Record<string, [number, number]>> = {
      ArrowUp: [-1, 0],
      ArrowDown: [1, 0],
      ArrowLeft: [0, -1],
      ArrowRight: [0, 1],
      Home: [0, -Infinity],
      End: [0, Infinity],
      PageUp: [-Infinity, 0],
      PageDown: [Infinity, 0],
    };
    const move = moves[event.key];
    if (move) hold(at.row + move[0], at.column + move[1])?.focus();
    else if (event.key === 'Enter' || event.key === ' ') take(cells[at.row]?.[at.column]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  function click(event: MouseEvent): void {
    cells.forEach((row, row_at) => {
      const column = row.findIndex(({ element: cell }) => cell.contains(event.target as Node));
      if (column < 0) return;
      hold(row_at, column)?.focus();
      take(row[column]);
    });
  }

  /** Of the places that have anything, in natural order, those with the most bytes. */
  const placesOf = (rows: readonly LinkRow[], { places }: LinkTable): number[] => {
    const used = places.map((_, place) => place).filter((place) => (rows[place]?.count ?? 0) > 0);
    const bytes = (place: number) => rows[place]?.bytes ?? 0;
    const kept = [...used].sort((a, b) => bytes(b) - bytes(a)).slice(0, MOST_PLACES);
    left_out = Math.max(left_out, used.length - kept.length);
    return kept.sort((a, b) => a - b);
  };

  return {
    element,
    show(links, { title, of, write }) {
      left_out = 0;
      const { places } = links;
      const sources = placesOf(links.sent, links);
      const destinations = placesOf(links.received, links);
      const place_of = new Map(places.map((name, place) => [name, place]));
      const by_ends = new Map(
        links.pairs.map((row) => [place_of.get(row.source ?? '')! * places.length + place_of.get(row.destination ?? '')!, row]),
      );
      const most = links.pairs.reduce((max, row) => Math.max(max, of(row) ?? 0), 0);
      const cellOf = (row: LinkRow | null, is_total: boolean): Cell => {
        const value = row && of(row);
        const cell = el(
          'td',
          { class: is_total ? 'numeric total' : 'numeric', tabindex: -1, 'aria-selected': false, title: row ? routeLabel(row) : '' },
          row ? (value === null ? '–' : write(value)) : '',
        );
        if (!row) cell.setAttribute('aria-label', say('matrix-nothing'));
        if (row && row.source !== null && row.destination !== null) {
          // What menus want to know of it.
          cell.dataset['linkSource'] = row.source;
          cell.dataset['linkDestination'] = row.destination;
        }
        if (value !== null && !is_total && most > 0) cell.style.setProperty('--heat', `${Math.round((100 * value) / most)}%`);
        return { element: cell, row };
      };
      cells = [
        ...sources.map((source) => [
          ...destinations.map((to) => cellOf(by_ends.get(source * places.length + to) ?? null, false)),
          cellOf(links.sent[source] ?? null, true),
        ]),
        [...destinations.map((to) => cellOf(links.received[to] ?? null, true)), cellOf(links.all, true)],
      ];
      const name = (place: number | undefined) => (place === undefined ? say('all-places') : endLabel(places[place] ?? ''));
      const headOf = (scope: 'col' | 'row', place: number | undefined) =>
        el('th', { scope, title: (place !== undefined && places[place]) || say('matrix-total') }, name(place));
      fill(
        head,
        el(
          'tr',
          {},
          el('th', { class: 'matrix-corner', scope: 'col' }, say('matrix-corner', { figure: title })),
          ...[...destinations, undefined].map((to) => headOf('col', to)),
        ),
      );
      fill(body, ...cells.map((row, source) => el('tr', {}, headOf('row', sources[source]), ...row.map((cell) => cell.element))));
      hold(at.row, at.column);
    },
    mark(route) {
      for (const { element: cell, row } of cells.flat()) {
        const is_it = row !== null && route !== null && row.source === route.source && row.destination === route.destination;
        cell.setAttribute('aria-selected', String(is_it));
      }
    },
    leftOut: () => left_out,
  };
}
