// Collectives: who came last, and how long the others waited.
import { asides, clauses } from '../../../base/joined';
import { say } from '../../../base/messages';
import { formatCount } from '../../../base/format';
import { placeLabel } from '../../../base/names';
import { formatDuration } from '../../../base/time';
import type { Collective, Collectives, Network } from '../../../engine/protocol';
import { Changed } from '../../../state/frame';
import type { Context } from '../../../state/state';
import { type Column, countColumn, durationColumn, numberColumn, pageOf } from '../../table/columns';
import { longTable } from '../../table/long_table';
import { goToOp, nameCell } from '../../shared/parts';
import type { Section } from './section';

/** Of how many nobody knows who took part, though no file is missing. */
const unmatched = ({ total, matched, without_files }: Collectives): number => total - matched - without_files;

/** What the framework says of a collective, where it was recorded. */
const textColumn = (key: string, title: string, value: (row: Collective) => string | null): Column<Collective, string> => ({
  key,
  title,
  width: 90,
  value,
  cell: (row) => value(row) ?? '–',
  whole: (row) => value(row) ?? '',
});

export function collectivesSection(context: Context): Section {
  const { state, frame } = context;
  let shown: Collectives = {
    total: 0,
    rows: [],
    matched: 0,
    time_ns: 0 as Collectives['time_ns'],
    waiting_ns: null,
    last: [],
    without_files: 0,
  };
  const device = (id: number): string => state.trace?.summary.devices[id]?.name ?? '';
  const last = (row: Collective): string | null => (row.last_by_ns === null ? null : device(row.op.device));
  const columns: readonly Column<Collective, string>[] = [
    {
      key: 'op',
      title: say('column-op'),
      width: 260,
      value: (row) => row.op.name,
      cell: (row) => nameCell(row.op.name),
      whole: (row) => row.op.name,
    },
    numberColumn('step', say('step-title'), (row) => state.steps?.steps[row.step - 1]?.called ?? row.step),
    countColumn('participants', say('devices-title'), (row) => row.participant_count, say('collective-devices-about')),
    durationColumn('time_ns', say('time-title'), (row) => row.time_ns, say('collective-time-about')),
    durationColumn('waiting_ns', say('collective-waiting'), (row) => row.waiting_ns, say('collective-waiting-about')),
    {
      key: 'last',
      title: say('collective-last'),
      width: 120,
      value: last,
      cell: (row) => (row.last_by_ns === null ? '–' : placeLabel(device(row.op.device))),
      whole: (row) => last(row) ?? say('collective-others-unknown'),
    },
    durationColumn('last_by_ns', say('collective-by'), (row) => row.last_by_ns, say('later-than-next')),
    textColumn('operation', say('collective-operation'), (row) => row.operation),
    textColumn('group', say('collective-group'), (row) => row.group),
  ];
  const table = longTable<Collective, string>(context, {
    counted: 'collectives',
    many: say('name-collectives'),
    id: 'collective',
    columns,
    sorting: { key: 'waiting_ns', descending: true },
    filter: say('filter-op-or-device'),
    page: async (query) => pageOf(shown.rows, columns, query),
    go: (row) => goToOp(context, row.op.op),
    isChosen: (row) => row.op.op === state.selection?.op,
    said: () =>
      clauses([
        say('summed-over-ops', { rows: say('collectives', { count: shown.total }) }),
        unmatched(shown) > 0 && say('collectives-unmatched', { count: unmatched(shown) }),
        shown.without_files > 0 && say('collectives-ranks-missing', { count: shown.without_files }),
      ]),
  });
  frame.onDom([Changed.selection], () => table.mark());
  return {
    id: 'collectives',
    title: say('collectives-title'),
    said: ({ collectives }: Network) => {
      if (collectives.total === 0) return '';
      const [first] = collectives.last;
      const who =
        first &&
        say('collectives-last', {
          device: placeLabel(device(first[0])),
          times: formatCount(first[1]),
          all: formatCount(collectives.matched),
        });
      const waiting =
        collectives.waiting_ns === null
          ? say('participants-unknown')
          : say('collectives-waiting', { waiting: formatDuration(collectives.waiting_ns), time: formatDuration(collectives.time_ns) });
      return asides([waiting, who]);
    },
    element: table.element,
    show: ({ collectives }) => {
      shown = collectives;
      table.refresh();
    },
  };
}
