// Parts of a report and their tables: plain cells, numbers to the right, no row across two sheets.
import { el, type Child } from '../../base/dom';

export interface PaperColumn<Row> {
  title: string;
  numeric?: boolean;
  cell: (row: Row) => Child;
}

export function paperTable<Row>(columns: readonly PaperColumn<Row>[], rows: readonly Row[]): HTMLElement {
  const look = ({ numeric }: PaperColumn<Row>) => (numeric ? 'numeric' : undefined);
  return el(
    'table',
    { class: 'paper-table' },
    el('thead', {}, el('tr', {}, ...columns.map((column) => el('th', { scope: 'col', class: look(column) }, column.title)))),
    el('tbody', {}, ...rows.map((row) => el('tr', {}, ...columns.map((column) => el('td', { class: look(column) }, column.cell(row)))))),
  );
}

/** Fewer rows than this stay on one sheet; a part with more than the other begins a sheet. */
const SMALL = 14;
const LARGE = 24;

/** A part of the report; `rows` are those of its table. */
export function part(title: string, rows: number, ...content: Child[]): HTMLElement {
  const size = rows > LARGE ? 'large' : rows < SMALL ? 'small' : 'middle';
  return el('section', { class: `paper-part ${size}` }, el('h2', {}, title), ...content);
}
