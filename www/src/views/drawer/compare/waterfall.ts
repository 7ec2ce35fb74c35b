// Where the difference comes from: A's step, a bar for each cause, B's step, all on one scale. A bar opens its ops on both sides.
import { el, fill } from '../../../base/dom';
import { say } from '../../../base/messages';
import { placeLabel } from '../../../base/names';
import { formatDuration } from '../../../base/time';
import type { BarRow, ComparedOp, ComparePage } from '../../../engine/protocol';
import { showInMirror } from '../../../state/shown/mirror';
import type { Context } from '../../../state/state';
import { signed } from '../what_if/signed';

export interface Waterfall {
  element: HTMLElement;
  show: (found: ComparePage) => void;
}

/** A scale that does not begin at nothing leaves this share of it free before the lowest end. */
const AIR = 0.08;
/** Bars that are smaller than this share of a whole step would not be seen next to it. */
const SMALL = 0.25;

export function waterfallPart(context: Context): Waterfall {
  const list = el('ol', { class: 'cmp-waterfall', 'aria-label': say('cmp-waterfall') });
  const cut = el('p', { class: 'note', hidden: true }, say('cmp-cut'));
  const show = (found: ComparePage) => {
    const scale = scaleOf(found);
    cut.hidden = scale.from === 0;
    let at: number = found.a.length_ns;
    const bars = found.waterfall.map((bar) => {
      const from = at;
      at += bar.difference_ns;
      return barItem(context, bar, [from, at], scale);
    });
    fill(
      list,
      wholeItem('a', say('cmp-length-a'), found.a.length_ns, scale),
      ...bars,
      wholeItem('b', say('cmp-length-b'), found.b.length_ns, scale),
    );
  };
  return { element: el('div', {}, list, cut), show };
}

interface Scale {
  from: number;
  to: number;
}

/** From nothing where the bars can be seen so; else from somewhat below the lowest end. */
function scaleOf({ a, b, waterfall }: ComparePage): Scale {
  const ends: number[] = [a.length_ns, b.length_ns];
  let at: number = a.length_ns;
  for (const { difference_ns } of waterfall) ends.push((at += difference_ns));
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const room = Math.max(high - low, 1);
  if (low <= 0 || room >= high * SMALL) return { from: Math.min(low, 0), to: Math.max(high, 1) };
  return { from: Math.max(low - room * (AIR + SMALL), 0), to: high + room * AIR };
}

function bar(kinds: readonly string[], ends: readonly [number, number], { from, to }: Scale): HTMLElement {
  const at = (value: number) => ((value - from) / (to - from)) * 100;
  const [left, right] = [at(Math.min(...ends)), at(Math.max(...ends))];
  const piece = el('span', { class: 'cmp-bar' });
  piece.classList.add(...kinds);
  piece.style.left = `${Math.max(left, 0)}%`;
  piece.style.width = `max(${Math.max(right - Math.max(left, 0), 0)}%, 2px)`;
  return el('span', { class: 'cmp-track', 'aria-hidden': true }, piece);
}

const wholeItem = (side: 'a' | 'b', words: string, length: number, scale: Scale): HTMLElement =>
  el(
    'li',
    { class: 'cmp-whole' },
    el('span', { class: 'cmp-figure' }, formatDuration(length)),
    bar([`is-${side}`, ...(scale.from > 0 ? ['is-cut'] : [])], [scale.from, length], scale),
    el('span', { class: 'cmp-cause' }, words),
  );

function barItem(context: Context, own: BarRow, ends: readonly [number, number], scale: Scale): HTMLElement {
  const kinds = [own.difference_ns > 0 ? 'is-slower' : 'is-faster'];
  const line = [
    el('span', { class: 'cmp-figure' }, signed(own.difference_ns)),
    bar(kinds, ends, scale),
    el('span', { class: 'cmp-cause' }, own.sentence),
  ];
  if (own.ops_a.length + own.ops_b.length === 0) return el('li', { class: 'cmp-cause-line' }, ...line);
  const place = el('div', { class: 'cmp-ops' });
  const details = el('details', { class: 'cmp-cause-line' }, el('summary', {}, ...line), place);
  details.addEventListener('toggle', () => {
    if (details.open && !place.hasChildNodes()) fill(place, ...opsOf(context, own));
  });
  return el('li', {}, details);
}

interface Row {
  a: ComparedOp | null;
  b: ComparedOp | null;
}

/** Pairs, and what has no partner; an op whose partner is not listed stands alone. */
function rowsOf({ ops_a, ops_b }: BarRow): Row[] {
  const of_b = new Map(ops_b.map((own) => [own.op_row, own]));
  const rows: Row[] = ops_a.map((a) => {
    const b = a.partner_row === null ? undefined : of_b.get(a.partner_row);
    if (b) of_b.delete(b.op_row);
    return { a, b: b ?? null };
  });
  return [...rows, ...[...of_b.values()].map((b) => ({ a: null, b }))];
}

function opsOf(context: Context, own: BarRow): HTMLElement[] {
  const rows = rowsOf(own);
  const head = [say('column-op'), say('cmp-a'), say('cmp-b'), say('cmp-adds')];
  const table = el(
    'table',
    { class: 'plain-table cmp-op-table' },
    el('thead', {}, el('tr', {}, ...head.map((text, at) => el('th', { scope: 'col', class: at > 0 ? 'numeric' : undefined }, text)))),
    el('tbody', {}, ...rows.map((row) => opRow(context, row))),
  );
  const left = own.ops_count - rows.length;
  return left > 0 ? [table, el('p', { class: 'note' }, say('cmp-more-ops', { count: left }))] : [table];
}

function opRow(context: Context, { a, b }: Row): HTMLElement {
  const either = a ?? b;
  const link = (own: ComparedOp | null, of_b: boolean) =>
    own
      ? el(
          'button',
          {
            class: 'op-link',
            type: 'button',
            title: say(of_b ? 'cmp-show-in-b' : 'cmp-show-in-a', { op: own.op }),
            onclick: () => showInMirror(context, of_b, own.op_row),
          },
          formatDuration(own.end_ns - own.start_ns),
        )
      : '–';
  const name = either?.op ?? '';
  return el(
    'tr',
    {},
    el('th', { scope: 'row' }, el('span', { title: name }, name), el('span', { class: 'note' }, placeLabel(either?.device ?? ''))),
    el('td', { class: 'numeric' }, link(a, false)),
    el('td', { class: 'numeric' }, link(b, true)),
    el('td', { class: 'numeric' }, signed(either?.adds_ns ?? 0)),
  );
}
