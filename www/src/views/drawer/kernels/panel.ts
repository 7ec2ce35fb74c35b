// The drawer's tab of kernels: the work of GPUs by name, how it was launched, and by which ops.
import { say } from '../../../base/messages';
import { el, setText } from '../../../base/dom';
import { formatCount, formatShare } from '../../../base/format';
import { kernelLabel } from '../../../base/names';
import type { KernelRow, Kernels } from '../../../engine/protocol';
import { Changed } from '../../../state/frame';
import { scopeQuery } from '../../../state/scope';
import type { Context } from '../../../state/state';
import type { Figures } from '../../../state/types';
import { goToOp, nameCell } from '../../shared/parts';
import { barCell, bytesColumn, countColumn, durationColumn, pageOf, workColumns, type Column } from '../../table/columns';
import { longTable, type LongTable } from '../../table/long_table';
import { answerPanel } from '../tab_panel';

type Extent = KernelRow['grid'];

export const panel = answerPanel({
  // Of the range, or of the step.
  ask: {
    verb: 'kernels',
    of: ({ trace, range, range_lanes }) => trace && [trace, range?.start, range?.end, range_lanes],
    parameters: (state) => [scopeQuery(state, null)],
    outcome: say('kernels-not-found'),
  },
  failed: say('kernels-failed'),
  changed: [Changed.scope],
  make: (context, { failed }) => {
    const sentence = el('p', { class: 'kernels-sentence', role: 'status' });
    let rows: KernelRow[] = [];
    const table = kernelsTable(context, () => rows);
    const element = el('div', { class: 'kernels' }, failed, sentence, table.element);
    let shown: Kernels | null = null;
    const show = ({ answer, has_failed }: Figures<Kernels>) => {
      table.element.hidden = !answer || answer.kernels.length === 0;
      setText(sentence, has_failed ? '' : (answer?.sentence ?? say('kernels-wait')));
      if (!answer || answer === shown) return;
      shown = answer;
      rows = answer.kernels;
      table.refresh();
    };
    context.frame.onDom([Changed.selection], () => table.mark());
    return { element, show };
  },
});

function kernelsTable(context: Context, rows: () => readonly KernelRow[]): LongTable {
  const most = () => rows().reduce((largest, row) => Math.max(largest, row.share_ppm), 1);
  const columns: readonly Column<KernelRow, string>[] = [
    {
      key: 'name',
      title: say('column-kernel'),
      width: 260,
      value: (row) => row.name,
      cell: (row) => nameCell(row.short_name),
      whole: (row) => row.name,
    },
    durationColumn('total_ns', say('column-total'), (row) => row.total_ns, say('kernel-total-about')),
    {
      key: 'share_ppm',
      title: say('column-share'),
      about: say('kernel-share-about'),
      width: 104,
      numeric: true,
      has_bar: true,
      descending: true,
      value: (row) => row.share_ppm,
      cell: (row) => barCell(row.share_ppm / most(), `fill-${row.category}`, formatShare(row.share_ppm / 1e6)),
    },
    countColumn('count', say('column-kernels'), (row) => row.count),
    durationColumn('mean_ns', say('column-mean'), (row) => row.mean_ns, say('mean-about')),
    durationColumn('max_ns', say('column-max'), (row) => row.max_ns, say('max-about')),
    {
      key: 'occupancy_percent',
      title: say('column-occupancy'),
      about: say('occupancy-about'),
      width: 84,
      numeric: true,
      descending: true,
      value: (row) => row.occupancy_percent,
      cell: (row) => (row.occupancy_percent === null ? '–' : formatShare(row.occupancy_percent / 100)),
    },
    ...workColumns<KernelRow, string>(),
    extentColumn('grid', say('column-grid'), say('grid-about'), (row) => row.grid),
    extentColumn('block', say('column-block'), say('block-about'), (row) => row.block),
    countColumn('registers', say('column-registers'), (row) => row.registers, say('registers-about')),
    bytesColumn('shared_bytes', say('column-shared-memory'), (row) => row.shared_bytes, say('shared-memory-about')),
    {
      key: 'launched_by',
      title: say('column-launched-by'),
      about: say('launched-by-about'),
      width: 150,
      value: (row) => row.launched_by[0]?.op_type ?? null,
      cell: launcherCell,
      whole: (row) => row.launched_by.map(({ op_type, count }) => say('launcher-of', { op_type, count })).join('\n'),
    },
  ];
  return longTable<KernelRow, string>(context, {
    counted: 'kernel-names',
    many: say('name-kernels'),
    id: 'kernel',
    columns,
    sorting: { key: 'total_ns', descending: true },
    yields: ['flops', 'work_known_ppm', 'shared_bytes', 'registers', 'block', 'grid', 'max_ns'],
    filter: say('filter-name'),
    page: async (query) => pageOf(rows(), columns, query),
    go: (row) => goToOp(context, row.longest),
    isChosen: (row) => row.longest === context.state.selection?.op,
  });
}

function launcherCell({ launched_by: [first], launcher_count }: KernelRow): HTMLElement | string {
  if (!first) return '–';
  const name = kernelLabel(first.op_type);
  return launcher_count === 1 ? name : say('launchers', { name, more: formatCount(launcher_count - 1) });
}

/** Three dimensions, sorted by how many there are in all. */
const extentColumn = (key: string, title: string, about: string, extent: (row: KernelRow) => Extent): Column<KernelRow, string> => ({
  key,
  title,
  about,
  width: 84,
  numeric: true,
  descending: true,
  value: (row) => extent(row)?.reduce((product, one) => product * one, 1) ?? null,
  cell: (row) => written(extent(row)) + (row.launch_count > 1 && extent(row) ? ' …' : ''),
  whole: (row) => row.launches.map((launch) => written(key === 'grid' ? launch.grid : launch.block)).join('\n'),
});

/** Without dimensions of 1 at the end. */
function written(extent: Extent): string {
  if (!extent) return '–';
  const [x = 1, y = 1, z = 1] = extent;
  return z !== 1 ? `${x}×${y}×${z}` : y !== 1 ? `${x}×${y}` : formatCount(x);
}
