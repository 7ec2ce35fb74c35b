// The menu of a table's columns: which are shown, and in which order.
import { say } from '../../base/messages';
import { el, fill, icon } from '../../base/dom';
import { ICONS } from '../shared/icons';
import { menuUnder } from '../shared/menu';
import type { ColumnChoice } from './column_choice';
import type { Column } from './columns';

/** `changed` hears that other columns are shown, or in another order. */
export function columnsMenu<R, K extends string>(table: string, choice: ColumnChoice<R, K>, changed: () => void): HTMLElement {
  const list = el('ul', { class: 'column-list' });
  const reset = el('button', { class: 'chip', type: 'button', onclick: () => change(() => choice.reset()) }, say('columns-reset'));
  const change = (how: () => void) => {
    how();
    changed();
    show();
  };
  const show = () => {
    fill(list, ...choice.all.filter(({ key }) => choice.isFree(key)).map(line));
    reset.disabled = !choice.isChanged;
  };
  const line = (column: Column<R, K>) => {
    const { key, title } = column;
    const shown = el('input', { type: 'checkbox', onchange: () => change(() => choice.show(key, shown.checked)) });
    shown.checked = choice.isShown(key);
    const move = (by: -1 | 1, words: string, path: string) => {
      const button = el('button', { class: 'button square small', type: 'button', title: words, 'aria-label': words }, icon(path));
      button.addEventListener('click', () => {
        change(() => choice.move(key, by));
        focusOn(list, title, by);
      });
      return button;
    };
    return el(
      'li',
      { class: 'menu-line', 'data-column': title },
      el('label', { class: 'column-name' }, shown, title),
      move(-1, say('column-move-left', { column: title }), ICONS.up),
      move(1, say('column-move-right', { column: title }), ICONS.down),
    );
  };
  return menuUnder(
    {
      id: `columns-of-${table}`,
      label: say('columns-title'),
      title: say('columns-about'),
      words: icon(ICONS.columns),
      opens: show,
      over: true,
    },
    list,
    el('div', { class: 'menu-line' }, el('span', { class: 'note' }, say('columns-note')), reset),
  );
}

/** The lines are made anew after each change; the focus stays on the button that was pressed. */
function focusOn(list: HTMLElement, title: string, by: -1 | 1): void {
  const line = [...list.children].find((child) => child instanceof HTMLElement && child.dataset['column'] === title);
  line?.querySelectorAll('button')[by === -1 ? 0 : 1]?.focus();
}
