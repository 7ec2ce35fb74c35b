// Where the difference comes from: A's step, a bar for each cause, B's step. Bars are differences, all on one scale. A bar opens its ops on both sides.
import { el, fill } from '../../../base/dom';
import { say } from '../../../base/messages';
import { placeLabel } from '../../../base/names';
import { formatDuration } from '../../../base/time';
import type { BarRow, ComparedOp, ComparePage } from '../../../engine/protocol';
import { showInMirror } from '../../../state/shown/mirror';
import type { Context } from '../../../state/state';
import { withoutLast } from '../../shared/finding_words';
import { signed } from '../../shared/signed';

export interface Waterfall {
  element: HTMLElement;
  show: (found: ComparePage) => void;
}

export function waterfallPart(context: Context): Waterfall {
  const list = el('ol', { class: 'cmp-waterfall', 'aria-label': say('cmp-waterfall') });
  const show = (found: ComparePage) => {
    const scale = scaleOf(found);
    const least = Math.max(found.a.length_ns, found.b.length_ns) / LEAST_PART;
    const isLarge = ({ difference_ns }: BarRow) => Math.abs(difference_ns) >= least;
    let at = 0;
    const bars = found.waterfall.filter(isLarge).map((bar) => {
      const from = at;
      at += bar.difference_ns;
      return barItem(context, bar, [from, at], scale);
    });
    const small = found.waterfall.filter((bar) => !isLarge(bar));
    const rest = small.reduce((sum, { difference_ns }) => sum + difference_ns, 0);
    if (small.length > 0)
      bars.push(el('li', { class: 'cmp-cause-line' }, ...line(rest, say('cmp-small', { count: small.length }), [at, at + rest], scale)));
    fill(
      list,
      wholeItem('a', say('cmp-length-a'), found.a.length_ns, 0, scale),
      ...bars,
      wholeItem('b', say('cmp-length-b'), found.b.length_ns, found.b.length_ns - found.a.length_ns, scale),
    );
  };
  return { element: list, show };
}

/** What adds less than this part of the longer step, a thousandth, is one row together. */
const LEAST_PART = 1000;

/** What is drawn, as differences from A's step. */
interface Scale {
  from: number;
  to: number;
}

function scaleOf({ waterfall }: ComparePage): Scale {
  let at = 0;
  const ends = waterfall.map(({ difference_ns }) => (at += difference_ns));
  const [from, to] = [Math.min(0, ...ends), Math.max(0, ...ends)];
  return { from, to: Math.max(to, from + 1) };
}

/** From one end to the other, and at least a line. */
function bar(kind: string, ends: readonly [number, number], { from, to }: Scale): HTMLElement {
  const at = (value: number) => (value - from) / (to - from);
  const [left, right] = [at(Math.min(...ends)), at(Math.max(...ends))];
  const piece = el('span', { class: `cmp-bar ${kind}` });
  piece.style.left = `calc((100% - 2px) * ${left.toFixed(4)})`;
  piece.style.width = `calc((100% - 2px) * ${(right - left).toFixed(4)} + 2px)`;
  return el('span', { class: 'cmp-track', 'aria-hidden': true }, piece);
}

/** A's step is where the bars begin, B's step where they end. */
const wholeItem = (side: 'a' | 'b', words: string, length: number, difference: number, scale: Scale): HTMLElement =>
  el(
    'li',
    { class: 'cmp-whole' },
    el('span', { class: 'cmp-figure' }, formatDuration(length)),
    bar(`is-${side}`, [0, difference], scale),
    el('span', { class: 'cmp-cause' }, words),
  );

const line = (difference: number, words: string, ends: readonly [number, number], scale: Scale): HTMLElement[] => [
  el('span', { class: 'cmp-figure' }, signed(difference)),
  bar(difference > 0 ? 'is-slower' : 'is-faster', ends, scale),
  el('span', { class: 'cmp-cause' }, words),
];

function barItem(context: Context, own: BarRow, ends: readonly [number, number], scale: Scale): HTMLElement {
  const content = line(own.difference_ns, withoutLast(own.sentence), ends, scale);
  if (own.ops_a.length + own.ops_b.length === 0) return el('li', { class: 'cmp-cause-line' }, ...content);
  const place = el('div', { class: 'cmp-ops' });
  const details = el('details', { class: 'cmp-cause-line' }, el('summary', {}, ...content), place);
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
