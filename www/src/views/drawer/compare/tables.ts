// Both traces side by side: op types, links, devices, memory, what has no partner, and whether steps differ or only vary. One table at a time.
import { clauses } from '../../../base/joined';
import { el, fill, setText } from '../../../base/dom';
import { formatCount } from '../../../base/format';
import { say, type PlainId } from '../../../base/messages';
import { placeLabel, routeLabel } from '../../../base/names';
import type { ComparePage, DeviceBoth, LinkBoth, MemoryBoth, OpTypeBoth, OpTypeOverSteps, Unmatched } from '../../../engine/protocol';
import { showInMirror } from '../../../state/shown/mirror';
import { listType } from '../../../state/shown/search';
import { showTransfers } from '../../../state/shown/tab';
import type { Context } from '../../../state/state';
import { nameCell } from '../../shared/parts';
import { bytesColumn, countColumn, durationColumn, pageOf, type Column } from '../../table/columns';
import { longTable, type LongTable, type TableOptions } from '../../table/long_table';
import { signed } from '../../shared/signed';
import { ratioText, signedBytes } from './signed';

export interface Tables {
  element: HTMLElement;
  show: (found: ComparePage) => void;
}

/** A table: its rows, and how they are shown. */
interface Kind<R> {
  id: string;
  title: PlainId;
  about: PlainId;
  rows: (found: ComparePage) => readonly R[];
  columns: readonly Column<R, string>[];
  sort: string;
  go?: (context: Context, row: R) => void;
}

const name = <R>(title: PlainId, value: (row: R) => string, shown: (row: R) => string = value): Column<R, string> => ({
  key: 'name',
  title: say(title),
  width: 190,
  value,
  cell: (row) => nameCell(shown(row)),
  whole: value,
});

/** A difference is sorted by its size: what got shorter matters as much. */
const difference = <R>(value: (row: R) => number | null, format: (value: number) => string): Column<R, string> => ({
  key: 'difference',
  title: say('cmp-difference'),
  about: say('cmp-difference-about'),
  width: 84,
  numeric: true,
  descending: true,
  value: (row) => {
    const own = value(row);
    return own === null ? null : Math.abs(own);
  },
  cell: (row) => {
    const own = value(row);
    return own === null ? '–' : format(own);
  },
});

const ratio = <R>(value: (row: R) => number | null): Column<R, string> => ({
  key: 'ratio',
  title: say('cmp-ratio'),
  about: say('cmp-ratio-about'),
  width: 58,
  numeric: true,
  descending: true,
  value,
  cell: (row) => ratioText(value(row)),
});

const A = say('cmp-a');
const B = say('cmp-b');
const deviceOf = ({ device_a, device_b }: DeviceBoth): string => device_a ?? device_b ?? '';
const link = ({ source, destination }: LinkBoth): string => `${source} -> ${destination}`;

const OP_TYPES: Kind<OpTypeBoth> = {
  id: 'cmp-types',
  title: 'cmp-table-types',
  about: 'cmp-table-types-about',
  rows: ({ op_types }) => op_types,
  sort: 'difference',
  go: (context, row) => listType(context, row.op_type),
  columns: [
    name('cmp-op-type', (row) => row.op_type),
    durationColumn('self_a_ns', A, (row) => row.self_a_ns),
    durationColumn('self_b_ns', B, (row) => row.self_b_ns),
    difference((row) => row.difference_ns, signed),
    ratio((row) => row.ratio),
    { ...countColumn<OpTypeBoth, string>('count_a', say('cmp-ops-a'), (row) => row.count_a), width: 62 },
    { ...countColumn<OpTypeBoth, string>('count_b', say('cmp-ops-b'), (row) => row.count_b), width: 62 },
    durationColumn('p50_a_ns', say('cmp-median-a'), (row) => row.p50_a_ns),
    durationColumn('p50_b_ns', say('cmp-median-b'), (row) => row.p50_b_ns),
  ],
};

