// A table of any length: sorted, filtered, walked through by keyboard and copied as CSV. It asks for visible rows only.
import { capital, say, type CountId } from '../../base/messages';
import { csvRow } from '../../base/csv';
import { el, fill, setText } from '../../base/dom';
import { formatCount } from '../../base/format';
import { Changed } from '../../state/frame';
import { latest } from '../../state/latest';
import { announce, type Context } from '../../state/state';
import { copyText, download } from '../shared/copy';
import type { Column, Page, PageQuery, Sorting } from './columns';
import { failedNote } from '../shared/failed_note';
import { TableRows } from './table_rows';
import { attempt, reportFailure, showError } from '../../state/failures';

export interface TableOptions<R, K extends string> {
  /** How many rows there are: `2 op types`. */
  counted: CountId;
  /** What they are: `op types`. */
  many: string;
  id: string;
  columns: readonly Column<R, K>[];
  /** Null for the order that the rows have of themselves. */
  sorting: Sorting<K> | null;
  page: (query: PageQuery<K>) => Promise<Page<R>>;
  /** What stands in the empty filter; without it there is no filter. */
  filter?: string;
  /** Hears what is typed into the filter. */
  onFilter?: (text: string) => void;
  go?: (row: R, index: number) => void;
  isChosen?: (row: R) => boolean;
  /** Controls before the filter. */
  tools?: HTMLElement[];
  /** Stands between the controls and the rows. */
  above?: HTMLElement;
  /** What is said next to the controls. */
  said?: (total: number) => string;
}

export interface LongTable {
  element: HTMLElement;
  /** The rows have changed: asks anew, and goes back to the first row unless the place is to be kept. */
  refresh: (keep_place?: boolean) => void;
  /** Another row is chosen. */
  mark: () => void;
  /** Puts `text` into the filter, for the next refresh. */
  setFilter: (text: string) => void;
}

/** More than this go into a file: a clipboard is no place for them. */
const MOST_COPIED = 200_000;
/** Rows asked for at a time while copying. */
const COPIED_AT_ONCE = 20_000;
const SAID_FOR_MS = 4000;

