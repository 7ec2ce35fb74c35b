// Small pieces that the drawer's panels share: links to ops, figures with a name, tables with sortable heads.
import { el } from '../base/dom';
import { placeLabel } from '../base/names';
import { formatDuration } from '../base/time';
import type { OpId, OpRef } from '../engine/protocol';
import { selectOp } from '../state/select';
import type { Context } from '../state/state';

/** A button that selects an op and brings it into sight. */
export function opLink(context: Context, op: OpId, name: string, title?: string): HTMLElement {
  return el(
    'button',
    { class: 'op-link', type: 'button', title: title ?? name, onclick: () => void selectOp(context, op, 'show') },
    name,
  );
}

/** A link to an op with its length and, if it is another, its device. */
export function refLine(context: Context, ref: OpRef, here: number | null, name = ref.name): HTMLElement {
  const device = context.state.trace?.summary.devices[ref.device]?.name;
  return el(
    'li',
    {},
    opLink(context, ref.op, name),
    device !== undefined && ref.device !== here && el('span', { class: 'note' }, placeLabel(device)),
    el('span', { class: 'figure' }, formatDuration(ref.end_ns - ref.start_ns)),
  );
}

/** A name and a value in a list of facts. */
export function factLine(name: string, value: string | HTMLElement, title?: string): HTMLElement {
  return el('div', { class: 'fact-line', title }, el('dt', {}, name), el('dd', {}, value));
}

export function block(title: string, ...content: (Node | string | null | false)[]): HTMLElement {
  return el('section', { class: 'block' }, el('h3', {}, title), ...content);
}

export interface Column<K extends string> {
  key: K;
  title: string;
  /** What the figures of the column mean. */
  about?: string;
  numeric: boolean;
  /** Which way a first click sorts. */
  descending: boolean;
  sortable?: boolean;
}

export interface Sorting<K extends string> {
  key: K;
  descending: boolean;
}

/** The head of a table: each title is a button that sorts. */
export function tableHead<K extends string>(
  columns: readonly Column<K>[],
  sorting: Sorting<K>,
  sort: (sorting: Sorting<K>) => void,
): HTMLTableSectionElement {
  const cells = columns.map((column) => {
    const now = sorting.key === column.key;
    const order = now ? (sorting.descending ? 'descending' : 'ascending') : undefined;
    const label = now ? `${column.title} ${sorting.descending ? '↓' : '↑'}` : column.title;
    const choose = () => sort({ key: column.key, descending: now ? !sorting.descending : column.descending });
    const content =
      column.sortable === false
        ? column.title
        : el('button', { type: 'button', class: 'sort', onclick: choose }, label);
    return el(
      'th',
      { scope: 'col', class: column.numeric ? 'numeric' : undefined, title: column.about, 'aria-sort': order },
      content,
    );
  });
  return el('thead', {}, el('tr', {}, ...cells));
}
