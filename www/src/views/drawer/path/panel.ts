// The drawer's tab of the critical paths: what binds the step, the observed path summed, and each of its segments.
import { sentences } from '../../../base/joined';
import { say, type PlainId } from '../../../base/messages';
import { el, setText } from '../../../base/dom';
import { formatCount, formatShare } from '../../../base/format';
import { formatDuration } from '../../../base/time';
import type { PathPage } from '../../../engine/protocol';
import { Changed } from '../../../state/frame';
import { LIT_PATHS, lightPath, PATH, segmentsOf, togglePath } from '../../../state/shown/path';
import { hasSeveralSteps } from '../../../state/opened/path_steps';
import type { Figures, LitPath, PathSegment } from '../../../state/types';
import { pictureChip } from '../../dialogs/picture_chip';
import { titled } from '../../keys/bindings';
import { clockNote } from '../../shared/clock_note';
import { answerPanel } from '../tab_panel';
import { goToOp, nameCell } from '../../shared/parts';
import { kindWords } from '../../shared/path_words';
import { durationColumn, pageOf, pointColumn, type Column } from '../../table/columns';
import { longTable } from '../../table/long_table';
import { overSteps } from './over_steps';

type Part = PathPage['by_category'][number];

const SEGMENTS: readonly Column<PathSegment, string>[] = [
  {
    key: 'category',
    title: say('path-what'),
    width: 150,
    fits: true,
    value: (row) => row.kind,
    cell: (row) => kindWords(row.kind).label,
    whole: (row) => kindWords(row.kind).label,
  },
  durationColumn('length_ns', say('path-length'), (row) => row.end_ns - row.start_ns),
  { ...pointColumn<PathSegment, string>('start_ns', say('path-from'), (row) => row.start_ns), width: 104 },
  durationColumn('earlier_ns', say('path-earlier'), (row) => (row.behind === null ? null : row.earlier_ns), say('path-earlier-about')),
  { key: 'op', title: say('path-op'), width: 150, value: (row) => row.name, cell: (row) => nameCell(row.name), whole: (row) => row.name },
];

const SUMS = [
  { id: 'category', title: say('path-by-kind'), of: (path: PathPage) => path.by_category },
  { id: 'op_type', title: say('path-by-op-type'), of: (path: PathPage) => path.by_op_type },
  { id: 'scope', title: say('path-by-scope'), of: (path: PathPage) => path.by_scope },
  { id: 'device', title: say('path-by-device'), of: (path: PathPage) => path.by_device },
  { id: 'frame', title: say('path-by-frame'), of: (path: PathPage) => path.by_frame },
] as const;

const LIT_WORDS: Readonly<Record<LitPath, PlainId>> = { observed: 'path-observed', static: 'path-static', next: 'path-next-path' };

/** Rows of a sum beyond these are counted only. */
const MOST_PARTS = 40;

