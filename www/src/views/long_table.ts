// A table of any length: only the rows in sight are in the page, between two spacers as tall as the rest.
import { el } from '../base/dom';

const ROW_HEIGHT = 24;
/** Rows beyond those in sight, so that scrolling finds them there. */
const MARGIN = 60;
/** Browsers lose positions beyond some tens of millions of pixels; nobody scrolls this far. */
const MOST_ROWS = 1_000_000;

export interface Stretch {
  offset: number;
  limit: number;
}

/** The rows to have for what `scroll` shows. */
export function stretchFor(scroll: HTMLElement): Stretch {
  const first = Math.floor(scroll.scrollTop / ROW_HEIGHT);
  const offset = Math.max(0, first - MARGIN);
  return { offset, limit: Math.ceil(scroll.clientHeight / ROW_HEIGHT) + 1 + (first - offset) + MARGIN };
}

/** Whether the rows at hand, `n_rows` from `offset` on, are all that `scroll` shows of `total`. */
export function covers(scroll: HTMLElement, offset: number, n_rows: number, total: number): boolean {
  const first = Math.floor(scroll.scrollTop / ROW_HEIGHT);
  const last = Math.min(first + Math.ceil(scroll.clientHeight / ROW_HEIGHT) + 1, total);
  return first >= offset && last <= offset + n_rows;
}

export function longBody(rows: readonly HTMLElement[], offset: number, total: number, n_columns: number): HTMLElement {
  const after = Math.max(0, Math.min(total, MOST_ROWS) - offset - rows.length);
  return el('tbody', {}, offset > 0 && spacer(offset, n_columns), ...rows, after > 0 && spacer(after, n_columns));
}

function spacer(rows: number, n_columns: number): HTMLElement {
  const cell = el('td', { colspan: n_columns });
  cell.style.height = `${rows * ROW_HEIGHT}px`;
  return el('tr', { class: 'spacer', 'aria-hidden': 'true' }, cell);
}
