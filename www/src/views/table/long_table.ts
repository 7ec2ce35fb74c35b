// A table of any length: sorted, filtered, walked through by keyboard and copied as CSV. It asks for visible rows only.
import { capital, say, type CountId } from '../../base/messages';
import { el, setText } from '../../base/dom';
import type { OpId } from '../../engine/protocol';
import { reportFailure } from '../../state/failures';
import { latest } from '../../state/latest';
import type { Context } from '../../state/state';
import { paletteOf } from '../../state/ui/theme';
import { failedNote } from '../shared/failed_note';
import { CellWidths } from './cell_widths';
import { ChosenRow } from './chosen_row';
import { ColumnChoice } from './column_choice';
import type { Column, Page, PageQuery, Sorting } from './columns';
import { columnsMenu } from './columns_menu';
import { CopyButton } from './copy_rows';
import { besides, emptyColumns } from './empty_columns';
import { ShownColumns } from './shown_columns';
import { TableRows } from './table_rows';

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
  /** Columns that are left out before these, and before a name is cut. */
  yields_to_names?: readonly K[];
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

/** A filter that hides itself does so for this many rows. */
const FEW = 8;

/** The field of the filter. `typed` hears that the user changed it. */
function filterField(many: string, placeholder: string, typed: () => void): HTMLInputElement {
  const filter = el('input', {
    type: 'search',
    placeholder,
    'aria-label': say('table-filter', { rows: many }),
    spellcheck: 'false',
    autocomplete: 'off',
    oninput: typed,
    onkeydown: (event) => {
      if (event.key !== 'Escape' || filter.value === '') return;
      event.stopPropagation();
      filter.value = '';
      typed();
    },
  });
  return filter;
}

export function longTable<R, K extends string>(context: Context, options: TableOptions<R, K>): LongTable {
  const { columns, counted, many, id, page, isChosen } = options;
  let sorting = options.sorting;
  /** Sorting and filter of the rows at hand. */
  let version = 0;
  const said = el('span', { class: 'note table-said' });
  const filterTyped = () => {
    options.onFilter?.(filter.value);
    refresh();
  };
  const filter = filterField(many, options.filter ?? '', filterTyped);
  const query = (offset: number, limit: number): PageQuery<K> => {
    const by = sorted();
    return { sort: by?.key ?? null, descending: by?.descending ?? false, filter: filter.value, offset, limit };
  };
  const failed = failedNote(say('table-failed', { rows: many }), () => refresh(true));
  const grid = el('table', { class: 'table', role: 'grid', tabindex: 0, 'aria-label': capital(many) });
  const scroller = el('div', { class: 'table-scroll', tabindex: -1 }, grid);
  const choice = new ColumnChoice<R, K>(id, columns);
  /** What rows are sorted by: a column in which none has a value puts them in no order. */
  const sorted = (): Sorting<K> | null => {
    if (!sorting || !choice.isEmpty(sorting.key)) return sorting;
    const other = besides(columns, choice.empty, sorting.key);
    return other ? { key: other.key, descending: other.descending === true } : null;
  };
  const rows = new TableRows<R, K>(scroller, grid, {
    columns: () => choice.shown,
    made: (column, text) => shown.made(column, text),
    id,
    isChosen: isChosen ?? (() => false),
    go: options.go,
    ask: () => ask(),
  });
  const setSorting = (chosen: Sorting<K>) => {
    sorting = chosen;
    shown.showSorting();
  };
  const shown = new ShownColumns<R, K>(scroller, grid, {
    choice,
    widths: new CellWidths(() => paletteOf(context.state).page_font),
    yields: options.yields ?? [],
    yields_to_names: options.yields_to_names ?? [],
    sorting: sorted,
    sort: (chosen) => {
      setSorting(chosen);
      refresh();
    },
    changed: () => rows.remake(),
  });
  const chosen_row = new ChosenRow(context, rows, { many, page, isChosen, placeOf: options.placeOf, query, version: () => version });
  const sayTotal = (total: number) => {
    grid.setAttribute('aria-rowcount', String(total + 1));
    if (options.filters_many) filter.hidden = total <= FEW && filter.value === '';
    const words = options.said?.(total) ?? say(counted, { count: total });
    setText(said, words);
    said.title = words;
    copy.sayTotal(total);
  };
  const copy = new CopyButton<R, K>(context, {
    counted,
    many,
    page,
    columns: () => choice.chosen,
    query,
    total: () => rows.total,
    said,
    sayTotal,
  });
  grid.append(shown.sizes, el('thead', {}, shown.head), rows.body);
  const menu = columnsMenu(id, choice, () => shown.show());
  const tools = [...(options.tools ?? []), options.filter === undefined ? null : filter, said, menu, copy.element];
  const element = el('div', { class: 'table-panel' }, el('div', { class: 'table-tools' }, ...tools), options.above, failed, scroller);

  const seekEmpty = latest(
    (asked: { page: Page<R>; version: number }) => emptyColumns(columns, asked.page, page),
    (empty, asked) => {
      const before = sorted()?.key;
      if (asked.version !== version || !choice.leaveOut(empty)) return;
      shown.show();
      if (sorted()?.key !== before) refresh(true);
    },
    (thrown) => reportFailure(context, say('table-not-listed', { rows: capital(many) }), thrown),
  );
  const request = latest(
    (asked: { query: PageQuery<K>; version: number }) => page(asked.query),
    (page, asked) => {
      if (asked.version !== version) return;
      failed.hidden = true;
      rows.take(page, asked.query.offset);
      sayTotal(page.total);
      chosen_row.mark();
      if (asked.query.filter === '' && asked.query.offset === 0) seekEmpty({ page, version });
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
  shown.watch();
  shown.show();
  sayTotal(0);
  return {
    element,
    refresh: (keep_place = false) => {
      if (!keep_place) chosen_row.seekAgain();
      refresh(keep_place);
    },
    mark: () => chosen_row.mark(),
    sortBy: (key) => {
      const column = columns.find((column) => column.key === key);
      if (column) setSorting({ key: column.key, descending: true });
      chosen_row.stay();
    },
    setFilter: (text) => {
      filter.value = text;
    },
  };
}
