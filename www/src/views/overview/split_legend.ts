// How the step, or the selected range of it, divides: one bar that is its own legend. Each part has colour, name, share and time; a click shows
// its ops alone. What has no room in the bar stands next to it, and what has none there in a menu that counts them. Where colours stand for
// something else, the parts are those.
import { clauses, listed } from '../../base/joined';
import { say } from '../../base/messages';
import { el, fill, setText } from '../../base/dom';
import { formatShare } from '../../base/format';
import { formatDuration, formatEnds } from '../../base/time';
import { colorNames } from '../../draw/theme';
import { TextRuler } from '../../draw/text';
import { CATEGORIES, REST, type Colors, type Summary } from '../../engine/protocol';
import { repairWords } from '../../state/opened/repairs';
import { nameOfStep, placeOfStep, WHY_ONE_STEP } from '../../state/opened/steps';
import { Changed } from '../../state/frame';
import { clearColors, lights, toggleColor } from '../../state/shown/colors';
import { setRange } from '../../state/shown/select';
import type { Context, State } from '../../state/state';
import { scope, scopeSplit } from '../../state/scope';
import { paletteOf } from '../../state/ui/theme';
import { colorName } from '../shared/color_names';
import { CATEGORY_WORDS, PARTS, REPAIRED_MARK, UNKNOWN, wholeAbout, wholeWords } from '../shared/words';
import { menuUnder } from '../shared/menu';
import { lanesMenu } from '../devices/lanes_menu';
import { colorMenu, phasesChip } from './color_menu';

/** What the bar is the mean of. */
function meanWords({ accelerators, devices }: Summary): string {
  const kind = (['GPU', 'TPU'] as const).find((word) => accelerators.every(({ name }) => name.includes(word))) ?? 'accelerator';
  // The engine leaves out those that only copy where another one does more.
  const computing = accelerators.filter((one) => one.compute_ns + one.communication_ns > 0).length || accelerators.length;
  const counted = devices.filter(({ without_work }) => without_work !== true).length || devices.length;
  const of: { kind: 'GPU' | 'TPU' | 'accelerator' | 'device'; count: number } =
    accelerators.length > 0 ? { kind, count: computing } : { kind: 'device', count: counted };
  return of.count === 1 ? say('one-of-kind', { kind: of.kind }) : say('mean-of', of);
}

/** A part of the bar. */
interface Part {
  /** What it is made once for. */
  key: string;
  /** The colour that a click shows alone; null where there are no ops. */
  color: number | null;
  look: string;
  name: string;
  /** Of the bar. */
  share: number;
  /** Whether it is in the lanes alone: it has ops, and no part of the bar. */
  in_lanes: boolean;
  time: string;
  title: string;
}

/** In CSS pixels: around the words in the bar, around those next to it, and the button of the menu; and the least of the row that the bar keeps. */
const AIR = 28;
const ASIDE = 42;
const MORE = 76;
const LEAST_OF_ROW = 0.42;
const LEAST_FOR_TIMES = 600;
/** The share is bold, and takes more than its letters are measured. */
const BOLD = 1.04;
/** A longer name is cut, and whole in its title. */
const MOST_LETTERS = 48;

