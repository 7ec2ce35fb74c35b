// How the time of each device divides within the range or the step; a device that is chosen here is what the figures beside are about.
import { formatShare } from '../base/format';
import { placeLabel } from '../base/names';
import type { DeviceId, Split } from '../engine/protocol';
import { scopeSplit, type Context } from '../state/state';
import { durationColumn, pageOf, type Column } from './columns';
import { longTable, type LongTable } from './long_table';
import { nameCell } from './parts';
import { splitBar } from './split_bar';
import { PARTS } from './words';

/** Null stands for all devices together. */
interface Row {
  device: DeviceId | null;
  name: string;
  split: Split | null;
}

type Key = 'name' | 'bar' | 'compute_ns' | 'exposed_copy_ns' | 'exposed_communication_ns' | 'idle_ns' | 'busy_ns';

const KEYS = ['compute_ns', 'exposed_copy_ns', 'exposed_communication_ns', 'idle_ns'] as const;

export function splitsTable(
  context: Context,
  tools: HTMLElement[],
  above: HTMLElement,
  chosen: () => DeviceId | null,
  choose: (device: DeviceId | null) => void,
): LongTable {
  const { state } = context;
  const of = (row: Row, key: (typeof KEYS)[number] | 'busy_ns') => row.split?.[key] ?? null;
  const columns: readonly Column<Row, Key>[] = [
    {
      key: 'name',
      title: 'Device',
      width: 112,
      value: (row) => row.name,
      cell: (row) => nameCell(row.device === null ? row.name : placeLabel(row.name)),
      whole: (row) => row.name,
    },
    {
      key: 'bar',
      title: 'Split',
      width: 70,
      cell: (row) => {
        const bar = splitBar(false);
        bar.update(row.split, row.name);
        return bar.element;
      },
    },
    ...PARTS.map(({ short, label, explanation }, index): Column<Row, Key> => {
      const key = KEYS[index] ?? 'idle_ns';
      return {
        key,
        title: short,
        about: `${label}: ${explanation}`,
        width: short.length > 5 ? 70 : 57,
        numeric: true,
        descending: true,
        value: (row) => of(row, key),
        cell: ({ split }) => (split && split.window_ns > 0 ? formatShare(split[key] / split.window_ns) : '–'),
      };
    }),
    {
      ...durationColumn<Row, Key>('busy_ns', 'busy', (row) => of(row, 'busy_ns'), 'Time in which at least one op is recorded'),
      width: 76,
    },
  ];
  const rows = (): Row[] => {
    const devices = state.trace?.summary.devices ?? [];
    const each = devices.map(({ name }, device) => ({ device, name, split: scopeSplit(state, device) }));
    return [{ device: null, name: 'All devices', split: scopeSplit(state, null) }, ...each];
  };
  return longTable<Row, Key>(context, {
    one: 'device',
    many: 'devices',
    id: 'split',
    columns,
    sorting: null,
    page: async (query) => pageOf(rows(), columns, query, (row) => row.device === null),
    go: (row) => choose(row.device),
    isChosen: (row) => row.device === chosen(),
    tools,
    above,
    said: () => '',
  });
}
