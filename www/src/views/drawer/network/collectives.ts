// Collectives: who came last, and how long the others waited.
import { formatCount, plural } from '../../../base/format';
import { placeLabel } from '../../../base/names';
import { formatDuration } from '../../../base/time';
import type { Collective, Collectives, Network } from '../../../engine/protocol';
import { Changed } from '../../../state/frame';
import type { Context } from '../../../state/state';
import { countColumn, durationColumn, pageOf, type Column } from '../../table/columns';
import { longTable } from '../../table/long_table';
import { goToOp, nameCell } from '../../shared/parts';
import type { Section } from './section';

export function collectivesSection(context: Context): Section {
  const { state, frame } = context;
  let shown: Collectives = { total: 0, rows: [], matched: 0, time_ns: 0 as Collectives['time_ns'], waiting_ns: null, last: [] };
  const device = (id: number): string => state.trace?.summary.devices[id]?.name ?? '';
  const last = (row: Collective): string | null => (row.last_by_ns === null ? null : device(row.op.device));
  const columns: readonly Column<Collective, string>[] = [
    { key: 'op', title: 'Op', width: 260, value: (row) => row.op.name, cell: (row) => nameCell(row.op.name), whole: (row) => row.op.name },
    countColumn('step', 'Step', (row) => row.step),
    countColumn('participants', 'Devices', (row) => row.participant_count, 'How many took part; unknown where only one process was traced'),
    durationColumn('time_ns', 'Time', (row) => row.time_ns, 'The lengths of the ops of all participants, added up'),
    durationColumn(
      'waiting_ns',
      'Waiting',
      (row) => row.waiting_ns,
      'Of that, until the last participant came: as comparable as the clocks are',
    ),
    {
      key: 'last',
      title: 'Came last',
      width: 120,
      value: last,
      cell: (row) => (row.last_by_ns === null ? '–' : placeLabel(device(row.op.device))),
      whole: (row) => last(row) ?? 'The other participants are not known',
    },
    durationColumn('last_by_ns', 'By', (row) => row.last_by_ns, 'How much later than the one before it'),
  ];
  const table = longTable<Collective, string>(context, {
    one: 'collective',
    many: 'collectives',
    id: 'collective',
    columns,
    sorting: { key: 'waiting_ns', descending: true },
    filter: 'op or device',
    page: async (query) => pageOf(shown.rows, columns, query),
    go: (row) => goToOp(context, row.op.op),
    isChosen: (row) => row.op.op === state.selection?.op,
    said: () =>
      `${plural(shown.total, 'collective')}${shown.matched < shown.total ? `, participants of ${formatCount(shown.total - shown.matched)} not known` : ''}`,
  });
  frame.onDom(Changed.selection, () => table.mark());
  return {
    id: 'collectives',
    title: 'Collectives',
    said: ({ collectives }: Network) => {
      if (collectives.total === 0) return '';
      const [first] = collectives.last;
      const who = first
        ? `; ${placeLabel(device(first[0]))} came last in ${formatCount(first[1])} of ${formatCount(collectives.matched)}`
        : '';
      const waiting =
        collectives.waiting_ns === null
          ? 'participants not known'
          : `${formatDuration(collectives.waiting_ns)} waiting of ${formatDuration(collectives.time_ns)}`;
      return waiting + who;
    },
    element: table.element,
    show: ({ collectives }) => {
      shown = collectives;
      table.refresh();
    },
  };
}
