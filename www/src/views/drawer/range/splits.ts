// How the time of each device divides within the range or the step; the other figures of the tab are about the device that is chosen here.
import { say } from '../../../base/messages';
import { el, fill } from '../../../base/dom';
import { formatShare } from '../../../base/format';
import { placeLabel } from '../../../base/names';
import type { PartFigure, Split } from '../../../engine/protocol';
import type { Context, State } from '../../../state/state';
import type { ChosenDevice } from '../../../state/types';
import { scopeSplit, unitSplit } from '../../../state/scope';
import { HOST_PROFILER, hasStreamDevices, leaderOf, unitNames } from '../../../state/layout/units';
import { durationColumn, pageOf, type Column } from '../../table/columns';
import { longTable, type LongTable } from '../../table/long_table';
import { nameCell } from '../../shared/parts';
import { splitBar } from '../../shared/split_bar';
import { partsOf, type PartWords } from '../../shared/words';

/** A null device stands for the step bar, and for any device. */
interface Row extends ChosenDevice {
  name: string;
  /** The same in short. */
  label: string;
  split: Split | null;
}

type Key = 'name' | 'bar' | PartFigure | 'busy_ns';

const ANY_DEVICE = say('row-any-device');

type Choice = [chosen: () => ChosenDevice, choose: (chosen: ChosenDevice) => void];

/** The table, with a column for each part that anything in the trace has. */
export function splitsTable(
  context: Context,
  tools: HTMLElement[],
  above: HTMLElement,
  ...choice: Choice
): Pick<LongTable, 'element' | 'mark' | 'refresh'> {
  const element = el('div', { class: 'part-table' });
  let parts: readonly PartWords[] = [];
  let table: LongTable | null = null;
  return {
    element,
    mark: () => table?.mark(),
    refresh(keep_place) {
      const { summary } = context.state.trace ?? {};
      const wanted = partsOf(summary ? [summary.step, ...summary.devices] : []);
      if (!table || wanted.length !== parts.length || wanted.some((words, index) => words !== parts[index])) {
        parts = wanted;
        table = tableOf(context, parts, tools, above, choice);
        fill(element, table.element);
      }
      table.refresh(keep_place);
    },
  };
}

function tableOf(
  context: Context,
  parts: readonly PartWords[],
  tools: HTMLElement[],
  above: HTMLElement,
  [chosen, choose]: Choice,
): LongTable {
  const { state } = context;
  const of = (row: Row, key: PartFigure | 'busy_ns') => row.split?.[key] ?? null;
  const columns: readonly Column<Row, Key>[] = [
    {
      key: 'name',
      title: say('column-device'),
      width: 112,
      fits: true,
      value: (row) => row.name,
      cell: (row) => nameCell(row.label),
      whole: (row) => row.name,
    },
    {
      key: 'bar',
      title: say('column-split'),
      width: 70,
      cell: (row) => {
        const bar = splitBar(false, row.name);
        const without_kernels = row.device !== null && state.trace?.summary.devices[row.device]?.without_kernels === true;
        bar.update(row.split, row.name, without_kernels);
        return bar.element;
      },
    },
    ...parts.map(({ short, label, explanation, figure: key }): Column<Row, Key> => {
      return {
        key,
        title: short,
        about: say('label-of', { what: label, label: explanation }),
        width: short.length > 5 ? 70 : 57,
        numeric: true,
        descending: true,
        value: (row) => of(row, key),
        cell: ({ split }) => (split && split.window_ns > 0 ? formatShare(split[key] / split.window_ns) : '–'),
      };
    }),
    {
      ...durationColumn<Row, Key>('busy_ns', say('link-busy'), (row) => of(row, 'busy_ns'), say('busy-about')),
      width: 76,
    },
  ];
  const rows = (): Row[] => {
    const all = { device: null, accelerator: false };
    const step = { ...all, name: say('step-title'), label: say('step-title'), split: scopeSplit(state, null) };
    return [step, { ...all, name: ANY_DEVICE, label: ANY_DEVICE, split: scopeSplit(state, 'any') }, ...deviceRows(state)];
  };
  return longTable<Row, Key>(context, {
    counted: 'devices',
    many: say('name-devices'),
    id: 'split',
    columns,
    sorting: null,
    yields: ['busy_ns', 'bar'],
    filter: say('filter-devices'),
    filters_many: true,
    page: async (query) => pageOf(rows(), columns, query, (row) => row.device === null),
    go: choose,
    isChosen: (row) => row.device === chosen().device && row.accelerator === chosen().accelerator && row.name !== ANY_DEVICE,
    tools,
    above,
    said: () => '',
  });
}

/** Every device; above the streams of a GPU that are devices, the GPU itself. */
function deviceRows(state: State): Row[] {
  const { summary } = state.trace ?? {};
  if (!summary) return [];
  const wordsOf = unitNames(summary);
  const none_works = summary.devices.every(({ without_work }) => without_work === true);
  return summary.devices.flatMap(({ name, kind, accelerator, without_work }, device, devices): Row[] => {
    // Of spans and frames of Python nothing divides: they are never idle.
    if (kind === HOST_PROFILER || (without_work === true && accelerator === undefined && !none_works)) return [];
    const own = { device, accelerator: false, name, split: scopeSplit(state, device) };
    const words = wordsOf(device);
    if (accelerator === undefined || !hasStreamDevices(devices, device)) return [{ ...own, label: words.place }];
    const stream = { ...own, label: placeLabel(name) };
    if (leaderOf(devices, device) !== device) return [stream];
    return [{ device, accelerator: true, name: words.name, label: words.place, split: unitSplit(state, device) }, stream];
  });
}
