// What ops spent from ready to end, by device and by op type: wait, queue, set-up, kernel and tear-down.
import { say } from '../../../base/messages';
import { placeLabel } from '../../../base/names';
import type { PartsRow } from '../../../engine/protocol';
import type { Context } from '../../../state/state';
import { nameCell } from '../../shared/parts';
import { countColumn, durationColumn, type Column } from '../../table/columns';
import { listSection } from './lists';
import type { Section } from './section';

/** The place of the queue among the parts. */
const QUEUE = 1;

const PARTS = [
  { key: 'wait', title: say('part-wait'), about: say('part-wait-about') },
  { key: 'queue', title: say('part-queue'), about: say('part-queue-about') },
  { key: 'set-up', title: say('part-set-up'), about: say('part-set-up-about') },
  { key: 'kernel', title: say('part-kernel'), about: say('part-kernel-about') },
  { key: 'tear-down', title: say('part-tear-down'), about: say('part-tear-down-about') },
] as const;

const columnsOf = (title: string, name: (row: PartsRow) => string): readonly Column<PartsRow, string>[] => [
  { key: 'key', title, width: 170, value: (row) => row.key, cell: (row) => nameCell(name(row)), whole: (row) => row.key },
  countColumn('ops', say('column-ops'), (row) => row.ops),
  ...PARTS.map(({ key, title, about }, place) =>
    durationColumn<PartsRow, string>(key, title, (row) => row.parts[place]?.sum_ns ?? null, about),
  ),
  { ...durationColumn<PartsRow, string>('queue_p50', say('queue-p50'), (row) => row.parts[QUEUE]?.p50_ns ?? null), width: 96 },
  { ...durationColumn<PartsRow, string>('queue_p99', say('queue-p99'), (row) => row.parts[QUEUE]?.p99_ns ?? null), width: 96 },
  {
    ...durationColumn<PartsRow, string>(
      'queue_most',
      say('queue-most'),
      (row) => row.parts[QUEUE]?.most_ns ?? null,
      say('queue-most-about'),
    ),
    width: 96,
  },
];

/** The op that queued longest; where nothing says that, the one whose kernel was longest. */
const longest = ({ parts }: PartsRow): number | null =>
  parts[QUEUE]?.most_op ?? parts.find(({ most_op }) => most_op !== null)?.most_op ?? null;

export const byDevice = (context: Context): Section =>
  listSection<PartsRow>(context, {
    title: say('path-by-device'),
    id: 'parts-device',
    counted: 'devices',
    many: say('name-devices'),
    columns: columnsOf(say('column-device'), (row) => placeLabel(row.key)),
    sorting: 'queue',
    rows: ({ by_device }) => by_device,
    op: longest,
  });

export const byOpType = (context: Context): Section =>
  listSection<PartsRow>(context, {
    title: say('path-by-op-type'),
    id: 'parts-type',
    counted: 'op-types',
    many: say('name-op-types'),
    columns: columnsOf(say('column-op-type'), (row) => row.key),
    sorting: 'queue',
    rows: ({ by_op_type }) => by_op_type,
    op: longest,
  });