export function longTable<R, K extends string>(context: Context, options: TableOptions<R, K>): LongTable {
  const { columns, counted, many, id } = options;
  let sorting = options.sorting;
  /** Sorting and filter of the rows at hand. */
  let version = 0;
  const said = el('span', { class: 'note table-said' });
  const filter = el('input', {
    type: 'search',
    placeholder: options.filter === undefined ? '' : options.filter,
    'aria-label': say('table-filter', { rows: many }),
    spellcheck: 'false',
    autocomplete: 'off',
    oninput: () => filterTyped(),
    onkeydown: (event) => {
      if (event.key !== 'Escape' || filter.value === '') return;
      event.stopPropagation();
      filter.value = '';
      filterTyped();
    },
  });
  const copy = el(
    'button',
    { class: 'chip', type: 'button', onclick: () => attempt(context, say('not-copied'), copyAll()) },
    say('copy-csv'),
  );
  const failed = failedNote(say('table-failed', { rows: many }), () => refresh(true));
  const grid = el('table', { class: 'table', role: 'grid', tabindex: 0, 'aria-label': capital(many) });
  const scroller = el('div', { class: 'table-scroll', tabindex: -1 }, grid);
  const rows = new TableRows<R, K>(scroller, grid, {
    columns,
    id,
    isChosen: options.isChosen ?? (() => false),
    go: options.go,
    ask: () => ask(),
  });
  const sized = columns.map((column) => {
    const col = el('col');
    col.style.width = `${column.width}px`;
    return col;
  });
  grid.style.minWidth = `${columns.reduce((sum, column) => sum + column.width, 0)}px`;
  const head = el('tr', { 'aria-rowindex': 1 });
  grid.append(el('colgroup', {}, ...sized), el('thead', {}, head), rows.body);
  const tools = [...(options.tools ?? []), options.filter === undefined ? null : filter, said, copy];
  const element = el('div', { class: 'table-panel' }, el('div', { class: 'table-tools' }, ...tools), options.above, failed, scroller);

  const query = (offset: number, limit: number): PageQuery<K> => ({
    sort: sorting?.key ?? null,
    descending: sorting?.descending ?? false,
    filter: filter.value,
    offset,
    limit,
  });
  const request = latest(
    (asked: { query: PageQuery<K>; version: number }) => options.page(asked.query),
    (page, asked) => {
      if (asked.version !== version) return;
      failed.hidden = true;
      rows.take(page, asked.query.offset);
      sayTotal(page.total);
    },
    (thrown) => {
      failed.hidden = !reportFailure(context, say('table-not-listed', { rows: capital(many) }), thrown);
    },
  );
  const ask = () => {
    const { offset, limit } = rows.stretch;
    request({ query: query(offset, limit), version });
  };
  const refresh = (keep_place = false) => {
    version += 1;
    if (!keep_place) rows.toTop();
    ask();
  };
  const filterTyped = () => {
    options.onFilter?.(filter.value);
    refresh();
  };
  const setFilter = (text: string) => {
    filter.value = text;
  };
  const sort = (chosen: Sorting<K>) => {
    sorting = chosen;
    for (const cell of heads) cell.update(sorting);
    refresh();
  };
  const sayTotal = (total: number) => {
    grid.setAttribute('aria-rowcount', String(total + 1));
    setText(said, options.said?.(total) ?? say(counted, { count: total }));
    copy.disabled = total === 0;
    setText(copy, total > MOST_COPIED ? say('save-csv') : say('copy-csv'));
    copy.title = say('copy-csv-title', { rows: say(counted, { count: total }) });
  };

  /** Every row, in the order shown, asked for a piece at a time. */
  const allRows = async (): Promise<string[]> => {
    const asked = query(0, COPIED_AT_ONCE);
    const copied = columns.filter((column) => column.value);
    const parts = [csvRow(copied.map((column) => column.key))];
    for (let offset = 0; ; offset += COPIED_AT_ONCE) {
      const page = await options.page({ ...asked, offset });
      parts.push(page.rows.map((row) => csvRow(copied.map(({ value }) => value?.(row) ?? null))).join(''));
      if (page.rows.length === 0 || offset + page.rows.length >= page.total) return parts;
      setText(said, say('rows-so-far', { read: formatCount(offset + page.rows.length), rows: say(counted, { count: page.total }) }));
    }
  };
  const copyAll = async () => {
    const { total } = rows;
    copy.disabled = true;
    try {
      if (total > MOST_COPIED) download(new Blob(await allRows(), { type: 'text/csv' }), `${many.replaceAll(' ', '-')}.csv`);
      else await copyText(allRows().then((parts) => parts.join('')));
      const done = say(total > MOST_COPIED ? 'saved-csv' : 'copied-csv', { rows: say(counted, { count: total }) });
      announce(context, done, Changed.notice);
      setText(said, done);
      setTimeout(() => sayTotal(rows.total), SAID_FOR_MS);
    } catch (thrown) {
      showError(context, say('not-copied'), thrown);
      sayTotal(rows.total);
    }
    copy.disabled = false;
  };

  const heads = columns.map((column) => headCell(column, () => sorting, sort));
  for (const cell of heads) cell.update(sorting);
  fill(head, ...heads.map((cell) => cell.element));
  sayTotal(0);
  return { element, refresh, mark: () => rows.mark(), setFilter };
}

const ARROWS = { none: '', ascending: '↑', descending: '↓' } as const;

interface HeadCell<K extends string> {
  element: HTMLElement;
  update: (sorting: Sorting<K> | null) => void;
}

/** A title is a button that sorts: first the way that is of use, then the other. */
function headCell<R, K extends string>(
  { key, title, about, numeric, value, sortable, descending }: Column<R, K>,
  sorting: () => Sorting<K> | null,
  sort: (sorting: Sorting<K>) => void,
): HeadCell<K> {
  const attributes = { scope: 'col', class: numeric ? 'numeric' : undefined, title: about };
  if (!value || sortable === false) return { element: el('th', attributes, title), update: () => undefined };
  const choose = () => {
    const now = sorting();
    sort({ key, descending: now?.key === key ? !now.descending : descending === true });
  };
  const arrow = el('span', { class: 'sort-arrow', 'aria-hidden': 'true' });
  const words = numeric ? [arrow, title] : [title, arrow];
  const element = el('th', attributes, el('button', { type: 'button', class: 'sort', onclick: choose }, ...words));
  return {
    element,
    update(now) {
      const order = now?.key !== key ? 'none' : now.descending ? 'descending' : 'ascending';
      element.setAttribute('aria-sort', order);
      setText(arrow, ARROWS[order]);
    },
  };
}
