// Search: what matches is lit in the timeline and counted; Enter walks from match to match.
import { plural } from '../base/format';
import type { SearchResult } from '../engine/protocol';
import { Changed } from './frame';
import { noteView } from './history';
import { latest } from './latest';
import { refreshMarks } from './marks';
import { selectOp } from './select';
import { announce, type Context } from './state';

const requests = new WeakMap<Context, (query: string) => void>();

export function setSearch(context: Context, query: string): void {
  const { state, frame } = context;
  if (query === state.search.query) return;
  state.search = { query, result: query === '' ? null : state.search.result, position: -1 };
  frame.invalidate(Changed.search);
  let request = requests.get(context);
  if (!request) {
    request = latest(
      (text: string) => context.engine.search({ text, regex: false }),
      (result: SearchResult) => take(context, result),
    );
    requests.set(context, request);
  }
  request(query);
  noteView(context);
}

function take(context: Context, result: SearchResult): void {
  const { state } = context;
  if (result.query !== state.search.query) return;
  state.search.result = result.query === '' ? null : result;
  const text =
    result.query === '' ? 'Search cleared' : `${plural(result.count, 'match', 'matches')} for ${result.query}`;
  announce(context, text, Changed.search | Changed.notice);
  refreshMarks(context);
}

/** On to the next match (+1) or back to the one before (-1), round and round. */
export async function walkMatches(context: Context, step: 1 | -1): Promise<void> {
  const { search } = context.state;
  const ops = search.result?.ops;
  if (!ops || ops.length === 0) return;
  const from = search.position < 0 && step < 0 ? 0 : search.position;
  await goToMatch(context, (from + step + ops.length) % ops.length);
}

/** Selects match number `index`; walking goes on from there. */
export async function goToMatch(context: Context, index: number): Promise<void> {
  const { search } = context.state;
  const op = search.result?.ops[index];
  if (op === undefined) return;
  search.position = index;
  context.frame.invalidate(Changed.search);
  await selectOp(context, op, 'show');
}
