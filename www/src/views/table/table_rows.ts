// The visible rows of a table, between two spacers as tall as the rest; and the row the keyboard is on.
import { el } from '../../base/dom';
import { clamp } from '../../base/geom';
import { LongScroll } from '../../base/long_scroll';
import { reconcile } from '../shared/reconcile';
import type { Column, Page } from './columns';

/** In CSS pixels. The head sticks to the top. */
interface Heights {
  row: number;
  head: number;
}

/** A finger is taller than a line of text. */
const heights = (): Heights => (matchMedia('(hover: none) and (pointer: coarse)').matches ? { row: 44, head: 44 } : { row: 24, head: 26 });

/** Rows made beyond the visible ones, so that the browser has some to show before the page hears of the scrolling. */
const MADE_BEYOND = 12;
/** Rows asked for beyond the visible ones. */
const ASKED_BEYOND = 120;

const propertyOf = (row: unknown, name: string): unknown =>
  typeof row === 'object' && row !== null && name in row ? (row as Record<string, unknown>)[name] : undefined;

/** What menus want to know of a row: the op that it is of or names, the device, by number or name, and the step, by its place. */
function aboutOf(row: unknown): Record<`data-of-${'op' | 'device' | 'step'}`, string | undefined> {
  const op = propertyOf(row, 'op');
  const id = typeof op === 'number' ? op : propertyOf(op, 'op');
  const device = propertyOf(row, 'device');
  const named = typeof device === 'number' || typeof device === 'string';
  const step = propertyOf(row, 'place');
  return {
    'data-of-op': typeof id === 'number' ? String(id) : undefined,
    'data-of-device': named ? String(device) : undefined,
    'data-of-step': typeof step === 'number' && propertyOf(row, 'ops') !== 0 ? String(step) : undefined,
  };
}

export interface RowsOptions<R, K extends string> {
  /** Those that are shown, in order. */
  columns: () => readonly Column<R, K>[];
  /** Hears the text of each cell that is made. */
  made: (column: Column<R, K>, text: string) => void;
  /** Begins the ids of elements, so that rows of several tables differ. */
  id: string;
  isChosen: (row: R) => boolean;
  /** Goes to what a row is about. */
  go?: (row: R, index: number) => void;
  /** Rows are needed that are not at hand. */
  ask: () => void;
}

export class TableRows<R, K extends string> {
  readonly body = el('tbody');
  readonly #options: RowsOptions<R, K>;
  readonly #scroller: HTMLElement;
  readonly #grid: HTMLElement;
  readonly #heights = heights();
  readonly #scroll = new LongScroll();
  readonly #above: Spacer;
  readonly #below: Spacer;
  /** Of the scroller; kept, because to read it while the page is painted would lay the page out once more. */
  #height = 0;
  #made = new Map<number, HTMLTableRowElement>();
  #page: Page<R> = { total: 0, rows: [] };
  #offset = 0;
  #active = 0;

