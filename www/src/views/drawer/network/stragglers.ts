// Which task ended last, by how much, and the first cause along the chain that led there.
import { el, fill, type Child } from '../../../base/dom';
import { formatCount } from '../../../base/format';
import { endLabel } from '../../../base/names';
import { formatDuration } from '../../../base/time';
import type { Cause, OpRef, Straggler, Stragglers } from '../../../engine/protocol';
import { Changed } from '../../../state/frame';
import type { Context } from '../../../state/state';
import { countColumn, durationColumn, pageOf, type Column } from '../../table/columns';
import { longTable } from '../../table/long_table';
import { goToOp, nameCell } from '../../shared/parts';
import type { Section } from './section';

/** More than one row for each job of one step is a table. */
const FEW = 3;

const CHAIN: readonly [keyof Straggler['chain'], string, string][] = [
  ['before_ns', 'before its first op', 'From the step’s start until the first op of the chain was scheduled'],
  ['running_ns', 'ops ran', 'Ops of the chain ran, on whatever device'],
  ['waiting_ns', 'ops waited to run', 'The last input of an op was there, and yet it did not run'],
  ['queued_ns', 'tensors queued', 'Made and not sent yet'],
  ['wire_ns', 'on the wire', 'Tensors were on their way'],
];

export function stragglersSection(context: Context): Section {
  const { frame } = context;
  let rows: Straggler[] = [];
  let all: Stragglers | null = null;
  const few = el('div', { class: 'stragglers' });
  const table = longTable<Straggler, string>(context, {
    one: 'step',
    many: 'steps',
    id: 'straggler',
    columns: COLUMNS,
    sorting: null,
    filter: 'task or cause',
    page: async (query) => pageOf(rows, COLUMNS, query),
    go: (row) => goToOp(context, row.cause?.op.op ?? row.ended[0]?.op ?? 0),
    isChosen: (row) => row.cause?.op.op === context.state.selection?.op,
    said: () => (all ? oftenest(all) : ''),
  });
  frame.onDom(Changed.selection, () => table.mark());
  const element = el('div', { class: 'network-tables' }, few, table.element);
  return {
    id: 'stragglers',
    title: 'Stragglers',
    said: ({ stragglers }) => {
      const [first] = stragglers.rows;
      if (!first) return '';
      return stragglers.rows.length > FEW
        ? oftenest(stragglers)
        : `${endLabel(first.task)}, ${after(first)}${first.cause ? `: ${KINDS[first.cause.kind]}` : ''}`;
    },
    element,
    show: ({ stragglers }) => {
      all = stragglers;
      rows = stragglers.rows;
      const is_long = rows.length > FEW;
      few.hidden = is_long;
      table.element.hidden = !is_long;
      if (is_long) table.refresh();
      else fill(few, ...rows.map((row) => story(context, row)));
    },
  };
}

const oftenest = ({ often, total }: Stragglers): string =>
  often
    .slice(0, 3)
    .map(([task, times]) => `${endLabel(task)} in ${formatCount(times)} of ${formatCount(total)}`)
    .join(', ');

const after = ({ after_next_ns, ended }: Straggler): string => {
  const next = ended[1];
  return next ? `${formatDuration(after_next_ns)} after ${endLabel(next.task)}` : '';
};

