// The drawer's tab of search results: every op that matches, at first in the order in which Enter walks through them, and how long they are.
import { say } from '../../../base/messages';
import type { LengthBin, OpRow, OpSort, SearchResult } from '../../../engine/protocol';
import { Changed } from '../../../state/frame';
import { goToMatch } from '../../../state/shown/search';
import { OP_NOT_SHOWN } from '../../../state/shown/select';
import { wholeQuery } from '../../../state/scope';
import { longTable } from '../../table/long_table';
import { opColumns } from '../../table/op_columns';
import { goToOp } from '../../shared/parts';
import { attempt, reportFailure } from '../../../state/failures';
import { histogram, type Lengths } from './histogram';
import { isShown, type MakePanel } from '../tab_panel';

export const panel: MakePanel = (context, tab) => {
  const { state, frame, engine } = context;
  let shown: SearchResult | null = null;
  let bins: readonly LengthBin[] = [];
  let lengths: Lengths = null;
  let problem: string | null = null;
  const bars = histogram((chosen) => {
    lengths = chosen;
    bars.show(bins, lengths);
    table.refresh();
  });
  const table = longTable<OpRow, OpSort>(context, {
    counted: 'matches',
    many: say('name-matches'),
    id: 'match',
    columns: opColumns(context),
    sorting: { key: 'start_ns', descending: false },
    filter: say('filter-ops'),
    above: bars.element,
    page: async ({ filter, sort, descending, offset, limit }) => {
      if (!shown) return { total: 0, rows: [] };
      const page = await engine.ask('opsIn', {
        range: wholeQuery(state),
        matching: true,
        filter,
        lengths,
        sort: sort ?? 'start_ns',
        descending,
        offset,
        limit,
      });
      problem = page.problem;
      return page;
    },
    go: (row) => {
      const index = shown?.ops.indexOf(row.op) ?? -1;
      if (index < 0) goToOp(context, row.op);
      else attempt(context, OP_NOT_SHOWN, goToMatch(context, index));
    },
    isChosen: (row) => row.op === state.selection?.op,
    placeOf: (op) => engine.ask('placeInOps', op),
    said: (total) => {
      if (!shown) return say('search-first');
      const { count, query } = shown;
      return (
        problem ??
        (total < count ? say('ops-match-of', { count: total, all: say('ops', { count }), query }) : say('ops-match', { count, query }))
      );
    },
  });
  const requestLengths = (of: SearchResult | null) => {
    bins = [];
    lengths = null;
    bars.show(bins, lengths);
    if (!of || of.count === 0) return;
    const asked = async () => {
      const answer = await engine.ask('lengths');
      if (shown !== of) return;
      bins = answer;
      bars.show(bins, lengths);
    };
    state.queues.lengths.add(asked, (thrown) => reportFailure(context, say('lengths-not-counted'), thrown));
  };
  frame.onDom([Changed.trace, Changed.search, Changed.drawer, Changed.selection], () => {
    if (!isShown(state, tab)) return;
    const { result } = state.search;
    if (result === shown) table.mark();
    else {
      shown = result;
      requestLengths(result);
      table.refresh();
    }
  });
  return table.element;
};
