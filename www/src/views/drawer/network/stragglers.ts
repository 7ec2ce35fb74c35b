// Which task finished last, by how much, and the root cause on the path to its end.
import { clauses, pieces } from '../../../base/joined';
import { say } from '../../../base/messages';
import { el, fill, type Child } from '../../../base/dom';
import { formatCount } from '../../../base/format';
import { endLabel, kernelLabel } from '../../../base/names';
import { formatDuration } from '../../../base/time';
import type { Cause, OpRef, Straggler, Stragglers } from '../../../engine/protocol';
import { Changed } from '../../../state/frame';
import { showWhy } from '../../../state/shown/why';
import type { Context } from '../../../state/state';
import { titled } from '../../keys/bindings';
import { type Column, durationColumn, numberColumn, pageOf } from '../../table/columns';
import { longTable } from '../../table/long_table';
import { goToOp, nameCell } from '../../shared/parts';
import type { Section } from './section';

/** More than one row for each job of one step is a table. */
const FEW = 3;

const CHAIN: readonly [keyof Straggler['chain'], string, string][] = [
  ['before_ns', say('chain-before'), say('chain-before-about')],
  ['running_ns', say('chain-running'), say('chain-running-about')],
  ['waiting_ns', say('chain-waiting'), say('chain-waiting-about')],
  ['queued_ns', say('chain-queued'), say('chain-queued-about')],
  ['wire_ns', say('chain-wire'), say('chain-wire-about')],
];

export function stragglersSection(context: Context): Section {
  const { frame } = context;
  let rows: Straggler[] = [];
  let all: Stragglers | null = null;
  const few = el('div', { class: 'stragglers' });
  const table = longTable<Straggler, string>(context, {
    counted: 'steps',
    many: say('name-steps'),
    id: 'straggler',
    columns: COLUMNS,
    sorting: null,
    filter: say('filter-task-or-cause'),
    page: async (query) => pageOf(rows, COLUMNS, query),
    go: (row) => goToOp(context, row.cause?.op.op ?? row.ended[0]?.op ?? 0),
    isChosen: (row) => row.cause?.op.op === context.state.selection?.op,
    said: () => (all ? oftenest(all) : ''),
  });
  frame.onDom([Changed.selection], () => table.mark());
  const element = el('div', { class: 'network-tables' }, few, table.element);
  return {
    id: 'stragglers',
    title: say('stragglers-title'),
    said: ({ stragglers }) => {
      const [first] = stragglers.rows;
      if (!first) return '';
      if (stragglers.rows.length > FEW) return oftenest(stragglers);
      const who = clauses([endLabel(first.task), after(first)]);
      return first.cause ? say('label-of', { what: who, label: KINDS[first.cause.kind] }) : who;
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
  clauses(
    often
      .slice(0, 3)
      .map(([task, times]) => say('straggler-times', { task: endLabel(task), times: formatCount(times), all: formatCount(total) })),
  );

const after = ({ after_next_ns, ended }: Straggler): string => {
  const next = ended[1];
  return next ? say('straggler-after', { length: formatDuration(after_next_ns), task: endLabel(next.task) }) : '';
};

function who(row: Straggler): Child[] {
  const task = el('strong', {}, endLabel(row.task));
  if (row.ended.length < 2) return pieces('straggler-alone', { task });
  if (row.tasks <= 2) return pieces('straggler-last', { task, after: after(row) });
  return pieces('straggler-last-of-many', { task, after: after(row), behind: formatDuration(row.behind_ns) });
}

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
    el('p', { class: 'straggler-who' }, ...who(row)),
    row.cause && el('p', { class: 'straggler-why' }, ...reason(context, row.cause), ' ', whyLink(context, row.cause)),
    el('p', { class: 'straggler-chain' }, say('straggler-path', { ops: say('ops', { count: row.chain.ops }) })),
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
      el('th', { scope: 'row' }, link(context, op, endLabel(task), say('last-op-of', { task }))),
      el('td', { class: 'straggler-bar' }, bar(ended_ns / span_ns)),
      el('td', { class: 'numeric' }, formatDuration(ended_ns)),
      el(
        'td',
        { class: 'numeric' },
        last && ended_ns < last.ended_ns ? `−${formatDuration(last.ended_ns - ended_ns)}` : say('straggler-last-short'),
      ),
    ),
  );
  const head = el(
    'tr',
    {},
    el('th', { scope: 'col', colspan: 2 }, say('column-task')),
    el('th', { scope: 'col', class: 'numeric', title: say('finished-about') }, say('column-finished')),
    el('th', { scope: 'col', class: 'numeric', title: say('earlier-by-about') }, say('column-earlier-by')),
  );
  return el(
    'div',
    { class: 'straggler-row' },
    sentences,
    el('table', { class: 'plain-table' }, el('thead', {}, head), el('tbody', {}, ...ends)),
  );
}

