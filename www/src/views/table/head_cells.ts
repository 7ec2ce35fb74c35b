// The head of a table: a title sorts, its right edge resizes the column.
import { say } from '../../base/messages';
import { el, setText } from '../../base/dom';
import type { Column, Sorting } from './columns';

export interface HeadActions<R, K extends string> {
  sorting: () => Sorting<K> | null;
  sort: (sorting: Sorting<K>) => void;
  /** As wide as the column is on the screen, in CSS pixels. */
  resize: (column: Column<R, K>, width: number) => void;
  resizeToFit: (column: Column<R, K>) => void;
}

export interface HeadCell<K extends string> {
  element: HTMLElement;
  update: (sorting: Sorting<K> | null) => void;
}

const ARROWS = { none: '', ascending: '↑', descending: '↓' } as const;
/** Steps of the keyboard, in CSS pixels. */
const STEP = 16;

/** A title is a button that sorts: first the way that is of use, then the other. */
export function headCell<R, K extends string>(column: Column<R, K>, actions: HeadActions<R, K>): HeadCell<K> {
  const { key, title, about, numeric, value, sortable, descending } = column;
  const attributes = { scope: 'col', class: numeric ? 'numeric' : undefined, title: about };
  if (!value || sortable === false) {
    const element = el('th', attributes, title);
    element.append(edge(element, column, actions));
    return { element, update: () => undefined };
  }
  const choose = () => {
    const now = actions.sorting();
    actions.sort({ key, descending: now?.key === key ? !now.descending : descending === true });
  };
  const arrow = el('span', { class: 'sort-arrow', 'aria-hidden': 'true' });
  const words = numeric ? [arrow, title] : [title, arrow];
  const button = el('button', { type: 'button', class: 'sort', onclick: choose }, ...words);
  const element = el('th', attributes, button);
  element.append(edge(element, column, actions));
  button.addEventListener('keydown', (event) => {
    const step = event.key === 'ArrowRight' ? STEP : event.key === 'ArrowLeft' ? -STEP : 0;
    if (step === 0 || !event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    actions.resize(column, element.offsetWidth + step);
  });
  return {
    element,
    update(now) {
      const order = now?.key !== key ? 'none' : now.descending ? 'descending' : 'ascending';
      element.setAttribute('aria-sort', order);
      setText(arrow, ARROWS[order]);
    },
  };
}

/** Drag it to resize; a double click makes the column as wide as its figures need. The keyboard has Shift and an arrow on the title. */
function edge<R, K extends string>(head: HTMLElement, column: Column<R, K>, actions: HeadActions<R, K>): HTMLElement {
  const element = el('span', {
    class: 'column-edge',
    title: say('column-edge-title'),
    'aria-hidden': true,
    ondblclick: () => actions.resizeToFit(column),
    onpointerdown: (event) => {
      if (event.button !== 0) return;
      event.preventDefault();
      element.setPointerCapture(event.pointerId);
      const from = { x: event.clientX, width: head.offsetWidth };
      const drag = (now: PointerEvent) => {
        if (now.clientX !== from.x) actions.resize(column, from.width + now.clientX - from.x);
      };
      element.addEventListener('pointermove', drag);
      element.addEventListener('lostpointercapture', () => element.removeEventListener('pointermove', drag), { once: true });
    },
  });
  return element;
}
