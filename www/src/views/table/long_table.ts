// A table of any length: sorted, filtered, walked through by keyboard and copied as CSV. It asks for visible rows only.
import { capital, say, type CountId } from '../../base/messages';
import { csvRow } from '../../base/csv';
import { el, fill, setText } from '../../base/dom';
import { formatCount } from '../../base/format';
import type { OpId } from '../../engine/protocol';
import { Changed } from '../../state/frame';
import { latest } from '../../state/latest';
import { announce, type Context } from '../../state/state';
import { paletteOf } from '../../state/ui/theme';
import { copyText, download } from '../shared/copy';
import { CellWidths } from './cell_widths';
import { ColumnChoice } from './column_choice';
import type { Column, Page, PageQuery, Sorting } from './columns';
import { columnsMenu } from './columns_menu';
import { failedNote } from '../shared/failed_note';
import { headCell, type HeadActions, type HeadCell } from './head_cells';
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
  /** Where an op is among the rows, null if it is not; only tables of many rows need to be asked so. */
  placeOf?: (op: OpId) => Promise<number | null>;
  /** Hides the filter while there are so few rows that nobody needs it. */
  filters_many?: boolean;
  /** Columns that are left out where there is no room for all, from the first on. */
  yields?: readonly K[];
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
  /** Puts the rows first that have most in the column `key`, with the next refresh. */
  sortBy: (key: string) => void;
  /** Puts `text` into the filter, for the next refresh. */
  setFilter: (text: string) => void;
}

/** More than this go into a file: a clipboard is no place for them. */
const MOST_COPIED = 200_000;
/** A table of no more rows is looked through for a chosen one. */
const MOST_SEARCHED = 5000;
/** A filter that hides itself does so for this many rows. */
const FEW = 8;
/** Rows asked for at a time while copying. */
const COPIED_AT_ONCE = 20_000;
const SAID_FOR_MS = 4000;

