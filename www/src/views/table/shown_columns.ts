// The columns of a table on the screen: their heads and widths, and which of them there is room for.
import { el, fill } from '../../base/dom';
import type { CellWidths } from './cell_widths';
import type { ColumnChoice } from './column_choice';
import type { Column, Sorting } from './columns';
import { headCell, type HeadActions, type HeadCell } from './head_cells';

export interface ShownColumnsOptions<R, K extends string> {
  choice: ColumnChoice<R, K>;
  widths: CellWidths;
  /** Columns that are left out where there is no room for all, from the first on. */
  yields: readonly K[];
  /** Columns that are left out before these, and before a name is cut. */
  yields_to_names: readonly K[];
  sorting: () => Sorting<K> | null;
  sort: (sorting: Sorting<K>) => void;
  /** Hears that other columns are shown. */
  changed: () => void;
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, own) => sum + own, 0);

export class ShownColumns<R, K extends string> {
  readonly sizes = el('colgroup');
  readonly head = el('tr', { 'aria-rowindex': 1 });
  readonly #scroller: HTMLElement;
  readonly #grid: HTMLElement;
  readonly #options: ShownColumnsOptions<R, K>;
  readonly #actions: HeadActions<R, K>;
  #heads: HeadCell<K>[] = [];
  /** What columns whose texts may be cut would like to have. */
  readonly #wanted = new Map<K, number>();
  #is_due = false;

  constructor(scroller: HTMLElement, grid: HTMLElement, options: ShownColumnsOptions<R, K>) {
    this.#scroller = scroller;
    this.#grid = grid;
    this.#options = options;
    const { choice, sorting, sort } = options;
    this.#actions = {
      sorting,
      sort,
      resize: (column, width) => {
        if (!choice.isResized) this.#freeze();
        choice.resize(column.key, width);
        this.#size();
      },
      resizeToFit: (column) => {
        choice.resizeToFit(column.key);
        this.#size();
      },
    };
  }

  /** From now on follows the size of the table. */
  watch(): void {
    const watch = new ResizeObserver(() => this.#fit());
    watch.observe(this.#scroller);
    watch.observe(this.#grid);
    this.#scroller.addEventListener('scroll', () => this.#sayGoesOn());
  }

  /** Puts the chosen columns on the screen. */
  show(): void {
    const { choice, changed } = this.#options;
    const { shown } = choice;
    this.#fitTitles();
    this.#heads = shown.map((column) => headCell(column, this.#actions));
    this.showSorting();
    fill(this.sizes, ...shown.map(() => el('col')));
    fill(this.head, ...this.#heads.map((cell) => cell.element));
    this.#size();
    changed();
  }

  showSorting(): void {
    const sorting = this.#options.sorting();
    for (const cell of this.#heads) cell.update(sorting);
  }

  /** Makes room for the text of a cell. */
  made(column: Column<R, K>, text: string): void {
    const { choice, widths } = this.#options;
    const wanted = widths.wantedBy(column, text);
    if (wanted > (this.#wanted.get(column.key) ?? 0)) {
      this.#wanted.set(column.key, wanted);
      this.#sizeSoon();
    }
    const width = widths.ofCell(column, text);
    if (width === null || !choice.fit(column, width)) return;
    this.#size();
    queueMicrotask(() => this.#fit());
  }

  /** Once for all rows that are made in one go. */
  #sizeSoon(): void {
    if (this.#is_due) return;
    this.#is_due = true;
    queueMicrotask(() => {
      this.#is_due = false;
      this.#fit();
    });
  }

  /**
   * Puts the widths on the screen. Room to spare goes to names that would be cut, and what is left to all in proportion, until the user resizes a
   * column.
   */
  #size(): void {
    const { choice } = this.#options;
    const { shown } = choice;
    const least = shown.reduce((sum, column) => sum + choice.widthOf(column), 0);
    const lacks = this.#lacks();
    const lacking = sumOf(lacks);
    const spare = choice.isResized ? 0 : Math.max(0, this.#scroller.clientWidth - least);
    const given = lacking > 0 ? Math.min(1, spare / lacking) : 0;
    shown.forEach((column, at) => {
      const size = this.sizes.children[at];
      if (size instanceof HTMLElement) size.style.width = `${choice.widthOf(column) + Math.floor((lacks[at] ?? 0) * given)}px`;
    });
    const sum = `${least}px`;
    this.#grid.style.minWidth = sum;
    this.#grid.style.width = choice.isResized ? sum : '';
  }

  #fitTitles(): void {
    const { choice, widths } = this.#options;
    for (const column of choice.shown) if (column.numeric || column.fits) choice.fit(column, widths.ofTitle(column.title));
  }

  /** How much wider each column would like to be. */
  #lacks(): number[] {
    const { choice } = this.#options;
    return choice.shown.map((column) => Math.max(0, (this.#wanted.get(column.key) ?? 0) - choice.widthOf(column)));
  }

  /** Columns for which there is no room are left out; where the others go on, they fade. */
  #fit(): void {
    const { clientWidth, offsetWidth } = this.#scroller;
    if (clientWidth === 0) return;
    // Letters may be larger than before.
    this.#fitTitles();
    const { choice, yields, yields_to_names } = this.#options;
    if (choice.fitInto(clientWidth, yields, yields_to_names, sumOf(this.#lacks()))) this.show();
    this.#size();
    this.#scroller.style.setProperty('--bar', `${offsetWidth - clientWidth}px`);
    this.#sayGoesOn();
  }

  #sayGoesOn(): void {
    const { scrollWidth, clientWidth, scrollLeft } = this.#scroller;
    this.#scroller.classList.toggle('goes-on', scrollWidth - clientWidth - scrollLeft > 1);
  }

  /** The columns keep the widths that they have on the screen, so that resizing one moves no other. */
  #freeze(): void {
    const { choice } = this.#options;
    const on_screen = this.#heads.map(({ element }) => element.offsetWidth);
    choice.shown.forEach((column, at) => choice.fit(column, on_screen[at] ?? 0));
  }
}
