// What colours stand for, how much time each has in the view, and which ops are lit while the others stand back.
//
// What the user chooses (`color_by`) outlives the trace; what is (`colors`, `marks.color_by`) follows when the core has answered.
import { say } from '../../base/messages';
import { REST, type ColorBy, type Colors, type ColorSum, type Light } from '../../engine/protocol';
import { reportFailure } from '../failures';
import { Changed } from '../frame';
import { latest } from '../latest';
import { wholeQuery, wholeStep } from '../scope';
import { announce, type Context, type State } from '../state';
import type { OpenTrace } from '../types';
import { keep } from '../ui/preferences';
import { noteView, onSettled } from './history';
import { refreshMarks } from './marks';

const NOT_COLORED = say('not-colored');

export const COLOR_BY_WORDS: Readonly<Record<ColorBy, string>> = {
  category: say('color-by-category'),
  phase: say('color-by-phase'),
  op_type: say('color-by-op-type'),
  scope: say('color-by-scope'),
  duration: say('color-by-duration'),
  step: say('color-by-step'),
  device: say('color-by-device'),
  slack: say('color-by-slack'),
};

/** From now on, ops have the colours of the user's choice, and the legend knows how much time each has in the view. */
export function keepColored(context: Context): void {
  const { state, frame, engine } = context;
  /** What was asked of the core last, and of which trace. */
  let asked: { by: ColorBy; of: OpenTrace | null } = { by: 'category', of: null };
  const ask = latest(
    ({ by }: { by: ColorBy; of: OpenTrace }) => engine.ask('colorBy', by),
    (colors: Colors, { by, of }) => {
      if (of === state.trace && by === asked.by) take(context, colors);
    },
    (thrown) => {
      if (reportFailure(context, NOT_COLORED, thrown)) return;
      asked = { by: 'category', of: null };
      follow();
    },
  );
  const follow = () => {
    const { trace, colors } = state;
    if (!trace) return;
    if (asked.of !== trace && colors) {
      asked = { by: colors.by, of: trace };
      requestSums(context, true);
    }
    if (asked.of === trace && asked.by === state.color_by) return;
    asked = { by: state.color_by, of: trace };
    ask({ by: state.color_by, of: trace });
  };
  frame.onDom([Changed.color, Changed.trace], follow);
  onSettled(context, () => requestSums(context, false));
  lightHovered(context);
}

function take(context: Context, colors: Colors): void {
  const { state } = context;
  Object.assign(state, { colors, color_sums: null, color_order: [], wanted_colors: new Set(), light: null, pointed: null });
  refreshMarks(context);
  requestSums(context, true);
  announce(context, say('colored-by', { what: COLOR_BY_WORDS[colors.by] }), Changed.color, Changed.notice);
}

/** Colours stand for something else from now on. */
export function setColorBy(context: Context, by: ColorBy): void {
  const { state, frame } = context;
  if (by === state.color_by) return;
  state.color_by = by;
  keep('color', by);
  frame.invalidate(Changed.color);
  noteView(context);
}

/** `anew` where the order of the legend is not known yet: it is that of the whole, so that nothing jumps while the view moves. */
function requestSums(context: Context, anew: boolean): void {
  const { state, engine, frame } = context;
  const { colors } = state;
  if (!colors) return;
  const query = (window: State['window']) => ({ ...wholeQuery(state), start_ns: window.start, end_ns: window.end });
  const asked = async () => {
    if (anew || state.color_order.length === 0) {
      const order = orderOf(colors, await engine.ask('colorSums', query(wholeStep(state))));
      if (state.colors !== colors) return;
      state.color_order = order;
    }
    const sums = await engine.ask('colorSums', query(state.window));
    if (state.colors !== colors) return;
    state.color_sums = sums;
    frame.invalidate(Changed.color);
  };
  state.queues.color_sums.add(asked, (thrown) => reportFailure(context, NOT_COLORED, thrown));
}

