// The head of the left column: the field that filters devices, how lanes are shown, and what is out of sight.
import { el, icon, setText } from '../../base/dom';
import { plural } from '../../base/format';
import { foldAll, setFilter, showHidden } from '../../state/shown/devices';
import { Changed } from '../../state/frame';
import type { Context, State } from '../../state/state';
import { unitCount } from '../../state/layout/units';
import { titled } from '../keys/bindings';
import { ICONS } from '../shared/icons';
import { lanesMenu } from './lanes_menu';

export function corner(context: Context): HTMLElement {
  return el(
    'div',
    { class: 'side corner' },
    filterField(context),
    lanesMenu(context),
    el(
      'button',
      {
        class: 'button square small',
        type: 'button',
        title: titled('Fold or unfold all devices', 'fold-all'),
        'aria-label': 'Fold or unfold all devices',
        onclick: () => foldAll(context),
      },
      icon(ICONS.fold),
    ),
  );
}

const shownCount = ({ layout }: State): number => layout.pinned.length + layout.bands.length;
const deviceCount = ({ trace }: State): number => unitCount(trace?.summary.devices ?? []);

function filterField(context: Context): HTMLElement {
  const { state, frame } = context;
  const input = el('input', {
    class: 'device-filter',
    type: 'search',
    'aria-label': 'Filter devices',
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
  frame.onDom(Changed.layout | Changed.trace, () => {
    const { filter } = state.rows;
    if (input.value !== filter) input.value = filter;
    const shown = shownCount(state);
    const all = deviceCount(state);
    input.placeholder = plural(all, 'device');
    input.title = 'Show only devices whose names hold this, and those that are pinned';
    setText(count, filter === '' ? '' : `${shown} of ${all}`);
    count.title = `${shown} of ${plural(all, 'device')} shown`;
    count.classList.toggle('none', shown === 0);
  });
  return el('div', { class: 'filter' }, icon(ICONS.filter), input, count);
}

/** What says that there is more than what is shown: below the rows, and in their place where there are none. */
export function rowNotes(context: Context): HTMLElement[] {
  const { state, frame } = context;
  const button = (words: string, run: () => void) => el('button', { class: 'chip', type: 'button', onclick: run }, words);
  const hidden = button('', () => showHidden(context));
  const foot = el('div', { class: 'tree-foot', hidden: true }, hidden);
  const nothing = el('p', {});
  const clear = button('Clear the filter', () => setFilter(context, ''));
  const bring = button('', () => showHidden(context));
  const empty = el('div', { class: 'no-rows', hidden: true }, nothing, clear, bring);
  frame.onDom(Changed.layout | Changed.trace, () => {
    const { hidden: away, filter } = state.rows;
    const none = shownCount(state) === 0 && deviceCount(state) > 0;
    const words = `show hidden (${away.size})`;
    setText(hidden, words);
    setText(bring, words);
    foot.hidden = away.size === 0 || none;
    empty.hidden = !none;
    setText(nothing, filter === '' ? 'All devices are hidden.' : `No device’s name holds “${filter}”.`);
    clear.hidden = filter === '';
    bring.hidden = away.size === 0;
  });
  return [foot, empty];
}
