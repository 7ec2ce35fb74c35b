// The drawer's tab of search results: every op that matches, in order of start.
import { formatCount, plural } from '../base/format';
import type { OpRow } from '../engine/protocol';
import { Changed } from '../state/frame';
import { goToMatch } from '../state/search';
import type { Context } from '../state/state';
import { longTable } from './long_table';
import { opColumns, type OpKey } from './op_columns';

export function matchesPanel(context: Context): HTMLElement {
  const { state, frame, engine } = context;
  let shown: Uint32Array | null = null;
  const table = longTable<OpRow, OpKey>(context, {
    one: 'match',
    many: 'matches',
    id: 'match',
    columns: opColumns(context, []),
    sorting: null,
    page: async ({ offset, limit }) => {
      const ops = shown ?? new Uint32Array();
      return { total: ops.length, rows: await engine.ops(ops.slice(offset, offset + limit)) };
    },
    go: (_, index) => void goToMatch(context, index),
    isChosen: (row) => row.op === state.selection?.op,
    said: () => said(context),
  });
  frame.onDom(Changed.trace | Changed.search | Changed.drawer | Changed.selection, () => {
    if (state.tab !== 'matches' || !state.drawer_open) return;
    const ops = state.search.result?.ops ?? null;
    if (ops === shown) {
      table.mark();
      return;
    }
    shown = ops;
    table.refresh();
  });
  return table.element;
}

function said({ state }: Context): string {
  const { result } = state.search;
  if (!result) return 'Search to see here what matches';
  const found = `${plural(result.count, 'op matches', 'ops match')} “${result.query}”`;
  return result.ops.length < result.count ? `${found}; these are the first ${formatCount(result.ops.length)}` : found;
}
