// What differs from the trace that the open one is compared with, in a printed report.
import { el, type Child } from '../../base/dom';
import { say } from '../../base/messages';
import { formatDuration } from '../../base/time';
import type { BarRow, OpTypeBoth } from '../../engine/protocol';
import { nameOfOther, nameOfTrace } from '../../state/opened/compare';
import { comparisonOf } from '../../state/shown/comparison';
import type { Context, Gathered } from '../../state/state';
import { ratioText } from '../drawer/compare/signed';
import { withoutLast } from '../shared/finding_words';
import { signed } from '../shared/signed';
import { paperTable, part, type PaperColumn } from './tables';

const MOST_TYPES = 10;

const BARS: readonly PaperColumn<BarRow>[] = [
  { title: say('cmp-difference'), numeric: true, cell: (row) => signed(row.difference_ns) },
  { title: say('cmp-waterfall'), cell: (row) => withoutLast(row.sentence) },
];

const TYPES: readonly PaperColumn<OpTypeBoth>[] = [
  { title: say('cmp-op-type'), cell: (row) => row.op_type },
  { title: say('cmp-a'), numeric: true, cell: (row) => formatDuration(row.self_a_ns) },
  { title: say('cmp-b'), numeric: true, cell: (row) => formatDuration(row.self_b_ns) },
  { title: say('cmp-difference'), numeric: true, cell: (row) => signed(row.difference_ns) },
  { title: say('cmp-ratio'), numeric: true, cell: (row) => ratioText(row.ratio) },
];

export function comparisonPart({ state }: Context, gathered: Gathered | null): Child {
  const { trace, other } = state;
  const found = gathered ? gathered.comparison : comparisonOf(state);
  if (!trace || !other || !found) return null;
  const name = other.sources === null ? say('cmp-same-trace') : nameOfOther(other);
  const types = found.op_types.filter((row) => row.difference_ns !== 0).slice(0, MOST_TYPES);
  return part(
    say('tab-compare'),
    0,
    el('p', {}, say('print-compared', { a: nameOfTrace(trace), b: name })),
    el('p', {}, el('strong', {}, found.sentence)),
    ...found.not_comparable.map((own) => el('p', { class: 'paper-warning' }, own.sentence, ' ', own.still)),
    found.waterfall.length > 0 && paperTable(BARS, found.waterfall),
    el('p', { class: 'note' }, found.steps.sentence),
    types.length > 0 && paperTable(TYPES, types),
  );
}
