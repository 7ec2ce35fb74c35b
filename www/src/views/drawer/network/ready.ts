// Ranks that negotiate tensors: who was ready last, how often and by how much, as Horovod's timeline says it.
import { clauses } from '../../../base/joined';
import { say } from '../../../base/messages';
import { formatCount } from '../../../base/format';
import { formatDuration } from '../../../base/time';
import type { LastRank, NegotiatedTensor, Ready } from '../../../engine/protocol';
import type { Context } from '../../../state/state';
import { countColumn, durationColumn, pageOf, type Column } from '../../table/columns';
import { longTable } from '../../table/long_table';
import { nameCell } from '../../shared/parts';
import type { Section } from './section';

/** As many ranks are said above the table; the tensors below say theirs. */
const RANKS_SAID = 4;

const COLUMNS: readonly Column<NegotiatedTensor, string>[] = [
  {
    key: 'tensor',
    title: say('column-tensor'),
    width: 320,
    value: (row) => row.tensor,
    cell: (row) => nameCell(row.tensor),
    whole: (row) => row.tensor,
  },
  durationColumn('late_ns', say('collective-by'), (row) => row.late_ns, say('ready-late-about')),
  countColumn('rank', say('ready-rank'), (row) => row.rank, say('ready-rank-about')),
  countColumn('times', say('ready-times'), (row) => row.times, say('ready-times-about')),
  countColumn('negotiations', say('ready-negotiations'), (row) => row.negotiations, say('ready-negotiations-about')),
];

export function readySection(context: Context): Section {
  let shown: Ready | undefined;
  const said = ({ rank, times, late_ns }: LastRank, all: number): string =>
    say('ready-answer', {
      rank: String(rank),
      times: formatCount(times),
      all: formatCount(all),
      length: formatDuration(late_ns),
    });
  const table = longTable<NegotiatedTensor, string>(context, {
    counted: 'tensors',
    many: say('name-tensors'),
    id: 'ready',
    columns: COLUMNS,
    sorting: { key: 'late_ns', descending: true },
    filter: say('filter-name'),
    page: async (query) => pageOf(shown?.tensors.rows ?? [], COLUMNS, query),
    said: () => clauses((shown?.ranks ?? []).slice(0, RANKS_SAID).map((rank) => said(rank, shown?.negotiations ?? 0))),
  });
  return {
    id: 'ready',
    title: say('ready-title'),
    said: ({ ready }) => {
      const [first] = ready?.ranks ?? [];
      return ready && first ? said(first, ready.negotiations) : '';
    },
    element: table.element,
    show: ({ ready }) => {
      shown = ready;
      table.refresh();
    },
  };
}
