// The columns of the table of steps: only those that these steps have something to say in.
import { capital, say } from '../../../base/messages';
import { el } from '../../../base/dom';
import { dateAt, pointWriter, wallClock } from '../../../base/clock';
import type { PartFigure, Step, StepList } from '../../../engine/protocol';
import { bytesColumn, countColumn, durationColumn, pointColumn, type Column } from '../../table/columns';
import { titleOfStep } from '../../../state/opened/steps';
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

export function stepColumns(list: StepList): StepColumn[] {
  const { steps, usual } = list;
  const usual_ns = usual.window_ns?.p50 ?? 0;
  /** By how much, in words. */
  const outlier = ({ stands_out, window_ns }: StepRow): string =>
    stands_out ? (window_ns > usual_ns ? say('step-longer') : say('step-shorter')) : '';
  const any = (has: (step: Step) => boolean, column: StepColumn): StepColumn[] => (steps.some(has) ? [column] : []);
  const parts = partsOf(steps).map(({ part, label, short, explanation, figure }): StepColumn => ({
    ...durationColumn(
      figure,
      part === 'idle' || part === 'compute' ? capital(short) : capital(say('exposed-short', { part: short })),
      known((row) => row[figure]),
      say('label-of', { what: label, label: explanation }),
    ),
    ...(part === 'idle' || part === 'compute' ? {} : { width: 92 }),
  }));
  return [
    {
      key: 'place',
      title: say('step-title'),
      width: 58,
      value: ({ called }) => called,
      cell: ({ called }) => nameCell(String(called ?? '–')),
      whole: (row) => (row.ops > 0 ? say('show-this-step') : say('step-without-ops')),
    },
    ...any(({ name }) => name !== '', {
      key: 'name',
      title: say('column-name'),
      width: 150,
      value: ({ name }) => name,
      whole: ({ name }) => name,
    }),
    ...any(({ number, called }) => number !== null && number !== called, {
      ...countColumn('number', say('column-number'), ({ number }) => number, say('number-about')),
      descending: false,
    }),
    ...(new Set(steps.map(({ file }) => file)).size > 1
      ? [{ key: 'file', title: say('column-file'), width: 150, value: ({ file }) => file, whole: ({ file }) => file } as StepColumn]
      : []),
    ...any(({ recorded_unix_ns }) => recorded_unix_ns !== null, {
      key: 'recorded_unix_ns',
      title: say('column-recorded'),
      about: say('recorded-about'),
      width: 190,
      // All have as many digits.
      value: ({ recorded_unix_ns }) => recorded_unix_ns,
      cell: ({ recorded_unix_ns }) => (recorded_unix_ns === null ? '–' : momentOf(recorded_unix_ns)),
    }),
    pointColumn(
      'start_ns',
      say('column-start'),
      known((row) => row.start_ns),
      say('start-about'),
    ),
    countColumn('ops', say('column-ops'), (row) => row.ops),
    durationColumn(
      'window_ns',
      say('column-length'),
      known((row) => row.window_ns),
      say('length-title'),
    ),
    ...any(({ stands_out }) => stands_out, {
      key: 'stands_out',
      title: say('column-unusual'),
      about: say('unusual-about'),
      width: 84,
      descending: true,
      value: outlier,
      cell: (row) => {
        const word = outlier(row);
        return word === '' ? '' : el('span', { class: 'outlier' }, `${row.window_ns > usual_ns ? '▲' : '▼'} ${word}`);
      },
    }),
    {
      key: 'split',
      title: say('column-split'),
      about: say('step-split-about'),
      width: 96,
      cell: (row) => {
        if (row.ops === 0) return el('span', { class: 'note' }, say('no-ops'));
        const what = titleOfStep(list, row.place);
        const bar = splitBar(false, what);
        bar.update(row, what);
        return bar.element;
      },
    },
    ...parts,
    ...any(
      ({ transferred_bytes }) => transferred_bytes > 0,
      bytesColumn(
        'transferred_bytes',
        say('column-sent-bytes'),
        known((row) => row.transferred_bytes),
        say('sent-bytes-about'),
      ),
    ),
  ];
}
