// The legend under the lanes: what each colour is, how much time it has in the view, and which are shown alone.
import { say } from '../../base/messages';
import { el, fill } from '../../base/dom';
import { formatDuration } from '../../base/time';
import { colorNames } from '../../draw/theme';
import { COLOR_BIES, REST, type ColorBy, type Colors } from '../../engine/protocol';
import { Changed } from '../../state/frame';
import { clearColors, COLOR_BY_WORDS, lights, setColorBy, toggleColor } from '../../state/shown/colors';
import { shownFlow } from '../../state/shown/flow';
import { pathOf, showsStrip } from '../../state/shown/path';
import type { Context, State } from '../../state/state';
import { menuUnder } from '../shared/menu';
import { nameCell } from '../shared/parts';
import { colorName } from '../shared/color_names';
import { kindWords } from '../shared/path_words';

export function legend(context: Context): HTMLElement {
  const { state, frame } = context;
  const items = el('div', { class: 'legend-items', role: 'group', 'aria-label': say('legend') });
  const all = el(
    'button',
    { class: 'chip', type: 'button', hidden: true, title: say('all-colors-title'), onclick: () => clearColors(context) },
    say('all-colors'),
  );
  const element = el(
    'div',
    { class: 'legend' },
    el('div', { class: 'side' }, colorMenu(context)),
    items,
    all,
    arrowLines(context),
    pathKey(context),
  );
  lights(context, items, (target) => {
    const color = target.closest<HTMLElement>('[data-color]')?.dataset['color'];
    return color === undefined ? null : { colors: [Number(color)], lighting: 'soft' };
  });
  const hiding = hidingKey(context);
  let made_of: unknown[] = [];
  frame.onDom(Changed.color | Changed.trace, () => {
    const { colors, color_sums: sums, color_order: order, wanted_colors: wanted } = state;
    all.hidden = wanted.size === 0;
    if (!colors) return;
    element.dataset['by'] = colors.by;
    // The buttons stay while only their figures change, and the focus with them.
    const now = [colors, order];
    if (now.some((own, at) => own !== made_of[at])) {
      made_of = now;
      // Until the colours are counted the legend is empty. On a phone the key alone would scroll, and nothing in it takes the focus.
      fill(items, ...order.map((color) => item(context, colors, color)), order.length > 0 && hiding);
    }
    for (const button of items.querySelectorAll<HTMLElement>('[data-color]')) {
      const color = Number(button.dataset['color']);
      const { ops = 0, own_ns = 0 } = sums?.[color] ?? {};
      const time = sums ? formatDuration(own_ns) : '';
      const figure = button.lastElementChild;
      if (figure && figure.textContent !== time) figure.textContent = time;
      const name = colorName(colors, color);
      button.title = say('legend-title', { name, time, ops: say('ops', { count: ops }) });
      button.setAttribute('aria-pressed', String(wanted.has(color)));
      button.classList.toggle('away', wanted.size > 0 && !wanted.has(color));
      button.classList.toggle('none', sums !== null && ops === 0);
    }
  });
  return element;
}

/** What is dark and what is light in bands of transfers, while any is shown. */
function hidingKey({ state, frame }: Context): HTMLElement {
  const one = (look: string, words: string, title: string) => el('span', { title }, el('span', { class: `dot ${look}` }), words);
  const element = el(
    'span',
    { class: 'legend-hiding' },
    one('exposed-dot', say('legend-exposed'), say('legend-exposed-about')),
    one('hidden-dot', say('legend-hidden'), say('legend-hidden-about')),
  );
  frame.onDom(Changed.layout | Changed.trace, () => {
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
  const element = el('span', { class: 'legend-hiding legend-path', role: 'group', 'aria-label': say('strip-name'), hidden: true });
  let made_of: unknown = null;
  frame.onDom([Changed.layout | Changed.trace, 'criticalPath'], () => {
    const path = showsStrip(state) ? pathOf(state) : null;
    if (path === made_of) return;
    made_of = path;
    const parts = (path?.by_category ?? []).filter(
      ({ key, length_ns }) => !AS_CATEGORIES.has(key) && length_ns >= LEAST_OF_PATH * (path?.length_ns ?? 0),
    );
    element.hidden = parts.length === 0;
    fill(
      element,
      el('span', {}, say('strip-name')),
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
    'span',
    { class: 'legend-arrows', hidden: true },
    line('dashed', say('arrows-to-it')),
    line('solid', say('arrows-from-it')),
  );
  frame.onDom(Changed.selection | Changed.trace, () => {
    element.hidden = (shownFlow(context)?.edges.length ?? 0) === 0 || state.selection === null;
  });
  return element;
}

function item(context: Context, colors: Colors, color: number): HTMLElement {
  // A finger has no second button and no Ctrl: each touch adds or takes away.
  const toggle = (event: MouseEvent) => {
    const touched = event instanceof PointerEvent && event.pointerType === 'touch';
    toggleColor(context, color, event.ctrlKey || event.metaKey || event.shiftKey || touched);
  };
  return el(
    'button',
    { class: 'legend-item', type: 'button', 'data-color': String(color), 'data-op-type': typeOfColor(colors, color), onclick: toggle },
    el('span', { class: `dot dot-${colorNames(colors.by)[color]}` }),
    el('span', { class: 'legend-name' }, nameCell(colorName(colors, color))),
    el('span', { class: 'figure' }),
  );
}

/** The op type that alone has this colour, if one has. */
const typeOfColor = ({ by, names }: Colors, color: number): string | undefined =>
  by === 'op_type' && color !== REST ? names[color] : undefined;

const ABOUT: Readonly<Record<ColorBy, string>> = {
  category: say('color-by-category-about'),
  op_type: say('color-by-op-type-about'),
  scope: say('color-by-scope-about'),
  duration: say('color-by-duration-about'),
  step: say('color-by-step-about'),
  device: say('color-by-device-about'),
  slack: say('color-by-slack-about'),
};

function colorMenu(context: Context): HTMLElement {
  const { state, frame } = context;
  const words = el('span', { class: 'menu-words' });
  const choices = COLOR_BIES.map((by) => {
    const input = el('input', { type: 'radio', name: 'color-by', value: by, onchange: () => setColorBy(context, by) });
    return { by, input, label: el('label', { class: 'choice' }, input, el('span', {}, COLOR_BY_WORDS[by]), note(by)) };
  });
  frame.onDom(Changed.color | Changed.trace, () => {
    const shown = wordsOf(state);
    if (words.textContent !== shown) words.textContent = shown;
    for (const { by, input } of choices) input.checked = by === state.color_by;
  });
  return menuUnder(
    { id: 'color-menu', label: say('color-by'), title: say('color-by-title'), words, over: true },
    el('fieldset', { class: 'menu-choice' }, el('legend', {}, say('color-by')), ...choices.map(({ label }) => label)),
  );
}

const note = (by: ColorBy): HTMLElement => el('span', { class: 'note' }, ABOUT[by]);

/** While the core still works something out, that is said. */
const wordsOf = ({ color_by, colors }: State): string =>
  colors && colors.by !== color_by
    ? say('coloring', { what: COLOR_BY_WORDS[color_by] })
    : say('colored', { what: COLOR_BY_WORDS[color_by] });
