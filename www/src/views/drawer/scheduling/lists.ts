// The ops that queued longest, tiny ops by device, and streams of GPUs with what their gaps waited for.
import { say } from '../../../base/messages';
import { placeLabel } from '../../../base/names';
import type { GpuIdleRow, LateRow, SchedulingPage, StreamRow, TinyRow } from '../../../engine/protocol';
import type { CountId } from '../../../base/messages';
import type { Context } from '../../../state/state';
import { goToOp, nameCell } from '../../shared/parts';
import { countColumn, durationColumn, pageOf, type Column } from '../../table/columns';
import { longTable } from '../../table/long_table';
import type { Section } from './section';

interface Listing<R> {
  title: string;
  id: string;
  counted: CountId;
  many: string;
  columns: readonly Column<R, string>[];
  sorting: string;
  rows: (page: SchedulingPage) => R[];
  op: (row: R) => number | null;
}

/** A table of the rows of one list; a click goes to the op of a row. */
export function listSection<R>(context: Context, { title, id, counted, many, columns, sorting, rows: rowsOf, op }: Listing<R>): Section {
  let rows: R[] = [];
  const table = longTable<R, string>(context, {
    counted,
    many,
    id,
    columns,
    sorting: { key: sorting, descending: true },
    filter: say('filter-name'),
    page: async (query) => pageOf(rows, columns, query),
    go: (row) => {
      const to = op(row);
      if (to !== null) goToOp(context, to);
    },
    isChosen: (row) => {
      const own = op(row);
      return own !== null && own === context.state.selection?.op;
    },
  });
  return {
    title,
    element: table.element,
    has: (page) => rowsOf(page).length > 0,
    show: (page) => {
      rows = rowsOf(page);
      table.refresh();
    },
    mark: table.mark,
  };
}

const deviceColumn = <R>(device: (row: R) => string): Column<R, string> => ({
  key: 'device',
  title: say('column-device'),
  width: 130,
  value: device,
  cell: (row) => nameCell(placeLabel(device(row))),
  whole: device,
});

export function latestSection(context: Context): Section {
  const deviceOf = ({ op }: LateRow): string => context.state.trace?.summary.devices[op.device]?.name ?? '';
  return listSection<LateRow>(context, {
    title: say('latest-title'),
    id: 'late',
    counted: 'ops',
    many: say('name-ops'),
    columns: [
      {
        key: 'op',
        title: say('path-op'),
        width: 240,
        value: ({ op }) => op.name,
        cell: ({ op }) => nameCell(op.name),
        whole: ({ op }) => op.name,
      },
      { ...deviceColumn(deviceOf), cell: (row) => placeLabel(deviceOf(row)) },
      durationColumn('queue_ns', say('part-queue'), (row) => row.queue_ns, say('part-queue-about')),
      durationColumn('wait_ns', say('part-wait'), (row) => row.wait_ns, say('part-wait-about')),
      durationColumn('length_ns', say('path-length'), ({ op }) => op.end_ns - op.start_ns),
    ],
    sorting: 'queue_ns',
    rows: ({ latest }) => latest,
    op: ({ op }) => op.op,
  });
}

export const tinySection = (context: Context): Section =>
  listSection<TinyRow>(context, {
    title: say('tiny-title'),
    id: 'tiny',
    counted: 'devices',
    many: say('name-devices'),
    columns: [
      deviceColumn((row) => row.device),
      countColumn('ops', say('column-ops'), (row) => row.ops, say('tiny-ops-about')),
      countColumn('tiny', say('column-tiny'), (row) => row.tiny, say('column-tiny-about')),
      durationColumn('tiny_length_ns', say('path-length'), (row) => row.tiny_length_ns),
      {
        ...countColumn<TinyRow, string>('in_a_row', say('column-in-a-row'), (row) => row.in_a_row, say('column-in-a-row-about')),
        width: 90,
      },
      {
        ...durationColumn<TinyRow, string>('between_ns', say('column-between'), (row) => row.between_ns, say('column-between-about')),
        width: 110,
      },
      durationColumn('cost_ns', say('column-cost'), (row) => row.cost_ns, say('column-cost-about')),
    ],
    sorting: 'cost_ns',
    rows: ({ tiny }) => tiny.filter((row) => row.tiny > 0),
    op: () => null,
  });

export const streamsSection = (context: Context): Section =>
  listSection<StreamRow>(context, {
    title: say('streams-title'),
    id: 'stream',
    counted: 'streams',
    many: say('name-streams'),
    columns: [
      deviceColumn((row) => row.device),
      countColumn('stream', say('column-stream'), (row) => row.stream),
      countColumn('kernels', say('column-kernels'), (row) => row.kernels),
      durationColumn('busy_ns', say('column-busy'), (row) => row.busy_ns),
      durationColumn('queue_ns', say('part-queue'), (row) => row.queue_ns, say('stream-queue-about')),
      { ...durationColumn<StreamRow, string>('queue_p99_ns', say('queue-p99'), (row) => row.queue_p99_ns), width: 96 },
      countColumn('gaps', say('column-gaps'), (row) => row.gaps),
      durationColumn('gap_ns', say('column-gap'), (row) => row.gap_ns, say('column-gap-about')),
      durationColumn('host_ns', say('column-host'), (row) => row.host_ns, say('column-host-about')),
      {
        ...durationColumn<StreamRow, string>(
          'other_stream_ns',
          say('column-other-stream'),
          (row) => row.other_stream_ns,
          say('column-other-stream-about'),
        ),
        width: 104,
      },
      durationColumn('starting_ns', say('column-starting'), (row) => row.starting_ns, say('column-starting-about')),
      { ...durationColumn<StreamRow, string>('unexplained_ns', say('path-gap'), (row) => row.unexplained_ns), width: 120 },
    ],
    sorting: 'gap_ns',
    rows: ({ streams }) => streams,
    op: (row) => row.longest_gap_before,
  });

export const gpusSection = (context: Context): Section =>
  listSection<GpuIdleRow>(context, {
    title: say('gpus-title'),
    id: 'gpu',
    counted: 'devices',
    many: say('name-devices'),
    columns: [
      deviceColumn((row) => row.device),
      durationColumn('busy_ns', say('column-busy'), (row) => row.busy_ns),
      durationColumn('idle_ns', say('column-idle'), (row) => row.idle_ns, say('column-idle-about')),
      wide('host_between_ops_ns', say('column-between-ops'), (row) => row.host_between_ops_ns, say('column-between-ops-about')),
      wide('host_launching_ns', say('column-launching-late'), (row) => row.host_launching_ns, say('column-launching-late-about')),
      wide('other_stream_ns', say('column-other-stream'), (row) => row.other_stream_ns, say('column-idle-other-stream-about')),
      wide('other_rank_ns', say('column-other-rank'), (row) => row.other_rank_ns, say('column-other-rank-about')),
      durationColumn('starting_ns', say('column-starting'), (row) => row.starting_ns),
      wide('nothing_queued_ns', say('column-nothing-queued'), (row) => row.nothing_queued_ns, say('column-nothing-queued-about')),
      wide('unexplained_ns', say('path-gap'), (row) => row.unexplained_ns),
    ],
    sorting: 'idle_ns',
    rows: ({ gpus }) => gpus,
    op: () => null,
  });

const wide = (key: string, title: string, value: (row: GpuIdleRow) => number, about?: string): Column<GpuIdleRow, string> => ({
  ...durationColumn<GpuIdleRow, string>(key, title, value, about),
  width: 120,
});
