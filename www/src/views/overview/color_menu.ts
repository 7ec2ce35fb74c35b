// The menu of colours at the end of the split: what they stand for, what the split is of, and what else has a colour in the picture.
import { say } from '../../base/messages';
import { el, fill } from '../../base/dom';
import { COLOR_BIES, type ColorBy } from '../../engine/protocol';
import { answerTo, request } from '../../state/figures';
import { Changed } from '../../state/frame';
import { toggleAnyDevice } from '../../state/shown/any_device';
import { COLOR_BY_WORDS, setColorBy } from '../../state/shown/colors';
import { shownFlow } from '../../state/shown/flow';
import { arePathsQuick, pathOf, showsStrip } from '../../state/shown/path';
import { PHASES } from '../../state/shown/phases';
import type { Context, State } from '../../state/state';
import { menuUnder } from '../shared/menu';
import { kindWords } from '../shared/path_words';

const ABOUT: Readonly<Record<ColorBy, string>> = {
  category: say('color-by-category-about'),
  phase: say('color-by-phase-about'),
  op_type: say('color-by-op-type-about'),
  scope: say('color-by-scope-about'),
  duration: say('color-by-duration-about'),
  step: say('color-by-step-about'),
  device: say('color-by-device-about'),
  slack: say('color-by-slack-about'),
};

export function colorMenu(context: Context): HTMLElement {
  const { state, frame } = context;
  const words = el('span', { class: 'menu-words' });
  // Where there is little room, what they stand for is in the menu.
  const short = el('span', { class: 'menu-short' }, say('color-by'));
  const choices = COLOR_BIES.map((by) => {
    const input = el('input', { type: 'radio', name: 'color-by', value: by, onchange: () => setColorBy(context, by) });
    return { by, input, label: el('label', { class: 'choice' }, input, el('span', {}, COLOR_BY_WORDS[by]), note(by)) };
  });
  frame.onDom([Changed.color, Changed.trace], () => {
    const shown = wordsOf(state);
    if (words.textContent !== shown) words.textContent = shown;
    for (const { by, input } of choices) input.checked = by === state.color_by;
  });
  return menuUnder(
    { id: 'color-menu', label: say('color-by'), title: say('color-by-title'), words: el('span', {}, words, short), over: true },
    el('fieldset', { class: 'menu-choice' }, el('legend', {}, say('color-by')), ...choices.map(({ label }) => label)),
    anyDevice(context),
    hidingKey(context),
    pathKey(context),
    arrowLines(context),
  );
}

/** From categories to phases with one click, and back, where names record them. */
export function phasesChip(context: Context): HTMLElement {
  const { state, frame } = context;
  const toggle = () => setColorBy(context, state.color_by === 'phase' ? 'category' : 'phase');
  const chip = el(
    'button',
    { class: 'chip phases', type: 'button', title: say('color-phases-title'), onclick: toggle },
    say('color-phases'),
  );
  frame.onDom([Changed.color, Changed.trace, Changed.totals, 'hasPhases'], () => {
    // With the totals what launched kernels is known, and the first frame is long there.
    if (state.trace && (state.trace.summary.transfers ?? null) !== null && arePathsQuick(state)) request(context, PHASES);
    const is_on = state.color_by === 'phase';
    chip.hidden = !is_on && answerTo(state, PHASES) !== true;
    chip.setAttribute('aria-pressed', String(is_on));
  });
  return chip;
}

const note = (by: ColorBy): HTMLElement => el('span', { class: 'note' }, ABOUT[by]);

/** While the core still works something out, that is said. */
const wordsOf = ({ color_by, colors }: State): string =>
  colors && colors.by !== color_by
    ? say('coloring', { what: COLOR_BY_WORDS[color_by] })
    : say('colored', { what: COLOR_BY_WORDS[color_by] });

/** Whether the split is that of any device at all, or the mean. */
function anyDevice(context: Context): HTMLElement {
  const { state, frame } = context;
  const input = el('input', { type: 'checkbox', onchange: () => toggleAnyDevice(context) });
  const element = el(
    'label',
    { class: 'choice split-of-any', title: say('any-device-title') },
    input,
    el('span', {}, say('any-device-choice')),
  );
  frame.onDom([Changed.trace, Changed.scope], () => {
    // What any device does at a moment is not known where their clocks differ.
    element.hidden = (state.trace?.summary.devices.length ?? 0) < 2 || !!state.trace?.summary.clocks;
    input.checked = state.any_device;
  });
  return element;
}

/** What is dark and what is light in bands of transfers, while any is shown. */
function hidingKey({ state, frame }: Context): HTMLElement {
  const one = (look: string, words: string, title: string) => el('span', { title }, el('span', { class: `dot ${look}` }), words);
  const element = el(
    'p',
    { class: 'legend-key' },
    one('exposed-dot', say('legend-exposed'), say('legend-exposed-about')),
    one('hidden-dot', say('legend-hidden'), say('legend-hidden-about')),
  );
  frame.onDom([Changed.layout, Changed.trace], () => {
    const { bands, pinned } = state.layout;
    element.hidden = ![...pinned, ...bands].some(({ strips }) => strips.some(({ of }) => of === 'communication'));
  });
  return element;
}

/** Less of the path is hardly seen. */
const LEAST_OF_PATH = 0.01;
/** On the path these look as the category does, and are called as it is. */
const AS_CATEGORIES: ReadonlySet<string> = new Set(['compute', 'copy', 'input']);

/** What the colours of the critical path are where they are not those of ops. */
function pathKey(context: Context): HTMLElement {
  const { state, frame } = context;
  const element = el('p', { class: 'legend-key legend-path', role: 'group', 'aria-label': say('strip-name'), hidden: true });
  let made_of: unknown = null;
  frame.onDom([Changed.layout, Changed.trace, 'criticalPath'], () => {
    const path = showsStrip(state) ? pathOf(state) : null;
    if (path === made_of) return;
    made_of = path;
    const parts = (path?.by_category ?? []).filter(
      ({ key, length_ns }) => !AS_CATEGORIES.has(key) && length_ns >= LEAST_OF_PATH * (path?.length_ns ?? 0),
    );
    element.hidden = parts.length === 0;
    fill(
      element,
      el('span', { class: 'note' }, say('strip-name')),
      ...parts.map(({ key }) => {
        const { label, look, about } = kindWords(key);
        return el('span', { title: about }, el('span', { class: `dot dot-${look}` }), label);
      }),
    );
  });
  return element;
}

/** What the lines of arrows mean, while there are any. */
function arrowLines(context: Context): HTMLElement {
  const { state, frame } = context;
  const line = (kind: string, words: string) => el('span', {}, el('span', { class: `arrow-line ${kind}`, 'aria-hidden': 'true' }), words);
  const element = el(
    'p',
    { class: 'legend-key legend-arrows', hidden: true },
    line('dashed', say('arrows-to-it')),
    line('solid', say('arrows-from-it')),
  );
  frame.onDom([Changed.selection, Changed.trace], () => {
    element.hidden = (shownFlow(context)?.edges.length ?? 0) === 0 || state.selection === null;
  });
  return element;
}
