// How often each op is on the critical path of several steps: those on most paths first.
import { sentences } from '../../../base/joined';
import { say } from '../../../base/messages';
import { el, setText } from '../../../base/dom';
import { formatCount, formatShare } from '../../../base/format';
import { placeLabel } from '../../../base/names';
import type { OnPathRow, PathOverSteps } from '../../../engine/protocol';
import { showView } from '../../../state/opened/show_view';
import { MOST_STEPS, PATH_OVER_STEPS } from '../../../state/opened/path_steps';
import type { Context } from '../../../state/state';
import { asking } from '../../shared/asking';
import { nameCell } from '../../shared/parts';
import { type Column, countColumn, durationColumn, numberColumn, pageOf } from '../../table/columns';
import { longTable } from '../../table/long_table';

const COLUMNS: readonly Column<OnPathRow, string>[] = [
  { key: 'op', title: say('path-op'), width: 200, value: (row) => row.op, cell: (row) => nameCell(row.op), whole: (row) => row.op },
  {
    key: 'device',
    title: say('column-device'),
    width: 110,
    value: (row) => row.device,
    cell: (row) => placeLabel(row.device),
    whole: (row) => row.device,
  },
  { ...countColumn<OnPathRow, string>('steps', say('on-paths'), (row) => row.steps, say('on-paths-about')), width: 92 },
  {
    key: 'median_share',
    title: say('on-path-share'),
    about: say('on-path-share-about'),
    width: 92,
    numeric: true,
    descending: true,
    value: (row) => row.median_share,
    cell: (row) => formatShare(row.median_share),
  },
  durationColumn('length_ns', say('path-length'), (row) => row.length_ns, say('on-path-length-about')),
  durationColumn('longest_ns', say('on-path-longest'), (row) => row.longest_ns, say('on-path-longest-about')),
  numberColumn('longest_step', say('on-path-longest-step'), (row) => row.longest_step, say('as-in-steps')),
];

export interface OverSteps {
  element: HTMLElement;
  /** Asks for what is not there, and shows it. */
  update: () => void;
}

export function overSteps(context: Context): OverSteps {
  const { state } = context;
  const sentence = el('p', { class: 'path-sentence' });
  const { failed, ask } = asking(context, PATH_OVER_STEPS, say('path-failed'));
  let rows: OnPathRow[] = [];
  let shown: PathOverSteps | null = null;
  const table = longTable<OnPathRow, string>(context, {
    counted: 'ops',
    many: say('name-ops'),
    id: 'path-step',
    columns: COLUMNS,
    sorting: null,
    filter: say('filter-name'),
    above: sentence,
    page: async (query) => pageOf(rows, COLUMNS, query),
    // To the step in which it is longest.
    go: (row) => showView(context, { step: row.longest_step - 1 }),
  });
  return {
    element: el('div', { class: 'path-over-steps' }, failed, table.element),
    update: () => {
      const answer = ask()?.answer ?? null;
      const all = state.steps?.steps.length ?? 0;
      const cut = all > MOST_STEPS && say('on-paths-cut', { shown: formatCount(MOST_STEPS), all: formatCount(all) });
      setText(sentence, answer ? sentences([answer.sentence, cut]) : failed.hidden ? say('path-following') : '');
      if (answer === shown) return;
      shown = answer;
      rows = answer ? answer.ops : [];
      table.refresh();
    },
  };
}