const KINDS: Record<Cause['kind'], string> = {
  'ran-late': say('cause-started-late'),
  'took-long': say('cause-took-long'),
  'input-late': say('cause-input-late'),
  'started-late': say('cause-scheduled-late'),
};

const late = ({ own_ns, usual_ns }: Cause): string => formatDuration(own_ns - (usual_ns ?? 0));

/** To the op's details, where it says what the op waited for and what ran instead. */
const whyLink = (context: Context, { op }: Cause): HTMLElement =>
  el(
    'button',
    {
      class: 'chip',
      type: 'button',
      title: titled(say('why-link-about', { name: op.name }), 'why'),
      onclick: () => showWhy(context, op.op),
    },
    say('block-why'),
  );

/** What held the task up, with links to the ops. */
function reason(context: Context, cause: Cause): Child[] {
  const to = (ref: OpRef) => link(context, ref.op, kernelLabel(ref.name), ref.name);
  const op = to(cause.op);
  const length = formatDuration(cause.own_ns);
  const usual = cause.usual_ns === null ? null : formatDuration(cause.usual_ns);
  switch (cause.kind) {
    case 'ran-late':
      return usual === null ? pieces('cause-is-start', { op, length }) : pieces('cause-is-start-with-peers', { op, length, usual });
    case 'took-long':
      return usual === null ? pieces('cause-is-length', { op, length }) : pieces('cause-is-length-with-peers', { op, length, usual });
    case 'input-late': {
      const input = cause.input ? to(cause.input) : '';
      const known = { input, op, late: late(cause) };
      return cause.source === null
        ? pieces('cause-is-input', known)
        : pieces('cause-is-input-from', { ...known, task: endLabel(taskOf(cause.source)) });
    }
    default:
      return pieces('cause-is-scheduling', { op, late: late(cause) });
  }
}

const taskOf = (device: string): string => device.replace(/\/device:[^/]*$/, '');

const link = (context: Context, op: number, name: string, title = name): HTMLElement =>
  el('button', { class: 'op-link', type: 'button', title, onclick: () => goToOp(context, op) }, name);

const COLUMNS: readonly Column<Straggler, string>[] = [
  { ...numberColumn<Straggler, string>('step', say('step-title'), (row) => row.step, say('as-in-steps')), width: 60 },
  {
    key: 'task',
    title: say('column-finished-last'),
    width: 110,
    value: (row) => row.task,
    cell: (row) => nameCell(endLabel(row.task)),
    whole: (row) => row.task,
  },
  durationColumn('after_next_ns', say('column-after-next'), (row) => row.after_next_ns, say('after-next-about')),
  durationColumn('behind_ns', say('column-behind'), (row) => row.behind_ns, say('behind-about')),
  {
    key: 'cause',
    title: say('column-root-cause'),
    width: 150,
    value: (row) => row.cause?.kind ?? null,
    cell: (row) => row.cause && KINDS[row.cause.kind],
  },
  { key: 'op', title: say('column-op'), width: 260, value: (row) => row.cause?.op.name ?? null, whole: (row) => row.cause?.op.name ?? '' },
  durationColumn('own_ns', say('column-own'), (row) => row.cause?.own_ns ?? null, say('own-about')),
  durationColumn('usual_ns', say('column-peers'), (row) => row.cause?.usual_ns ?? null, say('peers-about')),
];