export function splitLegend(context: Context): HTMLElement {
  const { state, frame } = context;
  const what = el('span', { class: 'scope-name' });
  const length = el('span', { class: 'scope-length' });
  const clear = el(
    'button',
    { class: 'chip', type: 'button', title: say('back-to-everything'), onclick: () => setRange(context, null) },
    say('clear-range'),
  );
  const repaired = el('span', { class: 'repaired', role: 'img' }, REPAIRED_MARK);
  const bar = el('div', { class: 'split-bar labelled', role: 'group' });
  const aside = el('div', { class: 'legend-items', role: 'group', 'aria-label': say('legend') });
  const all = el(
    'button',
    { class: 'chip', type: 'button', hidden: true, title: say('all-colors-title'), onclick: () => clearColors(context) },
    say('all-colors'),
  );
  const also = el('span', { class: 'note', title: say('legend-also-title') }, say('legend-also'));
  const more_words = el('span');
  const more_list = el('div', { class: 'legend-more-list' });
  const more = menuUnder(
    { id: 'legend-more', label: say('legend'), title: say('legend-more-title'), words: more_words, over: true },
    more_list,
  );
  more.classList.add('legend-more');
  const of_what = el('span', { class: 'legend-of note', title: say('legend-of-ops-title'), hidden: true });
  const room = el('div', { class: 'legend-room' }, bar, aside, more, of_what);
  const row = el(
    'div',
    { class: 'step-row legend' },
    el('div', { class: 'side' }, what, length, repaired, clear),
    room,
    all,
    lanesMenu(context),
    phasesChip(context),
    colorMenu(context),
  );
  lights(context, room, (target) => {
    const color = target.closest<HTMLElement>('[data-color]')?.dataset['color'];
    return color === undefined ? null : { colors: [Number(color)], lighting: 'soft' };
  });
  const made = new Map<string, Made>();
  let made_by = '';
  let parts: readonly Part[] = [];
  let ruler: TextRuler | null = null;
  const place = () => {
    const focused = document.activeElement;
    const is_below = isBelow(room);
    ruler ??= new TextRuler(document.createElement('canvas').getContext('2d')!, () => paletteOf(state).page_font);
    const measure = ruler;
    aside.hidden = false;
    more.hidden = true;
    // What they are shares of stands at the end.
    const also_width = parts.some(({ in_lanes }) => in_lanes) ? measure.width(also.textContent) + AIR : 0;
    const width = room.clientWidth - also_width - (of_what.hidden ? 0 : of_what.offsetWidth + AIR / 2);
    const placed = (is_short: boolean) => {
      const wide = ({ name, share, time, in_lanes }: Part) =>
        BOLD * measure.width(clipped(in_lanes ? name : `${name} ${formatShare(share)} ${is_short ? '' : time}`));
      const inside = fitting(parts, width, wide, is_below);
      const others = parts.filter((part) => !inside.has(part));
      // Below the bar it has what the menus leave.
      const next_to = is_below ? aside.clientWidth : (width + also_width) * (1 - LEAST_OF_ROW);
      const labelled = fittingLabels(others, next_to, (part) => wide(part) + ASIDE, { is_short, also_width });
      return { is_short, inside, others, labelled, left_out: others.filter((part) => !labelled.has(part)) };
    };
    // On a phone the shares have room, and the times do not; elsewhere times go before a share does.
    const whole = placed(is_below && row.clientWidth < LEAST_FOR_TIMES);
    const has_all = whole.is_short || whole.left_out.every(({ in_lanes }) => in_lanes);
    const { is_short, inside, others, labelled, left_out } = has_all ? whole : placed(true);
    row.classList.toggle('short', is_short);
    aside.hidden = others.length === 0;
    const labels = (some: readonly Part[]) => some.flatMap((part) => made.get(part.key)?.label ?? []);
    const segments: HTMLElement[] = [];
    for (const part of parts) {
      const own = made.get(part.key);
      if (!own) continue;
      own.segment.style.flexGrow = String(part.share);
      own.label.classList.toggle('in-bar', inside.has(part));
      if (part.share > 0) segments.push(own.segment);
      if (inside.has(part) && own.label.parentElement !== own.segment) own.segment.append(own.label);
    }
    refill(bar, segments);
    const [of_bar, of_lanes] = [false, true].map((in_lanes) => labels([...labelled].filter((part) => part.in_lanes === in_lanes)));
    refill(aside, [...(of_bar ?? []), ...(of_lanes?.length ? [also, ...of_lanes] : [])]);
    refill(more_list, labels(left_out));
    more.hidden = left_out.length === 0;
    setText(more_words, say('legend-more', { count: left_out.length }));
    const opener = more.querySelector('button');
    if (opener) opener.title = listed(left_out.map(({ name, share, in_lanes }) => (in_lanes ? name : `${name} ${formatShare(share)}`)));
    if (focused instanceof HTMLElement && focused.isConnected && room.contains(focused)) focused.focus();
  };
  new ResizeObserver(() => {
    if (state.trace) place();
  }).observe(row);
  frame.onDom([Changed.trace, Changed.scope, Changed.steps, Changed.color, 'doctor'], () => {
    if (!state.trace) return;
    const { start, end } = scope(state);
    const whole = shownWords(state);
    const lanes = state.range_lanes && say('lanes', { count: state.range_lanes.length });
    setText(what, state.range ? clauses([say('range-title'), lanes]) : whole);
    setText(length, formatDuration(end - start));
    clear.hidden = !state.range;
    repaired.hidden = !state.trace.summary.devices.some((device) => device.repaired);
    repaired.title = repairWords(state);
    repaired.setAttribute('aria-label', repaired.title);
    what.title = state.range ? say('from-to-short', formatEnds(start, end, 1000)) : aboutShown(state);
    all.hidden = state.wanted_colors.size === 0;
    const { colors } = state;
    row.dataset['by'] = colors?.by ?? 'category';
    const is_split = !colors || colors.by === 'category';
    const { parts: now, spoken } = is_split ? partsOfSplit(state) : partsOfColors(state, colors);
    parts = now;
    of_what.hidden = is_split || !state.color_sums;
    setText(of_what, of_what.hidden ? '' : say('legend-of-ops', { time: formatDuration(sumOfColors(state)) }));
    bar.classList.toggle(
      'unknown',
      parts.every(({ share }) => share === 0),
    );
    const is_any = isOfAny(state);
    const of = is_any ? say('any-device') : meanWords(state.trace.summary);
    const what_is_split = clauses([state.range ? say('selected-range') : whole, of, !repaired.hidden && say('repaired')]);
    bar.setAttribute(
      'aria-label',
      is_split
        ? spoken === ''
          ? say('split-not-counted', { what: what_is_split })
          : say('label-of', { what: what_is_split, label: spoken })
        : clauses([say('legend'), of_what.textContent]),
    );
    const is_counted = is_split ? spoken !== '' : state.color_sums !== null;
    const by = `${row.dataset['by']}`;
    if (by !== made_by) made.clear();
    made_by = by;
    for (const part of parts) {
      const own = made.get(part.key) ?? make(context, part, colors);
      made.set(part.key, own);
      setText(own.share, part.in_lanes || !is_counted ? '' : formatShare(part.share));
      setText(own.figure, part.time);
      own.label.title = own.segment.title = part.title;
      if (part.color === null) continue;
      const is_wanted = state.wanted_colors.has(part.color);
      own.label.setAttribute('aria-pressed', String(is_wanted));
      own.label.classList.toggle('away', state.wanted_colors.size > 0 && !is_wanted);
      own.segment.classList.toggle('away', state.wanted_colors.size > 0 && !is_wanted);
    }
    place();
  });
  return row;
}

