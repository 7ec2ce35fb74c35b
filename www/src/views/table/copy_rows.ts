// The button that copies a table as CSV, or saves it where it is too long for a clipboard.
import { csvRow } from '../../base/csv';
import { el, icon, setText } from '../../base/dom';
import { formatCount } from '../../base/format';
import { say, type CountId } from '../../base/messages';
import { attempt, showError } from '../../state/failures';
import { Changed } from '../../state/frame';
import { announce, type Context } from '../../state/state';
import { copyText, download } from '../shared/copy';
import { ICONS } from '../shared/icons';
import type { Column, Page, PageQuery } from './columns';

/** More than this go into a file: a clipboard is no place for them. */
const MOST_COPIED = 200_000;
/** Rows asked for at a time while copying. */
const COPIED_AT_ONCE = 20_000;
const SAID_FOR_MS = 4000;

export interface CopyOptions<R, K extends string> {
  counted: CountId;
  many: string;
  page: (query: PageQuery<K>) => Promise<Page<R>>;
  /** Those that the user has not hidden. */
  columns: () => readonly Column<R, K>[];
  query: (offset: number, limit: number) => PageQuery<K>;
  total: () => number;
  /** Where it is said how far the copying is. */
  said: HTMLElement;
  /** Says again how many rows there are. */
  sayTotal: (total: number) => void;
}

export class CopyButton<R, K extends string> {
  readonly element: HTMLButtonElement;
  readonly #words = el('span', { class: 'copy-words' });
  readonly #context: Context;
  readonly #options: CopyOptions<R, K>;

  constructor(context: Context, options: CopyOptions<R, K>) {
    this.#context = context;
    this.#options = options;
    const onclick = () => attempt(context, say('not-copied'), this.#copyAll());
    this.element = el('button', { class: 'chip copy-rows', type: 'button', onclick }, icon(ICONS.copy), this.#words);
  }

  /** What a click does to this many rows. */
  sayTotal(total: number): void {
    this.element.disabled = total === 0;
    setText(this.#words, total > MOST_COPIED ? say('save-csv') : say('copy-csv'));
    this.element.title = say('copy-csv-title', { rows: say(this.#options.counted, { count: total }) });
  }

  async #copyAll(): Promise<void> {
    const { many, counted, said, sayTotal } = this.#options;
    const total = this.#options.total();
    this.element.disabled = true;
    try {
      if (total > MOST_COPIED) download(new Blob(await this.#allRows(), { type: 'text/csv' }), `${many.replaceAll(' ', '-')}.csv`);
      else await copyText(this.#allRows().then((parts) => parts.join('')));
      const done = say(total > MOST_COPIED ? 'saved-csv' : 'copied-csv', { rows: say(counted, { count: total }) });
      announce(this.#context, done, Changed.notice);
      setText(said, done);
      setTimeout(() => sayTotal(this.#options.total()), SAID_FOR_MS);
    } catch (thrown) {
      showError(this.#context, say('not-copied'), thrown);
      sayTotal(this.#options.total());
    }
    this.element.disabled = false;
  }

  /** Every row, in the order shown, asked for a piece at a time. */
  async #allRows(): Promise<string[]> {
    const { query, columns, page: ask, counted, said } = this.#options;
    const asked = query(0, COPIED_AT_ONCE);
    const copied = columns().filter((column) => column.value);
    const parts = [csvRow(copied.map((column) => column.key))];
    for (let offset = 0; ; offset += COPIED_AT_ONCE) {
      const page = await ask({ ...asked, offset });
      parts.push(page.rows.map((row) => csvRow(copied.map(({ value }) => value?.(row) ?? null))).join(''));
      if (page.rows.length === 0 || offset + page.rows.length >= page.total) return parts;
      setText(said, say('rows-so-far', { read: formatCount(offset + page.rows.length), rows: say(counted, { count: page.total }) }));
    }
  }
}
