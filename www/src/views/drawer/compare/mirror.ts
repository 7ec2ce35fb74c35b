// The mirrored timelines: A's lanes upwards, B's downwards, on one scale; whose times, where they begin, and what is chosen in them.
import { TextRuler } from '../../../draw/text';
import { clauses } from '../../../base/joined';
import { el, fill, setText } from '../../../base/dom';
import { formatCount } from '../../../base/format';
import { say, type PlainId } from '../../../base/messages';
import { formatDuration, formatEnds } from '../../../base/time';
import type { ChangeCounts, ComparedPair } from '../../../engine/protocol';
import { Changed } from '../../../state/frame';
import { request } from '../../../state/figures';
import {
  alignAt,
  chosenPair,
  fitMirror,
  mirrorHeight,
  mirrorRequester,
  mirrorRows,
  mirrorWindow,
  PAIR,
  restoreAlign,
  setMirror,
  setWidths,
  showPair,
} from '../../../state/shown/mirror';
import { comparisonOf, COMPARE_CHANGED } from '../../../state/shown/comparison';
import type { Context, State } from '../../../state/state';
import type { Widths } from '../../../state/types';
import { paletteOf } from '../../../state/ui/theme';
import { surface } from '../../shared/canvas';
import { isShown } from '../tab_panel';
import { listen } from './mirror_hand';
import { AXIS, paint } from './mirror_paint';

/** The tallest that it is, in CSS pixels; more rows scroll. */
const MOST_HEIGHT = 430;

const WIDTHS: readonly [Widths, PlainId, PlainId][] = [
  ['both', 'mirror-both', 'mirror-both-about'],
  ['a', 'mirror-widths-a', 'mirror-widths-a-about'],
  ['b', 'mirror-widths-b', 'mirror-widths-b-about'],
];

const KINDS: readonly [kind: keyof ChangeCounts, words: PlainId][] = [
  ['slower', 'change-slower'],
  ['faster', 'change-faster'],
  ['same', 'change-same'],
  ['only_a', 'change-only-a'],
  ['only_b', 'change-only-b'],
];

export interface MirrorPart {
  element: HTMLElement;
  show: () => void;
}

export function mirrorPart(context: Context): MirrorPart {
  const { state, frame } = context;
  const canvas = surface({
    class: 'cmp-mirror-canvas',
    role: 'application',
    tabindex: 0,
    'aria-label': say('mirror-label'),
    'aria-describedby': 'cmp-mirror-said',
  });
  const said = el('p', { class: 'visually-hidden', id: 'cmp-mirror-said' });
  const filler = el('div', { class: 'cmp-mirror-filler', 'aria-hidden': true });
  const scroller = el('div', { class: 'cmp-mirror-scroll', tabindex: -1 }, canvas.element, filler);
  const tip = el('div', { class: 'tooltip cmp-tip', hidden: true, 'aria-hidden': true });
  const chips = WIDTHS.map(([widths, words, about]) =>
    el('button', { class: 'chip', type: 'button', title: say(about), onclick: () => setWidths(context, widths) }, say(words)),
  );
  const align = el('button', { class: 'chip', type: 'button', title: say('mirror-align-about') }, say('mirror-align'));
  const fit = el(
    'button',
    { class: 'chip', type: 'button', title: say('mirror-fit-about'), onclick: () => fitMirror(context) },
    say('mirror-fit'),
  );
  align.addEventListener('click', () => alignAt(context, state.mirror.align ? null : chosenPair(state)));
  const counts = KINDS.map(() => el('span', { class: 'tab-count' }));
  const legend = el(
    'p',
    { class: 'note cmp-legend' },
    ...KINDS.map(([kind, words], at) =>
      el('span', { class: 'cmp-key-of' }, el('span', { class: `cmp-key is-${kind}` }), say(words), counts[at]),
    ),
  );
  const pair = el('p', { class: 'cmp-pair', role: 'status' });
  const box = el('div', { class: 'cmp-mirror-box' }, scroller, tip);
  const element = el(
    'div',
    { class: 'cmp-mirror' },
    el(
      'div',
      { class: 'cmp-mirror-tools' },
      el('span', { class: 'cmp-group', role: 'group', 'aria-label': say('mirror-times') }, ...chips),
      align,
      fit,
    ),
    legend,
    box,
    said,
    pair,
  );
  const ruler = new TextRuler(canvas.context, () => paletteOf(state).small_font);
  const requestMarks = mirrorRequester(context);
  const is_there = () => isShown(state, 'compare') && comparisonOf(state) !== null;

  const fitCanvas = () => {
    const rows = mirrorRows(state);
    const height = mirrorHeight(rows) + AXIS;
    const shown = Math.min(height, MOST_HEIGHT);
    box.style.height = `${shown}px`;
    filler.style.height = `${Math.max(height - shown, 0)}px`;
    canvas.fit(scroller.clientWidth, shown);
    const top = Math.min(state.mirror.scroll_y, height - shown);
    // Where something below was chosen.
    if (Math.abs(scroller.scrollTop - top) > 1) scroller.scrollTop = top;
  };
  new ResizeObserver(() => {
    if (is_there()) frame.invalidate(COMPARE_CHANGED);
  }).observe(scroller);
  scroller.addEventListener('scroll', () => setMirror(context, { scroll_y: scroller.scrollTop, hover: null }));

  listen(context, canvas.element, scroller, () => canvas.width);
  frame.onDom([COMPARE_CHANGED, Changed.selection, Changed.trace, Changed.drawer, Changed.theme, 'compare', 'comparedPair'], () => {
    if (!is_there()) return;
    restoreAlign(context);
    fitCanvas();
    for (const [at, chip] of chips.entries()) chip.setAttribute('aria-pressed', String(WIDTHS[at]?.[0] === state.mirror.widths));
    const found = comparisonOf(state);
    for (const [at, [kind]] of KINDS.entries()) if (counts[at]) setText(counts[at], formatCount(found?.changes[kind] ?? 0));
    request(context, PAIR);
    const chosen = chosenPair(state);
    const aligned = state.mirror.align;
    align.disabled = state.mirror.widths !== 'both' || (!aligned && !(chosen?.a && chosen.b));
    align.setAttribute('aria-pressed', String(aligned !== null));
    setText(align, aligned ? say('mirror-align-start') : say('mirror-align'));
    fit.disabled = state.mirror.window === null;
    fill(pair, ...(chosen ? pairWords(context, chosen) : [say('mirror-hint')]));
    setText(said, spoken(state));
    showTip(state, tip, box);
  });
  frame.onRequest([COMPARE_CHANGED, Changed.trace, Changed.drawer, Changed.theme, 'compare'], () => {
    if (is_there()) requestMarks(canvas.width, canvas.height);
  });
  frame.onCanvas(
    [COMPARE_CHANGED, Changed.selection, Changed.trace, Changed.drawer, Changed.theme, 'compare', 'mirror', 'comparedPair'],
    () => {
      if (is_there()) paint(state, canvas, ruler);
    },
  );
  return { element, show: fitCanvas };
}