const isOfAny = ({ any_device, trace }: State): boolean => any_device && !trace?.summary.clocks && (trace?.summary.devices.length ?? 0) > 1;

/** Whether what has no room stands below the bar, and not next to it. */
const isBelow = (room: HTMLElement): boolean => getComputedStyle(room).display === 'contents';

/** `Step 2 of 7`, or what else is shown. */
function shownWords(state: State): string {
  const { steps, trace, pending_view } = state;
  const step = (pending_view ?? trace?.view)?.step ?? null;
  return steps && step !== null && steps.steps.length > 1 ? placeOfStep(steps, step) : wholeWords(state);
}

/** Which step it is, and why not all are shown. */
function aboutShown(state: State): string {
  const { steps, trace, pending_view } = state;
  const step = (pending_view ?? trace?.view)?.step ?? null;
  if (!steps || step === null || steps.steps.length < 2) return wholeAbout(state);
  const why = steps.apart === undefined ? null : WHY_ONE_STEP[steps.apart];
  return [nameOfStep(steps, step), why && say('why-one-step', { why })].filter(Boolean).join('\n');
}

/** Of categories, the parts are those of the split; what has ops and no part of it is named for its colour. */
function partsOfSplit(state: State): { parts: Part[]; spoken: string } {
  const split = scopeSplit(state, isOfAny(state) ? 'any' : null);
  const { color_order: order, color_sums: sums, colors } = state;
  const is_unknown = hasUnknown(state);
  const words = PARTS.map((words) => ({
    words: words.part === 'idle' && is_unknown ? { ...words, ...UNKNOWN } : words,
    color: CATEGORIES.findIndex((category) => category === words.part),
  }));
  const parts = words.flatMap(({ words, color }): Part[] => {
    const length = split ? words.of(split) : 0;
    const in_lanes = length === 0 && words.part !== 'compute' && words.part !== 'idle';
    if (in_lanes && !order.includes(color)) return [];
    const share = split && split.window_ns > 0 ? length / split.window_ns : 0;
    const about = split
      ? say('split-part-title', {
          part: words.label,
          length: formatDuration(length),
          share: formatShare(share),
          window: formatDuration(split.window_ns),
          about: words.explanation,
        })
      : words.explanation;
    const time = length > 0 ? formatDuration(length) : '';
    const of_ops = color < 0 ? '' : opsTitle(state, color, words.label);
    const look = words.part === 'idle' && is_unknown ? 'unknown' : words.part;
    return [
      {
        key: look,
        color: color < 0 ? null : color,
        look,
        name: words.part === 'idle' ? words.label : CATEGORY_WORDS[words.part],
        share,
        in_lanes,
        time,
        title: [about, of_ops].filter(Boolean).join('\n'),
      },
    ];
  });
  for (const color of order) {
    if (words.some((known) => known.color === color) || !colors) continue;
    const name = colorName(colors, color);
    const time = formatDuration(sums?.[color]?.own_ns ?? 0);
    parts.push({
      key: `color-${color}`,
      color,
      look: CATEGORIES[color] ?? 'idle',
      name,
      share: 0,
      in_lanes: true,
      time,
      title: opsTitle(state, color, name),
    });
  }
  const spoken = !split
    ? ''
    : clauses(
        PARTS.map((own) => {
          const length = own.of(split);
          const share = split.window_ns > 0 ? length / split.window_ns : 0;
          return length > 0 || own.part === 'compute' || own.part === 'idle' ? `${own.label} ${formatShare(share)}` : '';
        }),
      );
  return { parts, spoken };
}

