// The columns of the table of steps: only those that these steps have something to say in.
import { el } from '../../../base/dom';
import { dateAt, pointWriter, wallClock } from '../../../base/clock';
import type { PartFigure, Step, StepList } from '../../../engine/protocol';
import { bytesColumn, countColumn, durationColumn, pointColumn, type Column } from '../../table/columns';
import { nameCell } from '../../shared/parts';
import { splitBar } from '../../shared/split_bar';
import { partsOf } from '../../shared/words';

export interface StepRow extends Step {
  /** Its place in the list. */
  place: number;
}

export type StepKey =
  | 'place'
  | 'name'
  | 'number'
  | 'file'
  | 'recorded_unix_ns'
  | 'start_ns'
  | 'ops'
  | 'window_ns'
  | 'stands_out'
  | 'split'
  | PartFigure
  | 'transferred_bytes';

type StepColumn = Column<StepRow, StepKey>;

/** `2026-11-21 01:23:04.500`, in UTC. */
export function momentOf(unix_ns: string): string {
  const clock = wallClock(unix_ns);
  return `${dateAt(clock, 0) ?? ''} ${pointWriter(clock, 0, 0)(0, 1e6)}`;
}

/** A figure of a step that has ops; of others there is none. */
const known =
  (figure: (row: StepRow) => number) =>
  (row: StepRow): number | null =>
    row.ops > 0 ? figure(row) : null;

export function stepColumns({ steps, usual }: StepList): StepColumn[] {
  const usual_ns = usual.window_ns?.p50 ?? 0;
  /** By how much, in words. */
  const outlier = ({ stands_out, window_ns }: StepRow): string => (stands_out ? (window_ns > usual_ns ? 'longer' : 'shorter') : '');
  const any = (has: (step: Step) => boolean, column: StepColumn): StepColumn[] => (steps.some(has) ? [column] : []);
  const parts = partsOf(steps).map(({ part, label, short, explanation, figure }): StepColumn => ({
    ...durationColumn(
      figure,
      part === 'idle' || part === 'compute' ? `${short[0]?.toUpperCase()}${short.slice(1)}` : `Exp. ${short}`,
      known((row) => row[figure]),
      `${label}: ${explanation}`,
    ),
    ...(part === 'idle' || part === 'compute' ? {} : { width: 92 }),
  }));
  return [
    {
      key: 'place',
      title: 'Step',
      width: 58,
      value: (row) => row.place + 1,
      cell: (row) => nameCell(String(row.place + 1)),
      whole: (row) => (row.ops > 0 ? 'Show this step' : 'No op was recorded in this run, so there is no picture of it'),
    },
    ...any(({ name }) => name !== '', { key: 'name', title: 'Name', width: 150, value: ({ name }) => name, whole: ({ name }) => name }),
    ...any(({ number }) => number !== null, {
      ...countColumn('number', 'Number', ({ number }) => number, 'The number that the file gives it'),
      descending: false,
    }),
    ...(new Set(steps.map(({ file }) => file)).size > 1
      ? [{ key: 'file', title: 'File', width: 150, value: ({ file }) => file, whole: ({ file }) => file } as StepColumn]
      : []),
    ...any(({ recorded_unix_ns }) => recorded_unix_ns !== null, {
      key: 'recorded_unix_ns',
      title: 'Recorded (UTC)',
      about: 'When the file says that it was recorded',
      width: 190,
      // All have as many digits.
      value: ({ recorded_unix_ns }) => recorded_unix_ns,
      cell: ({ recorded_unix_ns }) => (recorded_unix_ns === null ? '–' : momentOf(recorded_unix_ns)),
    }),
    pointColumn(
      'start_ns',
      'Start',
      known((row) => row.start_ns),
      'After the first start of all steps',
    ),
    countColumn('ops', 'Ops', (row) => row.ops),
    durationColumn(
      'window_ns',
      'Length',
      known((row) => row.window_ns),
      'From its first start to its last end over all devices',
    ),
    ...any(({ stands_out }) => stands_out, {
      key: 'stands_out',
      title: 'Unusual',
      about: 'Its length stands out among the others',
      width: 84,
      descending: true,
      value: outlier,
      cell: (row) => {
        const word = outlier(row);
        return word === '' ? '' : el('span', { class: 'outlier' }, `${word === 'longer' ? '▲' : '▼'} ${word}`);
      },
    }),
    {
      key: 'split',
      title: 'Split',
      about: 'How its time divides: the mean of the accelerators, or of all devices where there are none',
      width: 96,
      cell: (row) => {
        if (row.ops === 0) return el('span', { class: 'note' }, 'no ops');
        const bar = splitBar(false);
        bar.update(row, `Step ${row.place + 1}`);
        return bar.element;
      },
    },
    ...parts,
    ...any(
      ({ transferred_bytes }) => transferred_bytes > 0,
      bytesColumn(
        'transferred_bytes',
        'Moved',
        known((row) => row.transferred_bytes),
        'Bytes of its transfers between tasks',
      ),
    ),
  ];
}
