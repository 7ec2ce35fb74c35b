// The menu of what also counts as communication: which patterns are in force, how many ops each matches, and a field for another.
import { say } from '../../../base/messages';
import { el, fill, icon, setText } from '../../../base/dom';
import { attempt } from '../../../state/failures';
import { Changed } from '../../../state/frame';
import { latest } from '../../../state/latest';
import { LONGEST_PATTERN } from '../../../state/opened/pattern_words';
import { addPattern, removePattern, shownPatterns } from '../../../state/opened/patterns';
import type { Context } from '../../../state/state';
import { reportFailure } from '../../../state/failures';
import { ICONS } from '../../shared/icons';
import { menuUnder } from '../../shared/menu';

const PROBLEM = 'pattern-problem';
const NOT_COUNTED = say('patterns-not-counted');

export function patternsMenu(context: Context): HTMLElement {
  const { state, frame, engine } = context;
  const words = el('span', { class: 'menu-words' });
  const list = el('ul', { class: 'pattern-list' });
  const problem = el('p', { id: PROBLEM, class: 'pattern-problem', role: 'alert', hidden: true });
  const showProblem = (text: string) => {
    problem.hidden = text === '';
    setText(problem, text);
    input.setAttribute('aria-invalid', String(text !== ''));
  };
  const add = async (): Promise<void> => {
    const typed = input.value;
    const why = await addPattern(context, typed.trim().slice(0, LONGEST_PATTERN));
    // What was typed meanwhile is another pattern.
    if (input.value !== typed) return;
    showProblem(why);
    if (why === '') input.value = '';
  };
  const input = el('input', {
    id: 'pattern',
    type: 'text',
    placeholder: say('pattern-example'),
    'aria-label': say('pattern-field'),
    'aria-describedby': PROBLEM,
    autocomplete: 'off',
    spellcheck: 'false',
    oninput: () => showProblem(''),
    onkeydown: (event) => {
      if (event.key !== 'Enter') return;
      event.preventDefault();
      attempt(context, NOT_COUNTED, add());
    },
  });
  const button = el(
    'button',
    { class: 'button outlined', type: 'button', onclick: () => attempt(context, NOT_COUNTED, add()) },
    say('pattern-add'),
  );
  let made_of = '';
  const requestOps = latest(
    ({ patterns }: { patterns: readonly string[] }) => engine.ask('patternOps', patterns),
    (counts, { patterns }) => {
      if (patterns.join('\n') !== made_of) return;
      list.querySelectorAll('.figure').forEach((figure, row) => setText(figure as HTMLElement, say('ops', { count: counts[row] ?? 0 })));
    },
    (thrown) => reportFailure(context, NOT_COUNTED, thrown),
  );
  frame.onDom([Changed.trace, Changed.steps], (changed) => {
    if (!state.trace) return;
    const patterns = shownPatterns(state);
    setText(words, patterns.length === 0 ? say('patterns-none') : say('patterns-short', { count: patterns.length }));
    const now = patterns.join('\n');
    const is_other = now !== made_of;
    if (is_other) {
      made_of = now;
      if (list.contains(document.activeElement)) input.focus();
      fill(list, ...patterns.map((pattern) => line(context, pattern)));
    }
    if (patterns.length > 0 && (is_other || changed.has(Changed.trace))) requestOps({ patterns });
  });
  return menuUnder(
    { id: 'patterns', label: say('patterns-title'), title: say('patterns-title'), words, over: true },
    el(
      'div',
      { class: 'patterns' },
      el('p', { class: 'note' }, say('patterns-about')),
      el('div', { class: 'pattern-line' }, input, button),
      problem,
      list,
    ),
  );
}

function line(context: Context, pattern: string): HTMLElement {
  const label = say('pattern-remove', { pattern });
  return el(
    'li',
    { class: 'pattern-line' },
    el('code', { title: pattern }, pattern),
    el('span', { class: 'figure' }),
    el(
      'button',
      { class: 'button square small', type: 'button', title: label, 'aria-label': label, onclick: () => removePattern(context, pattern) },
      icon(ICONS.close),
    ),
  );
}
