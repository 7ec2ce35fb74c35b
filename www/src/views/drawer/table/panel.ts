// The drawer's tab that says in rows what the canvas shows in marks: the ops of the range, or else of the view.
import { say } from '../../../base/messages';
import { ns } from '../../../base/time';
import type { OpRow, OpSort, RangeQuery } from '../../../engine/protocol';
import { Changed } from '../../../state/frame';
import { onSettled } from '../../../state/shown/history';
import { OP_NOT_SHOWN, selectOp } from '../../../state/shown/select';
import type { State } from '../../../state/state';
import { scopeQuery } from '../../../state/scope';
import { longTable } from '../../table/long_table';
import { opColumns } from '../../table/op_columns';
import { attempt } from '../../../state/failures';
import { isShown, type MakePanel } from '../tab_panel';

export const panel: MakePanel = (context, tab) => {
  const { state, frame, engine } = context;
  let range: RangeQuery | null = null;
  /** Why the filter cannot be searched for. */
  let problem: string | null = null;
  /** The window that going to one of the rows has led to: the rows stay, so that one can go on to the next. */
  let led_to: unknown = null;
  const table = longTable<OpRow, OpSort>(context, {
    counted: 'ops',
    many: say('name-ops'),
    id: 'row',
    columns: opColumns(context),
    sorting: { key: 'start_ns', descending: false },
    filter: say('filter-ops'),
    page: async ({ filter, sort, descending, offset, limit }) => {
      if (!range) return { total: 0, rows: [] };
      const page = await engine.ask('opsIn', {
        range,
        matching: false,
        filter,
        lengths: null,
        sort: sort ?? 'start_ns',
        descending,
        offset,
        limit,
      });
      problem = page.problem;
      return page;
    },
    go: (row) =>
      attempt(
        context,
        OP_NOT_SHOWN,
        selectOp(context, row.op, 'show', 'stay').then(() => {
          led_to = state.window;
        }),
      ),
    isChosen: (row) => row.op === state.selection?.op,
    placeOf: (op) => engine.ask('placeInOps', op),
    said: (total) => problem ?? say(state.range ? 'ops-in-range' : 'ops-in-view', { count: total }),
  });
  const shown = () => isShown(state, tab);
  const follow = () => {
    if (!shown()) return;
    const wanted = visible(state);
    if (range && sameAs(range, wanted)) return;
    range = wanted;
    table.refresh();
  };
  // While the view moves, the rows wait: they would be gone before one could read them.
  onSettled(context, () => {
    if (state.window !== led_to) follow();
  });
  frame.onDom([Changed.trace, Changed.scope, Changed.drawer, Changed.layout, Changed.selection], (changed) => {
    if (changed.has(Changed.trace)) range = null;
    if (changed.hasAny(Changed.trace, Changed.scope, Changed.drawer)) follow();
    if (shown()) table.mark();
  });
  return table.element;
};

/** Of the range the lanes that were selected; of the view those of the devices that are not hidden. */
function visible(state: State): RangeQuery {
  if (state.range) return scopeQuery(state, null);
  const { start, end } = state.window;
  return { start_ns: ns(Math.floor(start)), end_ns: ns(Math.ceil(end)), device: null, lanes: shownLanes(state) };
}

/** Null where every device is shown. */
function shownLanes({ trace, layout }: State): Uint32Array | null {
  const bands = layout.by_device.flatMap((band) => (band ? [band] : []));
  if (bands.length === trace?.summary.devices.length) return null;
  return Uint32Array.from(
    [...new Set(bands)].flatMap(({ first_lane, lanes }) => Array.from({ length: lanes }, (_, lane) => first_lane + lane)),
  );
}

const sameAs = (a: RangeQuery, b: RangeQuery): boolean =>
  a.start_ns === b.start_ns && a.end_ns === b.end_ns && String(a.lanes) === String(b.lanes);
