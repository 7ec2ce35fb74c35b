// The drawer's tab of search results: every op that matches, at first in the order in which Enter walks through them.
import { say } from '../../../base/messages';
import type { OpRow, OpSort, SearchResult } from '../../../engine/protocol';
import { Changed } from '../../../state/frame';
import { goToMatch } from '../../../state/shown/search';
import { OP_NOT_SHOWN } from '../../../state/shown/select';
import type { Context } from '../../../state/state';
import { wholeQuery } from '../../../state/scope';
import { longTable } from '../../table/long_table';
import { opColumns } from '../../table/op_columns';
import { goToOp } from '../../shared/parts';
import { attempt } from '../../../state/failures';

export function matchesPanel(context: Context): HTMLElement {
  const { state, frame, engine } = context;
  let shown: SearchResult | null = null;
  const table = longTable<OpRow, OpSort>(context, {
    counted: 'matches',
    many: say('name-matches'),
    id: 'match',
    columns: opColumns(context),
    sorting: { key: 'start_ns', descending: false },
    page: async ({ sort, descending, offset, limit }) =>
      shown
        ? engine.opsIn({ range: wholeQuery(state), matching: true, sort: sort ?? 'start_ns', descending, offset, limit })
        : { total: 0, rows: [] },
    go: (row) => {
      const index = shown?.ops.indexOf(row.op) ?? -1;
      if (index < 0) goToOp(context, row.op);
      else attempt(context, OP_NOT_SHOWN, goToMatch(context, index));
    },
    isChosen: (row) => row.op === state.selection?.op,
    said: () => (shown ? say('ops-match', { count: shown.count, query: shown.query }) : say('search-first')),
  });
  frame.onDom(Changed.trace | Changed.search | Changed.drawer | Changed.selection, () => {
    if (state.tab !== 'matches' || !state.drawer_open) return;
    const { result } = state.search;
    if (result === shown) table.mark();
    else {
      shown = result;
      table.refresh();
    }
  });
  return table.element;
}
