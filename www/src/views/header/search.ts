// The search box: matches are counted while typing; Enter and Shift+Enter walk through them, Esc leaves.
import { say } from '../../base/messages';
import { el, fill, icon, setText } from '../../base/dom';
import { formatCount } from '../../base/format';
import { formatDuration, formatEnds } from '../../base/time';
import { typedPlace, type TypedPlace } from '../../base/typed_place';
import { Changed } from '../../state/frame';
import { showStepNumber } from '../../state/opened/show_view';
import { setSearch, walkMatches } from '../../state/shown/search';
import { goToTime } from '../../state/shown/typed_place';
import { lengthOfStep } from '../../state/scope';
import { OP_NOT_SHOWN } from '../../state/shown/select';
import type { Context } from '../../state/state';
import { ICONS } from '../shared/icons';
import { attempt } from '../../state/failures';

const INPUT = 'search';
const HELP = 'search-help';

/** The words that keep a search to one field, and which field that is. */
const FIELDS = [
  ['name:', say('search-field-name')],
  ['type:', say('search-field-type')],
  ['device:', say('search-field-device')],
  ['label:', say('search-field-label')],
] as const;

/** Puts the keyboard into the search box. */
export function focusSearch(): void {
  const input = document.getElementById(INPUT);
  if (input instanceof HTMLInputElement) {
    input.focus();
    input.select();
  }
}

/** Back to the timeline, where the matches stay lit. */
const leave = (): void => document.querySelector<HTMLElement>('canvas.lanes')?.focus();

export function searchBox(context: Context): HTMLElement {
  const { state, frame } = context;
  const search = (text: string) => setSearch(context, { text, regex: state.search.regex });
  const toggleRegex = () => setSearch(context, { text: input.value, regex: !state.search.regex });
  const input = el('input', {
    id: INPUT,
    type: 'search',
    placeholder: say('search-placeholder'),
    'aria-label': say('search-label'),
    'aria-describedby': HELP,
    'aria-keyshortcuts': '/ Control+F',
    autocomplete: 'off',
    spellcheck: 'false',
    oninput: () => search(input.value),
    onkeydown: (event) => {
      if (event.key === 'Enter') {
        if (!goTo(context, input.value)) attempt(context, OP_NOT_SHOWN, walkMatches(context, event.shiftKey ? -1 : 1));
      } else if (event.key === 'Escape') leave();
      else if (event.code === 'KeyR' && event.altKey) toggleRegex();
      else return;
      event.preventDefault();
      event.stopPropagation();
    },
  });
  const count = el('span', { class: 'search-count', 'aria-hidden': 'true' });
  const hint = el('kbd', { class: 'search-hint', 'aria-hidden': 'true' }, '/');
  const button = (label: string, path: string, run: () => void) =>
    el('button', { class: 'button square small', type: 'button', title: label, 'aria-label': label, onclick: run }, icon(path));
  const steps = el(
    'span',
    { class: 'search-steps' },
    button(say('search-previous'), ICONS.up, () => attempt(context, OP_NOT_SHOWN, walkMatches(context, -1))),
    button(say('search-next'), ICONS.down, () => attempt(context, OP_NOT_SHOWN, walkMatches(context, 1))),
  );
  const clear = button(say('search-clear'), ICONS.close, () => {
    search('');
    input.focus();
  });
  const regex = el(
    'button',
    {
      class: 'search-regex',
      type: 'button',
      title: say('search-regex-title'),
      'aria-label': say('search-regex'),
      'aria-keyshortcuts': 'Alt+R',
      onclick: () => {
        toggleRegex();
        input.focus();
      },
    },
    '.*',
  );
  const help = el('div', { id: HELP, class: 'search-help' });
  const element = el('div', { class: 'search', role: 'search' }, icon(ICONS.search), input, count, hint, steps, clear, regex, help);
  frame.onDom([Changed.search, Changed.trace], () => {
    const { query, regex: is_regex, result, problem, position } = state.search;
    if (input.value !== query) input.value = query;
    hint.hidden = query !== '';
    clear.hidden = query === '';
    steps.hidden = !result || result.count === 0;
    regex.setAttribute('aria-pressed', String(is_regex));
    input.setAttribute('aria-invalid', String(problem !== null));
    count.classList.toggle('none', result?.count === 0);
    setText(count, !result ? '' : counted(result.count, position));
    count.title = result ? say('matches', { count: result.count }) : '';
    const place = typedPlace(query, lengthOfStep(state));
    element.classList.toggle('explained', query === '' || problem !== null || place !== null);
    help.classList.toggle('problem', problem !== null && place === null);
    if (place) fill(help, el('p', {}, placeWords(place)));
    else if (problem !== null) fill(help, problem);
    else fill(help, ...explanation());
  });
  return element;
}

/** Goes to what was typed if it is a place in time. */
function goTo(context: Context, text: string): boolean {
  const place = typedPlace(text, lengthOfStep(context.state));
  if (!place) return false;
  if (place.kind === 'step') showStepNumber(context, place.number);
  else goToTime(context, place);
  return true;
}

function placeWords(place: TypedPlace): string {
  if (place.kind === 'step') return say('typed-step', { number: String(place.number) });
  if (place.kind === 'moment') return say('typed-moment', { at: formatDuration(place.at) });
  return say('typed-range', formatEnds(place.start, place.end));
}

function counted(count: number, position: number): string {
  if (count === 0) return say('search-nothing');
  return position < 0 ? formatCount(count) : say('number-of', { number: formatCount(position + 1), all: formatCount(count) });
}

function explanation(): HTMLElement[] {
  const line = (term: string, meaning: string) => el('div', { class: 'search-help-line' }, el('code', {}, term), el('span', {}, meaning));
  return [
    el('p', {}, say('search-help')),
    ...FIELDS.map(([prefix, field]) => line(prefix, field)),
    el('p', {}, say('search-help-keys')),
    el('p', {}, say('search-help-places')),
  ];
}