const LINKS: Kind<LinkBoth> = {
  id: 'cmp-links',
  title: 'cmp-table-links',
  about: 'cmp-table-links-about',
  rows: ({ links }) => links,
  sort: 'difference',
  go: (context, row) => showTransfers(context, link(row)),
  columns: [
    name('cmp-link', link, routeLabel),
    durationColumn('busy_a_ns', A, (row) => row.busy_a_ns),
    durationColumn('busy_b_ns', B, (row) => row.busy_b_ns),
    difference((row) => row.difference_ns, signed),
    ratio((row) => row.ratio),
    bytesColumn('bytes_a', say('cmp-bytes-a'), (row) => row.bytes_a),
    bytesColumn('bytes_b', say('cmp-bytes-b'), (row) => row.bytes_b),
    durationColumn('p50_a_ns', say('cmp-median-a'), (row) => row.p50_a_ns),
    durationColumn('p50_b_ns', say('cmp-median-b'), (row) => row.p50_b_ns),
  ],
};

const DEVICES: Kind<DeviceBoth> = {
  id: 'cmp-devices',
  title: 'cmp-table-devices',
  about: 'cmp-table-devices-about',
  rows: ({ devices }) => devices,
  sort: 'difference',
  columns: [
    name('cmp-device', deviceOf, (row) => placeLabel(deviceOf(row))),
    durationColumn('busy_a_ns', A, (row) => (row.device_a === null ? null : row.busy_a_ns)),
    durationColumn('busy_b_ns', B, (row) => (row.device_b === null ? null : row.busy_b_ns)),
    difference((row) => row.difference_ns, signed),
    ratio((row) => row.ratio),
    durationColumn('compute_a_ns', say('cmp-compute-a'), (row) => row.compute_a_ns),
    durationColumn('compute_b_ns', say('cmp-compute-b'), (row) => row.compute_b_ns),
    durationColumn('exposed_a_ns', say('cmp-exposed-a'), (row) => row.exposed_communication_a_ns),
    durationColumn('exposed_b_ns', say('cmp-exposed-b'), (row) => row.exposed_communication_b_ns),
  ],
};

const MEMORY: Kind<MemoryBoth> = {
  id: 'cmp-memory',
  title: 'cmp-table-memory',
  about: 'cmp-table-memory-about',
  rows: ({ memory }) => memory,
  sort: 'difference',
  columns: [
    name(
      'cmp-device',
      (row) => clauses([row.device ?? say('all-devices'), row.allocator]),
      (row) => clauses([row.device === null ? say('all-devices') : placeLabel(row.device), row.allocator]),
    ),
    bytesColumn('peak_a_bytes', A, (row) => row.peak_a_bytes),
    bytesColumn('peak_b_bytes', B, (row) => row.peak_b_bytes),
    difference((row) => row.difference_bytes, signedBytes),
    ratio((row) => row.ratio),
  ],
};

interface Alone extends Unmatched {
  of_b: boolean;
}

const ALONE: Kind<Alone> = {
  id: 'cmp-alone',
  title: 'cmp-table-alone',
  about: 'cmp-table-alone-about',
  rows: ({ unmatched_a, unmatched_b }) => [
    ...unmatched_a.map((own) => ({ ...own, of_b: false })),
    ...unmatched_b.map((own) => ({ ...own, of_b: true })),
  ],
  sort: 'total_ns',
  go: (context, row) => showInMirror(context, row.of_b, row.op_row),
  columns: [
    name('cmp-op', (row) => row.name),
    { key: 'side', title: say('cmp-only-in'), width: 52, fits: true, value: (row) => (row.of_b ? B : A) },
    { ...countColumn<Alone, string>('count', say('column-count'), (row) => row.count), width: 58 },
    durationColumn('total_ns', say('cmp-total'), (row) => row.total_ns),
    { key: 'op_type', title: say('cmp-op-type'), width: 110, value: (row) => row.op_type, whole: (row) => row.op_type },
    {
      key: 'device',
      title: say('cmp-device'),
      width: 110,
      value: (row) => row.device,
      cell: (row) => placeLabel(row.device),
      whole: (row) => row.device,
    },
  ],
};