/** One step of one job in whole sentences, and when each of the peers ended. */
function story(context: Context, row: Straggler): HTMLElement {
  const { span_ns } = context.state.trace?.summary ?? { span_ns: 1 };
  const bar = (share: number): HTMLElement => {
    const filled = el('span', { class: 'share-bar' });
    filled.style.width = `${Math.min(1, share) * 100}%`;
    return el('span', { class: 'share-track' }, filled);
  };
  const [last] = row.ended;
  const sentences = el(
    'div',
    { class: 'straggler' },
    el(
      'p',
      { class: 'straggler-who' },
      el('strong', {}, endLabel(row.task)),
      ` ended last, ${after(row)}`,
      row.tasks > 2 && ` and ${formatDuration(row.behind_ns)} after the median of its peers`,
      '.',
    ),
    row.cause && el('p', { class: 'straggler-why' }, 'First cause: ', ...reason(context, row.cause), '.'),
    el('p', { class: 'straggler-chain' }, `The ${formatCount(row.chain.ops)} ops that led to its end`),
    el(
      'dl',
      { class: 'chain' },
      ...CHAIN.filter(([key]) => row.chain[key] > 0).map(([key, name, title]) =>
        el('div', { title }, el('dt', {}, name), el('dd', {}, formatDuration(row.chain[key]))),
      ),
    ),
  );
  const ends = row.ended.map(({ task, ended_ns, op }) =>
    el(
      'tr',
      {},
      el('th', { scope: 'row' }, link(context, op, endLabel(task), `${task}: its last op`)),
      el('td', { class: 'straggler-bar' }, bar(ended_ns / span_ns)),
      el('td', { class: 'numeric' }, formatDuration(ended_ns)),
      el('td', { class: 'numeric' }, last && ended_ns < last.ended_ns ? `−${formatDuration(last.ended_ns - ended_ns)}` : 'last'),
    ),
  );
  const head = el(
    'tr',
    {},
    el('th', { scope: 'col', colspan: 2 }, 'Task'),
    el(
      'th',
      { scope: 'col', class: 'numeric', title: 'The end of its last op, from the start of all that is looked at, on its own clock' },
      'Ended',
    ),
    el('th', { scope: 'col', class: 'numeric', title: 'Before the one that ended last' }, 'Before the last'),
  );
  return el(
    'div',
    { class: 'straggler-row' },
    sentences,
    el('table', { class: 'plain-table' }, el('thead', {}, head), el('tbody', {}, ...ends)),
  );
}

const KINDS: Record<Cause['kind'], string> = {
  'ran-late': 'an op ran late',
  'took-long': 'an op took long',
  'input-late': 'an input came late',
  'started-late': 'it started late',
};

const late = ({ own_ns, usual_ns }: Cause): string => formatDuration(own_ns - (usual_ns ?? 0));
const usual = ({ usual_ns }: Cause): string => (usual_ns === null ? '' : ` (its peers: ${formatDuration(usual_ns)})`);

/** What held the task up, with links to the ops. */
function reason(context: Context, cause: Cause): Child[] {
  const to = (ref: OpRef) => link(context, ref.op, ref.name);
  const op = to(cause.op);
  switch (cause.kind) {
    case 'ran-late':
      return [op, ` ran late. Its inputs were there ${formatDuration(cause.own_ns)} before it ran${usual(cause)}`];
    case 'took-long':
      return [op, ` took ${formatDuration(cause.own_ns)}${usual(cause)}`];
    case 'input-late':
      return [
        'the input ',
        cause.input && to(cause.input),
        cause.source !== null && ` from ${endLabel(taskOf(cause.source))}`,
        ' of ',
        op,
        ` came ${late(cause)} later than at its peers`,
      ];
    default:
      return [op, ` was scheduled ${late(cause)} later than on its peers`];
  }
}

const taskOf = (device: string): string => device.replace(/\/device:[^/]*$/, '');

const link = (context: Context, op: number, name: string, title = name): HTMLElement =>
  el('button', { class: 'op-link', type: 'button', title, onclick: () => goToOp(context, op) }, name);

const COLUMNS: readonly Column<Straggler, string>[] = [
  { ...countColumn<Straggler, string>('step', 'Step', (row) => row.step, 'As in the tab Steps'), width: 60 },
  {
    key: 'task',
    title: 'Ended last',
    width: 110,
    value: (row) => row.task,
    cell: (row) => nameCell(endLabel(row.task)),
    whole: (row) => row.task,
  },
  durationColumn('after_next_ns', 'After the next', (row) => row.after_next_ns, 'How much later than the one before it'),
  durationColumn('behind_ns', 'Behind', (row) => row.behind_ns, 'How much later than the median of its peers'),
  {
    key: 'cause',
    title: 'First cause',
    width: 150,
    value: (row) => row.cause?.kind ?? null,
    cell: (row) => row.cause && KINDS[row.cause.kind],
  },
  { key: 'op', title: 'Op', width: 260, value: (row) => row.cause?.op.name ?? null, whole: (row) => row.cause?.op.name ?? '' },
  durationColumn('own_ns', 'Its own', (row) => row.cause?.own_ns ?? null, 'How long the op waited or ran, or when its input came'),
  durationColumn('usual_ns', 'Its peers', (row) => row.cause?.usual_ns ?? null, 'The median of the same on its peers'),
];