export function longTable<R, K extends string>(context: Context, options: TableOptions<R, K>): LongTable {
  const { columns, counted, many, id } = options;
  let sorting = options.sorting;
  /** Sorting and filter of the rows at hand. */
  let version = 0;
  /** The selected op that the table has looked for last. */
  let followed: OpId | null = null;
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
  const choice = new ColumnChoice<R, K>(id, columns);
  const widths = new CellWidths(() => paletteOf(context.state).page_font);
  const rows = new TableRows<R, K>(scroller, grid, {
    columns: () => choice.shown,
    made: (column, text) => {
      const width = widths.ofCell(column, text);
      if (width === null || !choice.fit(column, width)) return;
      sizeColumns();
      queueMicrotask(fitColumns);
    },
    id,
    isChosen: options.isChosen ?? (() => false),
    go: options.go,
    ask: () => ask(),
  });
  const sizes = el('colgroup');
  const head = el('tr', { 'aria-rowindex': 1 });
  grid.append(sizes, el('thead', {}, head), rows.body);
  const menu = columnsMenu(id, choice, () => showColumns());
  const tools = [...(options.tools ?? []), options.filter === undefined ? null : filter, said, menu, copy];
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
      mark();
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
  const setSorting = (chosen: Sorting<K>) => {
    sorting = chosen;
    for (const cell of heads) cell.update(sorting);
  };
  const sortBy = (key: string) => {
    const column = columns.find((column) => column.key === key);
    if (column) setSorting({ key: column.key, descending: true });
    followed = context.state.selection?.op ?? null;
  };
  const sort = (chosen: Sorting<K>) => {
    setSorting(chosen);
    refresh();
  };
  const sayTotal = (total: number) => {
    grid.setAttribute('aria-rowcount', String(total + 1));
    if (options.filters_many) filter.hidden = total <= FEW && filter.value === '';
    setText(said, options.said?.(total) ?? say(counted, { count: total }));
    copy.disabled = total === 0;
    setText(copy, total > MOST_COPIED ? say('save-csv') : say('copy-csv'));
    copy.title = say('copy-csv-title', { rows: say(counted, { count: total }) });
  };

  /** Every row, in the order shown, asked for a piece at a time. */
  const allRows = async (): Promise<string[]> => {
    const asked = query(0, COPIED_AT_ONCE);
    const copied = choice.chosen.filter((column) => column.value);
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

  const findChosen = async (op: OpId): Promise<number | null> => {
    if (options.placeOf && rows.total > MOST_SEARCHED) return options.placeOf(op);
    const page = await options.page(query(0, Math.min(rows.total, MOST_SEARCHED)));
    const place = page.rows.findIndex((row) => options.isChosen?.(row));
    return place < 0 ? null : place;
  };
  /** What is selected in the timeline is shown here, too, if it is a row. */
  const follow = latest(
    (asked: { op: OpId; version: number }) => findChosen(asked.op),
    (place, asked) => {
      if (place !== null && asked.version === version && !rows.showsChosen) rows.reveal(place);
    },
    (thrown) => reportFailure(context, say('table-not-listed', { rows: capital(many) }), thrown),
  );
  const mark = () => {
    rows.mark();
    const op = context.state.selection?.op ?? null;
    if (op === followed) return;
    followed = op;
    if (op !== null && options.isChosen && rows.total > 0 && !rows.showsChosen) follow({ op, version });
  };

  /** Puts the widths on the screen. Room to spare is shared in proportion, until the user resizes a column. */
  const sizeColumns = () => {
    const shown = choice.shown;
    shown.forEach((column, at) => {
      const size = sizes.children[at];
      if (size instanceof HTMLElement) size.style.width = `${choice.widthOf(column)}px`;
    });
    const sum = `${shown.reduce((sum, column) => sum + choice.widthOf(column), 0)}px`;
    grid.style.minWidth = sum;
    grid.style.width = choice.isResized ? sum : '';
  };
  /** Columns for which there is no room are left out; where the others go on, they fade. */
  const fitColumns = () => {
    const { clientWidth, offsetWidth } = scroller;
    if (clientWidth === 0) return;
    if (choice.fitInto(clientWidth, options.yields ?? [])) showColumns();
    scroller.style.setProperty('--bar', `${offsetWidth - clientWidth}px`);
    sayGoesOn();
  };
  const sayGoesOn = () => {
    const { scrollWidth, clientWidth, scrollLeft } = scroller;
    scroller.classList.toggle('goes-on', scrollWidth - clientWidth - scrollLeft > 1);
  };
  const watch = new ResizeObserver(fitColumns);
  watch.observe(scroller);
  watch.observe(grid);
  scroller.addEventListener('scroll', sayGoesOn);
  /** The columns keep the widths that they have on the screen, so that resizing one moves no other. */
  const freeze = () => {
    const on_screen = heads.map(({ element }) => element.offsetWidth);
    choice.shown.forEach((column, at) => choice.fit(column, on_screen[at] ?? 0));
  };
  let heads: HeadCell<K>[] = [];
  const actions: HeadActions<R, K> = {
    sorting: () => sorting,
    sort,
    resize: (column, width) => {
      if (!choice.isResized) freeze();
      choice.resize(column.key, width);
      sizeColumns();
    },
    resizeToFit: (column) => {
      choice.resizeToFit(column.key);
      sizeColumns();
    },
  };
  const showColumns = () => {
    const shown = choice.shown;
    for (const column of shown) if (column.numeric || column.fits) choice.fit(column, widths.ofTitle(column.title));
    heads = shown.map((column) => headCell(column, actions));
    for (const cell of heads) cell.update(sorting);
    fill(sizes, ...shown.map(() => el('col')));
    fill(head, ...heads.map((cell) => cell.element));
    sizeColumns();
    rows.remake();
  };
  showColumns();
  sayTotal(0);
  /** Other rows: what is selected is looked for among them. */
  const renew = (keep_place = false) => {
    if (!keep_place) followed = null;
    refresh(keep_place);
  };
  return { element, refresh: renew, mark, sortBy, setFilter };
}
