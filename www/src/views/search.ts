// The search box: matches are counted while typing; Enter and Shift+Enter walk through them.
import { el, icon, setText } from '../base/dom';
import { formatCount, plural } from '../base/format';
import { Changed } from '../state/frame';
import { setSearch, walkMatches } from '../state/search';
import type { Context } from '../state/state';
import { ICONS } from './icons';

const INPUT = 'search';

/** Puts the keyboard into the search box. */
export function focusSearch(): void {
  const input = document.getElementById(INPUT);
  if (input instanceof HTMLInputElement) {
    input.focus();
    input.select();
  }
}

export function searchBox(context: Context): HTMLElement {
  const { state, frame } = context;
  const input = el('input', {
    id: INPUT,
    type: 'search',
    placeholder: 'Search ops, types, tensors',
    'aria-label': 'Search ops, op types and tensors',
    'aria-keyshortcuts': '/',
    autocomplete: 'off',
    spellcheck: 'false',
    oninput: () => setSearch(context, input.value),
    onkeydown: (event) => {
      if (event.key === 'Enter') {
        event.preventDefault();
        void walkMatches(context, event.shiftKey ? -1 : 1);
      } else if (event.key === 'Escape') {
        event.preventDefault();
        event.stopPropagation();
        if (input.value === '') input.blur();
        input.value = '';
        setSearch(context, '');
      }
    },
  });
  const count = el('span', { class: 'search-count', 'aria-hidden': 'true' });
  const hint = el('kbd', { class: 'search-hint', 'aria-hidden': 'true' }, '/');
  const step = (label: string, path: string, by: 1 | -1) =>
    el(
      'button',
      {
        class: 'button square small',
        type: 'button',
        title: label,
        'aria-label': label,
        onclick: () => void walkMatches(context, by),
      },
      icon(path),
    );
  const steps = el(
    'span',
    { class: 'search-steps' },
    step('Previous match (Shift+Enter)', ICONS.up, -1),
    step('Next match (Enter)', ICONS.down, 1),
  );
  frame.onDom(Changed.search | Changed.trace, () => {
    const { query, result, position } = state.search;
    if (input.value !== query) input.value = query;
    hint.hidden = query !== '';
    steps.hidden = !result || result.count === 0;
    count.classList.toggle('none', result?.count === 0);
    setText(
      count,
      result
        ? position >= 0
          ? `${formatCount(position + 1)} of ${formatCount(result.ops.length)}`
          : result.count === 0
            ? 'nothing'
            : formatCount(result.count)
        : '',
    );
    count.title = result ? plural(result.count, 'match', 'matches') : '';
  });
  return el('div', { class: 'search', role: 'search' }, icon(ICONS.search), input, count, hint, steps);
}
