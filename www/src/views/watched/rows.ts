// Rows of small tables that are painted again and again: an element stays where its row does, and keeps the focus.
import { el, setText } from '../../base/dom';
import { reconcile } from '../shared/reconcile';

export interface KeptRow<R> {
  element: HTMLElement;
  paint: (row: R) => void;
}

/** Rows within `parent`, each found again by its key. */
export class KeptRows<R> {
  readonly #parent: HTMLElement;
  readonly #make: (row: R) => KeptRow<R>;
  #rows: ReadonlyMap<string, KeptRow<R>> = new Map();

  constructor(parent: HTMLElement, make: (row: R) => KeptRow<R>) {
    this.#parent = parent;
    this.#make = make;
  }

  paint(rows: readonly (readonly [key: string, row: R])[]): void {
    const kept = new Map(rows.map(([key, row]) => [key, this.#rows.get(key) ?? this.#make(row)]));
    for (const [key, row] of rows) kept.get(key)?.paint(row);
    this.#rows = kept;
    reconcile(
      this.#parent,
      [...kept.values()].map(({ element }) => element),
    );
  }
}

/** A cell, and what sets its text. */
export function cell(tag: 'td' | 'th', name: string): [HTMLElement, (text: string, title?: string) => void] {
  const element = el(tag, { class: name, scope: tag === 'th' ? 'row' : undefined });
  return [
    element,
    (text, title = '') => {
      setText(element, text);
      if (element.title !== title) element.title = title;
    },
  ];
}

/** The head of a table: a title for each column, and whether it has figures. */
export const head = (...columns: readonly (readonly [title: string, is_figure: boolean])[]): HTMLElement =>
  el(
    'thead',
    {},
    el('tr', {}, ...columns.map(([title, is_figure]) => el('th', { scope: 'col', class: is_figure ? 'figure' : '' }, title))),
  );