const STEPS: Kind<OpTypeOverSteps> = {
  id: 'cmp-steps',
  title: 'cmp-table-steps',
  about: 'cmp-table-steps-about',
  rows: ({ steps }) => steps.op_types,
  sort: 'difference',
  columns: [
    name('cmp-op-type', (row) => row.op_type),
    durationColumn('a', say('cmp-median-a'), (row) => row.a?.median_ns ?? null),
    durationColumn('b', say('cmp-median-b'), (row) => row.b?.median_ns ?? null),
    difference((row) => row.difference_ns, signed),
    {
      key: 'probability',
      title: say('cmp-probability'),
      about: say('cmp-probability-about'),
      width: 80,
      numeric: true,
      value: (row) => row.probability,
      cell: (row) => probabilityText(row.probability),
    },
    {
      key: 'significant',
      title: say('cmp-significant'),
      about: say('cmp-significant-about'),
      width: 84,
      value: (row) => (row.significant ? say('cmp-yes') : '~'),
    },
  ],
};

export const probabilityText = (value: number | null): string => (value === null ? '~' : value < 0.001 ? '< 0.001' : value.toFixed(3));

interface Part {
  id: string;
  title: string;
  about: string;
  rows: number;
  element: HTMLElement;
  table: LongTable;
}

function partOf<R>(context: Context, kind: Kind<R>): { part: Omit<Part, 'rows'>; take: (found: ComparePage) => number } {
  let rows: readonly R[] = [];
  const options: TableOptions<R, string> = {
    counted: 'rows',
    many: say('name-rows'),
    id: kind.id,
    columns: kind.columns,
    sorting: { key: kind.sort, descending: true },
    filter: say('filter-name'),
    filters_many: true,
    page: async (query) => pageOf(rows, kind.columns, query),
    ...(kind.go ? { go: (row: R) => kind.go?.(context, row) } : {}),
  };
  const table = longTable<R, string>(context, options);
  return {
    part: { id: kind.id, title: say(kind.title), about: say(kind.about), element: table.element, table },
    take: (found) => {
      rows = kind.rows(found);
      table.refresh(true);
      return rows.length;
    },
  };
}

export function tablesPart(context: Context): Tables {
  const made = [
    partOf(context, OP_TYPES),
    partOf(context, ALONE),
    partOf(context, LINKS),
    partOf(context, DEVICES),
    partOf(context, MEMORY),
    partOf(context, STEPS),
  ];
  const about = el('p', { class: 'note' });
  const place = el('div', { class: 'cmp-table' });
  let chosen = OP_TYPES.id;
  const counts = made.map(() => el('span', { class: 'tab-count' }));
  const choices = made.map(({ part }, at) =>
    el('button', { class: 'chip', type: 'button', 'data-table': part.id, onclick: () => choose(part.id) }, part.title, counts[at]),
  );
  const choose = (id: string) => {
    chosen = id;
    for (const [at, { part }] of made.entries()) {
      choices[at]?.setAttribute('aria-pressed', String(part.id === id));
      if (part.id !== id) continue;
      setText(about, part.about);
      if (place.firstChild !== part.element) fill(place, part.element);
    }
  };
  const show = (found: ComparePage) => {
    for (const [at, { take }] of made.entries()) {
      const rows = take(found);
      const [choice, count] = [choices[at], counts[at]];
      if (choice) choice.hidden = rows === 0;
      if (count) setText(count, formatCount(rows));
    }
    const is_there = choices.some((choice) => choice.dataset['table'] === chosen && !choice.hidden);
    const first = choices.find((choice) => !choice.hidden)?.dataset['table'];
    choose(is_there ? chosen : (first ?? chosen));
  };
  const element = el(
    'div',
    { class: 'cmp-tables' },
    el('div', { class: 'cmp-choices', role: 'group', 'aria-label': say('cmp-tables') }, ...choices),
    about,
    place,
  );
  return { element, show };
}