/** Whether the bar is of GPUs of which no kernel was recorded: where they have no op, nothing says that they were idle. */
const hasUnknown = ({ trace }: State): boolean =>
  trace?.summary.accelerators.length === 0 && trace.summary.devices.some(({ without_kernels }) => without_kernels === true);

/** What the colour has in the view. */
function opsTitle({ color_sums }: State, color: number, name: string): string {
  const { ops = 0, own_ns = 0 } = color_sums?.[color] ?? {};
  return say('legend-title', { name, time: color_sums ? formatDuration(own_ns) : '', ops: say('ops', { count: ops }) });
}

const sumOfColors = ({ color_order, color_sums }: State): number =>
  color_order.reduce((sum, color) => sum + (color_sums?.[color]?.own_ns ?? 0), 0);

function partsOfColors(state: State, colors: Colors): { parts: Part[]; spoken: string } {
  const { color_order: order, color_sums: sums } = state;
  const all_ns = sumOfColors(state);
  const parts = order.map((color): Part => {
    const { own_ns = 0 } = sums?.[color] ?? {};
    const name = colorName(colors, color);
    return {
      key: `color-${color}`,
      color,
      look: colorNames(colors.by)[color] ?? 'rest',
      name,
      share: all_ns > 0 ? own_ns / all_ns : 0,
      in_lanes: false,
      time: sums ? formatDuration(own_ns) : '',
      title: opsTitle(state, color, name),
    };
  });
  return { parts, spoken: '' };
}