function pairWords(context: Context, chosen: ComparedPair): (HTMLElement | string)[] {
  const own = chosen.a ?? chosen.b;
  const button = el(
    'button',
    { class: 'op-link', type: 'button', title: say('mirror-show-pair'), onclick: () => showPair(context, chosen) },
    own?.name ?? '',
  );
  return [button, ' ', el('span', {}, chosen.sentence)];
}

/** What the canvas shows, for who cannot see it. */
function spoken(state: State): string {
  const found = comparisonOf(state);
  const { from, to } = formatEnds(Math.max(mirrorWindow(state).start, 0), mirrorWindow(state).end);
  const words = KINDS.map(([kind, id]) => say('mirror-count', { what: say(id), count: found?.changes[kind] ?? 0 }));
  return say('mirror-spoken', { from, to, devices: say('devices', { count: mirrorRows(state).length }), words: clauses(words) });
}

/** The op under the pointer and its partner, with both figures. */
function showTip({ mirror: { hover } }: State, tip: HTMLElement, box: HTMLElement): void {
  tip.hidden = !hover?.pair;
  if (!hover?.pair) return;
  const { a, b, sentence } = hover.pair;
  const own = (hover.of_b ? b : a) ?? a ?? b;
  const length = (op: typeof a) => (op ? formatDuration(op.end_ns - op.start_ns) : '–');
  fill(
    tip,
    el('div', { class: 'tip-name' }, own?.name ?? ''),
    el('div', { class: 'tip-line' }, own?.op_type ?? ''),
    el(
      'div',
      { class: 'tip-line tip-strong' },
      clauses([say('label-of', { what: say('cmp-a'), label: length(a) }), say('label-of', { what: say('cmp-b'), label: length(b) })]),
    ),
    el('div', { class: 'tip-line' }, sentence),
    hover.count > 1 && el('div', { class: 'tip-line' }, say('mirror-merged', { count: hover.count - 1 })),
  );
  const left = hover.x + 14 + tip.offsetWidth > box.clientWidth ? hover.x - tip.offsetWidth - 10 : hover.x + 14;
  const top = hover.y + 16 + tip.offsetHeight > box.clientHeight ? hover.y - tip.offsetHeight - 10 : hover.y + 16;
  tip.style.transform = `translate(${Math.max(4, Math.round(left))}px, ${Math.max(4, Math.round(top))}px)`;
}