/** The colours that ops have: of names the one with most time first, and the rest last. */
function orderOf({ by, names }: Colors, sums: readonly ColorSum[]): number[] {
  const all = sums.flatMap(({ ops }, color) => (ops > 0 ? [color] : []));
  const has_sizes = names.length > 0 && by !== 'category' && by !== 'step';
  const rank = (color: number) => (color === REST ? -1 : (sums[color]?.own_ns ?? 0));
  return has_sizes ? all.sort((a, b) => rank(b) - rank(a)) : all;
}

/** The colour of an op type; null where colours do not stand for op types. */
export function colorOfType({ colors }: State, op_type: string): number | null {
  if (colors?.by !== 'op_type') return null;
  const color = colors.names.indexOf(op_type);
  return color < 0 ? REST : color;
}

/** Shows one colour alone, or (`more`) one more or one less; all of them where that was the only one. */
export function toggleColor(context: Context, color: number, more: boolean): void {
  const { state } = context;
  const before = state.wanted_colors;
  const wanted = new Set(more ? before : []);
  if (before.has(color) && (more || before.size === 1)) wanted.delete(color);
  else wanted.add(color);
  state.wanted_colors = wanted;
  light(context, lightOf(state));
  const count = wanted.size;
  announce(context, count === 0 ? say('all-colors') : say('colors-wanted', { count }), Changed.color, Changed.notice);
}

/** Shows all colours again; false if they are. */
export function clearColors(context: Context): boolean {
  const { state } = context;
  if (state.wanted_colors.size === 0) return false;
  state.wanted_colors = new Set();
  light(context, lightOf(state));
  announce(context, say('all-colors'), Changed.color, Changed.notice);
  return true;
}

/** Lights some ops for as long as the pointer is on what stands for them; null when it leaves. */
export function pointAt(context: Context, pointed: Light | null): void {
  context.state.pointed = pointed;
  light(context, lightOf(context.state));
}

const lightOf = ({ pointed, wanted_colors }: State): Light | null =>
  pointed ?? (wanted_colors.size > 0 ? { colors: [...wanted_colors], lighting: 'full' } : null);

function light(context: Context, wanted: Light | null): void {
  const { state, engine } = context;
  if (JSON.stringify(wanted) === JSON.stringify(state.light)) return;
  state.light = wanted;
  const { colors } = state;
  const asked = async () => {
    await engine.ask('light', state.light);
    if (state.colors === colors) refreshMarks(context);
  };
  state.queues.light.add(asked, (thrown) => reportFailure(context, say('not-lit'), thrown));
}

/** How long a pointer rests on something before what it is of lights up: on its way across it lights nothing. */
const REST_MS = 120;

/** A mark is on the way to others more often than a row of a table is. */
const MARK_REST_MS = 350;

/** Lights the ops of the same type as the one that the pointer rests on in the lanes. */
function lightHovered(context: Context): void {
  const { state, frame } = context;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let type: string | null = null;
  frame.onDom([Changed.hover], () => {
    const now = state.hover?.details?.op_type ?? null;
    if (now === type) return;
    type = now;
    clearTimeout(timer);
    if (now !== null) timer = setTimeout(() => pointAt(context, { op_type: now, lighting: 'soft' }), MARK_REST_MS);
    else if (state.hover?.op === undefined) pointAt(context, null);
  });
}

/** Lights the ops that `of` says of what the pointer or the focus is on. */
export function lights(context: Context, element: HTMLElement, of: (target: Element) => Light | null): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pending = '';
  const point = (light: Light | null) => {
    const words = JSON.stringify(light);
    if (words === pending) return;
    pending = words;
    clearTimeout(timer);
    timer = setTimeout(() => pointAt(context, light), REST_MS);
  };
  const enter = ({ target }: Event) => point(target instanceof Element ? of(target) : null);
  element.addEventListener('pointerover', enter);
  element.addEventListener('focusin', enter);
  element.addEventListener('pointerleave', () => point(null));
  element.addEventListener('focusout', () => point(null));
}
