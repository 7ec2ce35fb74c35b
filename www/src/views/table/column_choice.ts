// Which columns of a table are shown, in which order and how wide: what the user chose, else what the table proposes.
import { forgetColumns, keepColumns, keptColumns, type KeptColumns } from '../../state/ui/preferences';
import type { Column } from './columns';

/** Narrower than this, a column could not be found again. */
const NARROWEST = 36;
const WIDEST = 1600;

/** The first column, what a row is about, is always the first one shown. */
export class ColumnChoice<R, K extends string> {
  readonly #table: string;
  readonly #columns: readonly Column<R, K>[];
  #order: Column<R, K>[];
  #hidden = new Set<K>();
  /** Columns that do not fit into the panel. */
  #yielded = new Set<K>();
  /** Columns in which no row has a value. */
  #empty: ReadonlySet<K> = new Set();
  /** Those that the user has asked for: they stay, however narrow the table is, and whatever is in them. */
  #wanted = new Set<K>();
  /** What the user chose. */
  #widths = new Map<K, number>();
  /** What the widest figure so far takes. */
  #fitted = new Map<K, number>();

  /** `table` tells the tables of the page apart. */
  constructor(table: string, columns: readonly Column<R, K>[]) {
    this.#table = table;
    this.#columns = columns;
    this.#order = [...columns];
    const kept = keptColumns(table);
    if (kept) this.#restore(kept);
  }

  /** All columns in the chosen order, also those that are not shown. */
  get all(): readonly Column<R, K>[] {
    return this.#order;
  }

  get shown(): Column<R, K>[] {
    return this.chosen.filter(({ key }) => this.isShown(key));
  }

  /** Those that the user has not hidden, whether or not there is room for them. */
  get chosen(): Column<R, K>[] {
    return this.#order.filter(({ key }) => !this.#hidden.has(key));
  }

  isShown(key: K): boolean {
    return !this.#hidden.has(key) && !this.#yielded.has(key) && !this.isEmpty(key);
  }

  /** Whether it is left out because no row has a value in it. */
  isEmpty(key: K): boolean {
    return this.#empty.has(key) && !this.#wanted.has(key);
  }

  get empty(): ReadonlySet<K> {
    return this.#empty;
  }

  /** Leaves out the columns of `empty`. Returns whether they are others than before. */
  leaveOut(empty: ReadonlySet<K>): boolean {
    const before = this.#empty;
    this.#empty = empty;
    return before.size !== empty.size || [...before].some((key) => !empty.has(key));
  }

  /**
   * Of `yields`, leaves out as many columns, from the first on, as it takes to fit into `room`: a figure is never cut; of `to_names` as many
   * as it takes for names to get what they `lack`. Returns whether other columns are shown now. Where the user has resized columns, all stay.
   */
  fitInto(room: number, yields: readonly K[], to_names: readonly K[] = [], lack = 0): boolean {
    const before = this.#yielded;
    this.#yielded = new Set();
    const wide = () => this.shown.reduce((sum, column) => sum + this.widthOf(column), 0);
    for (const key of this.isResized ? [] : [...to_names, ...yields]) {
      if (wide() + (to_names.includes(key) ? lack : 0) <= room) continue;
      if (!this.#wanted.has(key)) this.#yielded.add(key);
    }
    return before.size !== this.#yielded.size || [...before].some((key) => !this.#yielded.has(key));
  }

  /** Whether the column can be hidden and moved. */
  isFree(key: K): boolean {
    return this.#columns[0]?.key !== key;
  }

  get isChanged(): boolean {
    return (
      this.#hidden.size > 0 ||
      this.#wanted.size > 0 ||
      this.#widths.size > 0 ||
      this.#order.some((column, index) => column !== this.#columns[index])
    );
  }

  get isResized(): boolean {
    return this.#widths.size > 0;
  }

  widthOf({ key, width }: Column<R, K>): number {
    return this.#widths.get(key) ?? Math.max(width, this.#fitted.get(key) ?? 0);
  }

  /** Makes room for a figure of this width. Returns whether the column became wider. */
  fit(column: Column<R, K>, width: number): boolean {
    const before = this.widthOf(column);
    if (width > (this.#fitted.get(column.key) ?? 0)) this.#fitted.set(column.key, width);
    return this.widthOf(column) > before;
  }

  resize(key: K, width: number): void {
    this.#widths.set(key, Math.round(Math.min(Math.max(width, NARROWEST), WIDEST)));
    this.#keep();
  }

  /** Back to as wide as its figures need. */
  resizeToFit(key: K): void {
    this.#widths.delete(key);
    this.#keep();
  }

  show(key: K, shown: boolean): void {
    if (!this.isFree(key)) return;
    this.#yielded.delete(key);
    if (shown) {
      this.#hidden.delete(key);
      this.#wanted.add(key);
    } else {
      this.#hidden.add(key);
      this.#wanted.delete(key);
    }
    this.#keep();
  }

  /** One place to the left or to the right. */
  move(key: K, by: -1 | 1): void {
    const from = this.#order.findIndex((column) => column.key === key);
    const to = from + by;
    const [moved] = this.#order.slice(from, from + 1);
    if (!moved || !this.isFree(key) || to < 1 || to >= this.#order.length) return;
    this.#order.splice(from, 1);
    this.#order.splice(to, 0, moved);
    this.#keep();
  }

  reset(): void {
    this.#order = [...this.#columns];
    this.#hidden.clear();
    this.#wanted.clear();
    this.#widths.clear();
    forgetColumns(this.#table);
  }

  #keep(): void {
    if (!this.isChanged) return forgetColumns(this.#table);
    keepColumns(this.#table, {
      order: this.#order.map(({ key }) => key),
      hidden: [...this.#hidden],
      wanted: [...this.#wanted],
      widths: Object.fromEntries(this.#widths),
    });
  }

  /** Columns that this version has not are left out; those that it has in addition come last. */
  #restore({ order, hidden, wanted, widths }: KeptColumns): void {
    const [first, ...rest] = this.#columns;
    if (!first) return;
    const place = (key: string) => (order.includes(key) ? order.indexOf(key) : order.length);
    this.#order = [first, ...rest.sort((a, b) => place(a.key) - place(b.key))];
    for (const { key } of rest) {
      if (hidden.includes(key)) this.#hidden.add(key);
      if (wanted?.includes(key)) this.#wanted.add(key);
    }
    for (const { key } of this.#columns) {
      const width = widths[key];
      if (typeof width === 'number' && width >= NARROWEST && width <= WIDEST) this.#widths.set(key, width);
    }
  }
}