interface Made {
  segment: HTMLElement;
  label: HTMLElement;
  share: HTMLElement;
  figure: HTMLElement;
}

function make(context: Context, { color, look, name }: Part, colors: Colors | null): Made {
  const share = el('span', { class: 'part-share' });
  const figure = el('span', { class: 'figure' });
  const content = [
    el('span', { class: `dot dot-${look}`, 'aria-hidden': 'true' }),
    el('span', { class: 'legend-name' }, name),
    share,
    figure,
  ];
  // A finger has no second button and no Ctrl: each touch adds or takes away.
  const toggle = (event: MouseEvent) => {
    const touched = event instanceof PointerEvent && event.pointerType === 'touch';
    if (color !== null) toggleColor(context, color, event.ctrlKey || event.metaKey || event.shiftKey || touched);
  };
  const label =
    color === null
      ? el('span', { class: 'legend-idle' }, ...content)
      : el(
          'button',
          {
            class: 'legend-item',
            type: 'button',
            'data-color': String(color),
            'data-op-type': colors ? typeOfColor(colors, color) : undefined,
            onclick: toggle,
          },
          ...content,
        );
  const segment = el('span', {
    class: `part part-${look} fill-${look}`,
    'data-color': color === null ? undefined : String(color),
    onclick: (event) => {
      if (event.target === segment) toggle(event);
    },
  });
  return { segment, label, share, figure };
}

/** The op type that alone has this colour, if one has. */
const typeOfColor = ({ by, names }: Colors, color: number): string | undefined =>
  by === 'op_type' && color !== REST ? names[color] : undefined;

/** The children of `holder` from now on; what is there already stays, with its focus. */
function refill(holder: HTMLElement, wanted: readonly HTMLElement[]): void {
  if (wanted.some((own, at) => own !== holder.children[at]) || wanted.length !== holder.children.length) fill(holder, ...wanted);
}

/** As much of a name as the legend shows. */
const clipped = (words: string): string => (words.length > MOST_LETTERS ? words.slice(0, MOST_LETTERS) : words);

/** The parts that have room next to the bar, in `width`: those that have most time, and the menu where others are left out. */
function fittingLabels(
  parts: readonly Part[],
  width: number,
  wide: (part: Part) => number,
  { is_short, also_width }: { is_short: boolean; also_width: number },
): Set<Part> {
  const labelled = new Set(parts);
  const sum = () => {
    const some = [...labelled];
    const also = some.some(({ in_lanes }) => in_lanes) ? also_width : 0;
    return some.reduce((sum, part) => sum + wide(part), also + (labelled.size < parts.length ? MORE : 0));
  };
  while (labelled.size > 0 && sum() > width) {
    // Where one has room, it is one with a colour.
    const rank = ({ color, share }: Part) => (is_short && color === null ? -1 : share);
    const least = [...labelled].reduce((least, part) => (rank(part) <= rank(least) ? part : least));
    labelled.delete(least);
  }
  return labelled;
}

/** The parts that have room for all of their words in the bar, which gives way to those that have not. */
function fitting(parts: readonly Part[], width: number, wide: (part: Part) => number, is_below: boolean): Set<Part> {
  // Below it each has its place, for fingers.
  if (is_below) return new Set();
  const inside = new Set(parts.filter(({ share }) => share > 0));
  for (;;) {
    const aside = parts.reduce((sum, part) => sum + (inside.has(part) ? 0 : wide(part) + ASIDE), 0);
    const bar = Math.max(width - aside, width * LEAST_OF_ROW);
    const none = [...inside].filter((part) => part.share * bar < wide(part) + AIR);
    if (none.length === 0) return inside;
    // The least of them goes first: what it takes may leave too little for others.
    inside.delete(none.reduce((least, part) => (part.share < least.share ? part : least)));
  }
}
