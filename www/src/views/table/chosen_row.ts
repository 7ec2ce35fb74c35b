// The row of what is selected in the timeline: it is marked, and the table goes to it when something else is selected.
import { capital, say } from '../../base/messages';
import type { OpId } from '../../engine/protocol';
import { reportFailure } from '../../state/failures';
import { latest } from '../../state/latest';
import type { Context } from '../../state/state';
import type { Page, PageQuery } from './columns';
import type { TableRows } from './table_rows';

/** A table of no more rows is looked through for a chosen one. */
const MOST_SEARCHED = 5000;

export interface ChosenRowOptions<R, K extends string> {
  many: string;
  page: (query: PageQuery<K>) => Promise<Page<R>>;
  isChosen?: (row: R) => boolean;
  placeOf?: (op: OpId) => Promise<number | null>;
  query: (offset: number, limit: number) => PageQuery<K>;
  /** Of the sorting and the filter. */
  version: () => number;
}

export class ChosenRow<R, K extends string> {
  readonly #context: Context;
  readonly #rows: TableRows<R, K>;
  readonly #options: ChosenRowOptions<R, K>;
  readonly #follow: (asked: { op: OpId; version: number }) => void;
  /** The selected op that the table has looked for last. */
  #followed: OpId | null = null;

  constructor(context: Context, rows: TableRows<R, K>, options: ChosenRowOptions<R, K>) {
    this.#context = context;
    this.#rows = rows;
    this.#options = options;
    this.#follow = latest(
      (asked: { op: OpId; version: number }) => this.#find(asked.op),
      (place, asked) => {
        if (place !== null && asked.version === options.version() && !rows.showsChosen) rows.reveal(place);
      },
      (thrown) => reportFailure(context, say('table-not-listed', { rows: capital(options.many) }), thrown),
    );
  }

  /** Marks it. What is selected in the timeline is shown here, too, if it is a row. */
  mark(): void {
    const rows = this.#rows;
    rows.mark();
    const op = this.#selected;
    if (op === this.#followed) return;
    this.#followed = op;
    const { isChosen, version } = this.#options;
    if (op !== null && isChosen && rows.total > 0 && !rows.showsChosen) this.#follow({ op, version: version() });
  }

  /** The table stays where it is until something else is selected. */
  stay(): void {
    this.#followed = this.#selected;
  }

  /** What is selected is looked for anew. */
  seekAgain(): void {
    this.#followed = null;
  }

  get #selected(): OpId | null {
    return this.#context.state.selection?.op ?? null;
  }

  async #find(op: OpId): Promise<number | null> {
    const { placeOf, page: ask, query, isChosen } = this.#options;
    if (placeOf && this.#rows.total > MOST_SEARCHED) return placeOf(op);
    const page = await ask(query(0, Math.min(this.#rows.total, MOST_SEARCHED)));
    const place = page.rows.findIndex((row) => isChosen?.(row));
    return place < 0 ? null : place;
  }
}