export const panel = answerPanel({
  ask: PATH,
  failed: say('path-failed'),
  changed: [Changed.path, Changed.scope, Changed.layout, Changed.totals, Changed.steps],
  also: ['pathOverSteps'],
  make: (context, { failed, again }) => {
    const { state } = context;
    const sentence = el('p', { class: 'path-sentence' });
    const basis = el('p', { class: 'note' });
    const light = el(
      'button',
      {
        class: 'chip path-light',
        type: 'button',
        title: titled(say('path-light-about'), 'path'),
        onclick: () => togglePath(context),
      },
      say('path-light'),
    );
    const which = el('select', {
      class: 'path-which',
      'aria-label': say('path-to-light'),
      title: titled(say('path-to-light-about'), 'next-path'),
    });
    for (const path of LIT_PATHS) which.append(el('option', { value: path }, say(LIT_WORDS[path])));
    which.addEventListener('change', () => lightPath(context, LIT_PATHS[which.selectedIndex] ?? 'observed'));
    let rows: PathSegment[] = [];
    let by: (typeof SUMS)[number] = SUMS[0];
    const choices = SUMS.map((sum) => ({
      sum,
      button: el(
        'button',
        {
          class: 'chip',
          type: 'button',
          onclick: () => {
            by = sum;
            again();
          },
        },
        sum.title,
      ),
    }));
    const sums = el('table', { class: 'plain-table path-sums' });
    const table = longTable<PathSegment, string>(context, {
      counted: 'segments',
      many: say('name-segments'),
      id: 'segment',
      columns: SEGMENTS,
      // In order of time there may be tens of thousands; the strip shows them so.
      sorting: { key: 'length_ns', descending: true },
      filter: say('filter-name'),
      page: async (query) => pageOf(rows, SEGMENTS, query),
      go: (row) => goToOp(context, row.op),
      isChosen: (row) => state.selection?.op === row.op,
    });
    const over = overSteps(context);
    let is_over_steps = false;
    const compare = el(
      'button',
      {
        class: 'chip',
        type: 'button',
        title: say('over-steps-about'),
        onclick: () => {
          is_over_steps = !is_over_steps;
          again();
        },
      },
      say('over-steps'),
    );
    const group = el(
      'div',
      { class: 'path-choices', role: 'group', 'aria-label': say('path-sums') },
      ...choices.map(({ button }) => button),
      light,
      which,
      pictureChip(context, 'critical-path'),
      compare,
    );
    const left = el('div', { class: 'path-left' }, clockNote(context), sentence, group, sums, basis);
    const right = el('div', { class: 'path-right' }, table.element, over.element);
    const element = el('div', { class: 'path' }, failed, left, right);
    let shown: PathPage | null = null;
    const show = ({ answer: path, has_failed }: Figures<PathPage>) => {
      const said = path && sentences([path.sentence, state.range && say('path-of-whole')]);
      setText(sentence, said ? said : has_failed ? '' : say('path-following'));
      const is_withheld = state.trace?.summary.clocks !== undefined || path?.clocks !== undefined;
      sentence.hidden = is_withheld;
      right.hidden = sums.hidden = group.hidden = path === null || is_withheld;
      setText(basis, path && !is_withheld ? basisOf(path) : '');
      light.setAttribute('aria-pressed', String(state.path_lit));
      which.value = state.path_to_light;
      compare.hidden = !hasSeveralSteps(state);
      const compares = is_over_steps && !compare.hidden;
      compare.setAttribute('aria-pressed', String(compares));
      table.element.hidden = compares;
      over.element.hidden = !compares;
      if (compares) over.update();
      for (const { sum, button } of choices) {
        button.hidden = path !== null && sum.id === 'frame' && path.by_frame.length === 0;
        if (button.hidden && sum === by) by = SUMS[0];
      }
      for (const { sum, button } of choices) button.setAttribute('aria-pressed', String(sum === by));
      if (path)
        sums.replaceChildren(
          sumsHead(),
          el(
            'tbody',
            {},
            ...by
              .of(path)
              .slice(0, MOST_PARTS)
              .map((part) => sumRow(path, part, by.id === 'category')),
          ),
        );
      if (path === shown) return;
      shown = path;
      rows = path ? segmentsOf(path) : [];
      table.refresh();
    };
    context.frame.onDom([Changed.selection], () => table.mark());
    return { element, show };
  },
});

const sumsHead = (): HTMLElement =>
  el(
    'thead',
    {},
    el(
      'tr',
      {},
      el('th', { scope: 'col' }, say('path-part')),
      ...[say('path-time'), say('path-share'), say('path-segments')].map((text) => el('th', { scope: 'col', class: 'numeric' }, text)),
    ),
  );

function sumRow(path: PathPage, part: Part, is_kind: boolean): HTMLElement {
  const words = is_kind ? kindWords(part.key) : null;
  const name = words?.label ?? (part.key || '–');
  const numeric = (text: string) => el('td', { class: 'numeric' }, text);
  return el(
    'tr',
    {},
    el('th', { scope: 'row', title: words?.about ?? name }, name),
    numeric(formatDuration(part.length_ns)),
    numeric(formatShare(part.length_ns / path.length_ns)),
    numeric(formatCount(part.segments)),
  );
}

/** Where the threads of the executor are known from. */
function threadWords({ neighbours, in_a_row, thread_ops, threads_recorded }: PathPage): string {
  const rule = { row: formatCount(in_a_row), all: formatCount(neighbours) };
  if (threads_recorded === 0) return say('path-threads', rule);
  return say('path-threads-recorded', { ...rule, recorded: formatCount(threads_recorded), ops: formatCount(thread_ops) });
}

/** How far it can be trusted. */
function basisOf(path: PathPage): string {
  return sentences([
    say('path-near', { ops: say('ops', { count: path.near }) }),
    path.next_outside_ns > 0 &&
      say('path-next', { length: formatDuration(path.next_length_ns), outside: formatDuration(path.next_outside_ns) }),
    path.neighbours > 0 && threadWords(path),
    path.backward > 0 && say('path-backward', { count: path.backward, worst: formatDuration(path.backward_largest_ns) }),
  ]);
}