  constructor(scroller: HTMLElement, grid: HTMLElement, options: RowsOptions<R, K>) {
    this.#scroller = scroller;
    this.#grid = grid;
    this.#options = options;
    // The style sheet has the same heights where nobody counts rows.
    grid.style.setProperty('--row', `${this.#heights.row}px`);
    grid.style.setProperty('--row-head', `${this.#heights.head}px`);
    this.#above = spacer();
    this.#below = spacer();
    scroller.addEventListener('scroll', () => {
      this.#scroll.scrolled(scroller.scrollTop);
      this.draw();
    });
    scroller.addEventListener('scrollend', () => this.#settle());
    new ResizeObserver(() => {
      this.#height = scroller.clientHeight;
      this.draw();
    }).observe(scroller);
    grid.addEventListener('keydown', (event) => this.#key(event));
    this.body.addEventListener('click', (event) => this.#click(event));
  }

  get total(): number {
    return this.#page.total;
  }

  /** The rows to have for what is visible. */
  get stretch(): { offset: number; limit: number } {
    const [first, last] = this.#inSight(ASKED_BEYOND);
    return { offset: first, limit: Math.max(last - first, ASKED_BEYOND) };
  }

  /** Shows an answer: the rows from `offset` on. */
  take(page: Page<R>, offset: number): void {
    // A row that stays keeps its element: a click on it that has begun is not lost.
    for (const index of this.#made.keys()) {
      if (this.#page.rows[index - this.#offset] !== page.rows[index - offset]) this.#made.delete(index);
    }
    this.#page = page;
    this.#offset = offset;
    this.#active = clamp(this.#active, 0, Math.max(0, page.total - 1));
    this.draw();
  }

  /** Other columns are shown: makes all rows anew. */
  remake(): void {
    // A cell over more columns than there are would add columns, which take their share of the width.
    this.#above.cell.colSpan = this.#below.cell.colSpan = this.#options.columns().length;
    this.#made.clear();
    this.draw();
  }

  /** Back to the first row. */
  toTop(): void {
    this.#active = 0;
    this.#scroll.goTo(0);
    this.#settle();
  }

  /** Makes and drops rows so that the visible ones are there; asks for those that are not at hand. */
  draw(): void {
    const { total, rows } = this.#page;
    if (this.#height === 0) return;
    this.#scroll.resize(total * this.#heights.row, this.#view);
    const [seen_first, seen_last] = this.#inSight(0);
    if (seen_first < this.#offset || seen_last > this.#offset + rows.length) this.#options.ask();
    const [wanted_first, wanted_last] = this.#inSight(MADE_BEYOND);
    const first = clamp(wanted_first, this.#offset, this.#offset + rows.length);
    const last = clamp(wanted_last, first, this.#offset + rows.length);
    const made = new Map<number, HTMLTableRowElement>();
    for (let index = first; index < last; index++) {
      const row = rows[index - this.#offset];
      if (row) made.set(index, this.#made.get(index) ?? this.#rowElement(row, index));
    }
    this.#made = made;
    // Rows lie in the element where the content's scrolling puts them, which beyond its greatest height is not index * height.
    const shift = this.#scroll.position - this.#scroll.top;
    const above = Math.max(0, first * this.#heights.row + shift);
    const below = Math.max(0, this.#scroll.elementHeight - above - made.size * this.#heights.row);
    this.#above.cell.style.height = `${above}px`;
    this.#below.cell.style.height = `${below}px`;
    // Rows that stay are not even taken out and put back: a click on one that has begun would be lost.
    reconcile(this.body, [...(above > 0 ? [this.#above.row] : []), ...made.values(), ...(below > 0 ? [this.#below.row] : [])]);
    this.mark();
  }

  /** Shows anew which row is chosen, and which one the keyboard is on. */
  mark(): void {
    for (const [index, element] of this.#made) {
      const row = this.#page.rows[index - this.#offset];
      const chosen = row !== undefined && this.#options.isChosen(row);
      element.classList.toggle('selected', chosen);
      element.setAttribute('aria-selected', String(chosen));
      element.classList.toggle('active', index === this.#active);
    }
    const active = this.#made.get(this.#active);
    if (active) this.#grid.setAttribute('aria-activedescendant', active.id);
    else this.#grid.removeAttribute('aria-activedescendant');
  }

  get #view(): number {
    return Math.max(0, this.#height - this.#heights.head);
  }

  #inSight(beyond: number): [first: number, last: number] {
    const first = Math.floor(this.#scroll.top / this.#heights.row) - beyond;
    const last = Math.ceil((this.#scroll.top + this.#view) / this.#heights.row) + beyond;
    return [clamp(first, 0, this.#page.total), clamp(last, 0, this.#page.total)];
  }

  /** Puts the scroll bar where the content is. */
  #settle(): void {
    const { position } = this.#scroll;
    if (Math.abs(this.#scroller.scrollTop - position) >= 1) this.#scroller.scrollTop = position;
  }

  #rowElement(row: R, index: number): HTMLTableRowElement {
    const cells = this.#options.columns().map((column, at) => {
      const content = column.cell ? column.cell(row) : String(column.value?.(row) ?? '');
      const children = Array.isArray(content) ? content : [content];
      const attributes = { class: column.numeric ? 'numeric' : undefined, title: column.whole?.(row) };
      const cell = at === 0 ? el('th', { ...attributes, scope: 'row' }, ...children) : el('td', attributes, ...children);
      this.#options.made(column, cell.textContent);
      return cell;
    });
    return el('tr', { id: `${this.#options.id}-${index}`, 'aria-rowindex': index + 2, ...aboutOf(row) }, ...cells);
  }

  #go(index: number): void {
    const row = this.#page.rows[index - this.#offset];
    if (row) this.#options.go?.(row, index);
  }

  #click(event: MouseEvent): void {
    const element = event.target instanceof Element ? event.target.closest('tr') : null;
    const index = [...this.#made].find(([, made]) => made === element)?.[0];
    // A user who selects text to copy it does not want to go anywhere.
    if (index === undefined || String(getSelection()) !== '') return;
    this.#active = index;
    this.#grid.focus({ preventScroll: true });
    this.mark();
    this.#go(index);
  }

  #key(event: KeyboardEvent): void {
    if (event.target !== this.#grid || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Enter') this.#go(this.#active);
    else {
      const page = Math.max(1, Math.floor(this.#view / this.#heights.row) - 1);
      const steps: Record<string, number> = {
        ArrowUp: -1,
        ArrowDown: 1,
        PageUp: -page,
        PageDown: page,
        Home: -Infinity,
        End: Infinity,
      };
      const step = steps[event.key];
      if (step === undefined) return;
      this.#active = clamp(this.#active + step, 0, Math.max(0, this.#page.total - 1));
      this.#bringIntoSight();
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** Scrolls as little as it can to show row `index`, and puts the keyboard's place there. */
  reveal(index: number): void {
    this.#active = clamp(index, 0, Math.max(0, this.#page.total - 1));
    this.#bringIntoSight();
  }

  /** Whether a chosen row is in sight. */
  get showsChosen(): boolean {
    const [first, last] = this.#inSight(0);
    return [...this.#made].some(([index, element]) => index >= first && index < last && element.classList.contains('selected'));
  }

  #bringIntoSight(): void {
    const from = this.#active * this.#heights.row;
    const { top } = this.#scroll;
    if (from < top) this.#scroll.goTo(from);
    else if (from + this.#heights.row > top + this.#view) this.#scroll.goTo(from + this.#heights.row - this.#view);
    this.draw();
    this.#settle();
  }
}

/** A row that stands for many that are not there. */
interface Spacer {
  row: HTMLElement;
  cell: HTMLTableCellElement;
}

function spacer(): Spacer {
  const cell = el('td');
  return { row: el('tr', { class: 'spacer', 'aria-hidden': 'true' }, cell), cell };
}
