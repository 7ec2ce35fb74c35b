// The head of the left column: the field that filters devices, and what is out of sight.
import { say } from '../../base/messages';
import { el, icon, setText } from '../../base/dom';
import { setFilter, showHidden, shownRows } from '../../state/shown/devices';
import { Changed } from '../../state/frame';
import type { Context, State } from '../../state/state';
import { rowCount } from '../../state/layout/units';
import { ICONS } from '../shared/icons';

export function corner(context: Context): HTMLElement {
  return el('div', { class: 'side corner' }, filterField(context));
}

/** Of fewer rows nobody has to search for one. */
const LEAST_ROWS = 4;

const allRows = ({ trace }: State): number => rowCount(trace?.summary.devices ?? []);

function filterField(context: Context): HTMLElement {
  const { state, frame } = context;
  const input = el('input', {
    class: 'device-filter',
    type: 'search',
    'aria-label': say('filter-devices'),
    autocomplete: 'off',
    spellcheck: 'false',
    oninput: () => setFilter(context, input.value),
    onkeydown: (event) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      event.stopPropagation();
      if (input.value === '') input.blur();
      setFilter(context, '');
    },
  });
  const count = el('span', { class: 'filter-count', 'aria-hidden': 'true' });
  const element = el('div', { class: 'filter' }, icon(ICONS.filter), input, count);
  frame.onDom([Changed.layout, Changed.trace], () => {
    const { filter } = state.rows;
    if (input.value !== filter) input.value = filter;
    const shown = shownRows(state);
    const all = allRows(state);
    element.hidden = all < LEAST_ROWS && filter === '';
    input.placeholder = say('devices', { count: state.trace?.summary.working_devices ?? 0 });
    input.title = say('filter-devices-title');
    setText(count, filter === '' ? '' : say('number-of', { number: String(shown), all: String(all) }));
    count.title = say('rows-of', { shown: String(shown), count: all });
    count.classList.toggle('none', shown === 0);
  });
  return element;
}

/** What says that there is more than what is shown: below the rows, and in their place where there are none. */
export function rowNotes(context: Context): HTMLElement[] {
  const { state, frame } = context;
  const button = (words: string, run: () => void) => el('button', { class: 'chip', type: 'button', onclick: run }, words);
  const hidden = button('', () => showHidden(context));
  const foot = el('div', { class: 'tree-foot', hidden: true }, hidden);
  const nothing = el('p', {});
  const clear = button(say('clear-filter'), () => setFilter(context, ''));
  const bring = button('', () => showHidden(context));
  const empty = el('div', { class: 'no-rows', hidden: true }, nothing, clear, bring);
  frame.onDom([Changed.layout, Changed.trace], () => {
    const { hidden: away, filter } = state.rows;
    const none = shownRows(state) === 0 && allRows(state) > 0;
    const words = say('show-hidden', { count: away.size });
    setText(hidden, words);
    setText(bring, words);
    foot.hidden = away.size === 0 || none;
    empty.hidden = !none;
    setText(nothing, filter === '' ? say('all-hidden') : say('no-device-matches', { filter }));
    clear.hidden = filter === '';
    bring.hidden = away.size === 0;
  });
  return [foot, empty];
}
