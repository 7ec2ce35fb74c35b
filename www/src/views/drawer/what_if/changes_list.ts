// The changes that a replay has: each with a slider for its factor or a field for its number, with what it meets, and a button that removes it.
import { el, fill, icon, setText } from '../../../base/dom';
import { capital, say } from '../../../base/messages';
import type { WhatIfAnswer } from '../../../engine/verbs/what_if';
import { setChanges, slideTo, undoChange } from '../../../state/shown/what_if';
import type { Context } from '../../../state/state';
import { ICONS } from '../../shared/icons';
import { changeOf, changeWords, factorWords, partsOf, type ChangeParts } from './change_words';

/** Twice as long; an address may say more. */
const MOST_FACTOR = 2;
const STEP = 0.05;
const MOST_THREADS = 4096;

interface Row {
  element: HTMLElement;
  /** Shows another factor or number of the same change, and what the core says of it. */
  update: (parts: ChangeParts, met: string, problem: string) => void;
}

export interface ChangesList {
  element: HTMLElement;
  /** `answer` may be that to changes before. */
  show: (answer: WhatIfAnswer | null) => void;
}

export function changesList(context: Context): ChangesList {
  const { state } = context;
  const list = el('ul', { class: 'if-changes' });
  const undo = el('button', { class: 'chip', type: 'button', onclick: () => undoChange(context) }, say('undo'));
  const clear = el('button', { class: 'chip', type: 'button', onclick: () => setChanges(context, []) }, say('if-clear'));
  const head = el('div', { class: 'if-changes-head' }, el('h2', {}, say('if-changes-title')), undo, clear);
  const element = el('section', { class: 'if-changes-part' }, head, list);
  element.addEventListener('keydown', (event) => {
    const is_undo = event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey;
    if (!is_undo || state.changes_before.length === 0 || isText(event.target)) return;
    event.preventDefault();
    event.stopPropagation();
    undoChange(context);
  });
  const remove = (place: number) => {
    setChanges(
      context,
      state.changes.filter((_, at) => at !== place),
    );
    // The row that had the focus goes: the next one has it then, or what adds a change.
    const then = () => {
      const buttons = list.querySelectorAll<HTMLElement>('.if-remove');
      (buttons[Math.min(place, buttons.length - 1)] ?? (undo.hidden ? null : undo))?.focus();
    };
    context.frame.afterDrawn(then);
  };
  let rows: Row[] = [];
  let shown = '';
  const show = (answer: WhatIfAnswer | null) => {
    undo.hidden = state.changes_before.length === 0;
    clear.hidden = state.changes.length < 2;
    head.hidden = undo.hidden && state.changes.length === 0;
    const all = state.changes.map(partsOf);
    // A slider that moves must stay the same element.
    const now = JSON.stringify(all.map(({ word, what }) => (word === 'threads' ? [word] : [word, what])));
    if (now !== shown) {
      shown = now;
      rows = all.map((parts, place) => rowOf(context, parts, place, () => remove(place)));
      fill(list, ...rows.map((row) => row.element));
    }
    const is_of_these = answer?.asked.length === all.length;
    let made = 0;
    all.forEach((parts, place) => {
      const problem = is_of_these ? (answer.not_made.find((own) => own.place === place)?.why ?? '') : '';
      const met = is_of_these && problem === '' ? answer.changes[made++]?.ops : undefined;
      rows[place]?.update(parts, met === undefined ? '' : say('ops', { count: met }), problem);
    });
  };
  return { element, show };
}

const isText = (target: EventTarget | null): boolean => target instanceof HTMLInputElement && target.type !== 'range';

function rowOf(context: Context, parts: ChangeParts, place: number, remove: () => void): Row {
  const { state } = context;
  const name = changeWords(parts);
  const withPlace = (own: Partial<ChangeParts>): string[] =>
    state.changes.map((change, at) => (at === place ? changeOf({ ...partsOf(change), ...own }) : change));
  const met = el('span', { class: 'note if-met' });
  const problem = el('p', { class: 'if-problem', hidden: true });
  const control = parts.factor !== null ? slider(context, name, withPlace) : parts.word === 'threads' ? threads(context, withPlace) : null;
  const element = el(
    'li',
    { class: 'if-change' },
    el(
      'div',
      { class: 'if-change-head' },
      el('span', { class: 'if-name', title: `${parts.word} ${parts.what}`.trim() }, name),
      met,
      el(
        'button',
        { class: 'button square small if-remove', type: 'button', title: say('if-remove', { change: name }), onclick: remove },
        icon(ICONS.close),
      ),
    ),
    control?.element,
    problem,
  );
  element.querySelector('.if-remove')?.setAttribute('aria-label', say('if-remove', { change: name }));
  return {
    element,
    update: (now, met_now, why) => {
      control?.update(now);
      setText(met, met_now);
      setText(problem, capital(why));
      problem.hidden = why === '';
      element.classList.toggle('is-not-made', why !== '');
    },
  };
}

interface Control {
  element: HTMLElement;
  update: (parts: ChangeParts) => void;
}

type WithPlace = (own: Partial<ChangeParts>) => string[];

function slider(context: Context, name: string, withPlace: WithPlace): Control {
  const input = el('input', { type: 'range', class: 'if-slider', 'aria-label': say('if-factor-of', { change: name }) });
  input.min = '0';
  input.max = String(MOST_FACTOR);
  input.step = String(STEP);
  const said = el('output', { class: 'if-factor' });
  // One move of the slider is one step back.
  let moves = false;
  input.addEventListener('input', () => {
    const changes = withPlace({ factor: Number(input.value) });
    if (moves) slideTo(context, changes);
    else setChanges(context, changes);
    moves = true;
  });
  for (const end of ['change', 'pointerup', 'keyup', 'blur']) input.addEventListener(end, () => (moves = false));
  const update = ({ factor }: ChangeParts) => {
    const now = factor ?? 1;
    if (now > Number(input.max)) input.max = String(now);
    if (Number(input.value) !== now) input.value = String(now);
    const words = factorWords(now);
    input.setAttribute('aria-valuetext', words);
    setText(said, words);
  };
  return { element: el('div', { class: 'if-control' }, input, said), update };
}

function threads(context: Context, withPlace: WithPlace): Control {
  const input = el('input', { type: 'number', class: 'if-threads', 'aria-label': say('if-threads') });
  input.min = '1';
  input.max = String(MOST_THREADS);
  input.addEventListener('change', () => {
    const wanted = Math.round(Number(input.value));
    if (wanted >= 1 && wanted <= MOST_THREADS) setChanges(context, withPlace({ what: String(wanted) }));
  });
  return {
    element: el('div', { class: 'if-control' }, input),
    update: ({ what }) => {
      if (document.activeElement !== input) input.value = what;
    },
  };
}
