// Search: what matches is lit in the timeline and counted; Enter walks from match to match.
import { say } from '../../base/messages';
import { typedPlace } from '../../base/typed_place';
import type { SearchQuery, SearchResult } from '../../engine/protocol';
import { attempt, reportFailure } from '../failures';
import { Changed } from '../frame';
import { noteView } from './history';
import { refreshMarks } from './marks';
import { chooseTab } from './tab';
import { OP_NOT_SHOWN, selectOp } from './select';
import { lengthOfStep } from '../scope';
import { announce, type Context, type State } from '../state';

/** What is searched for: nothing while a place in time is typed, which no op is dimmed for. */
const soughtIn = (state: State, text: string): string => (typedPlace(text, lengthOfStep(state)) === null ? text : '');

/** Searches for `text`. While it is being typed the figures of the text before stay, and only the newest is asked for. */
export function setSearch(context: Context, { text, regex }: SearchQuery): void {
  const { state, frame, engine } = context;
  if (text === state.search.query && regex === state.search.regex) return;
  const sought = soughtIn(state, text);
  const result = sought === '' ? null : state.search.result;
  state.search = { query: text, regex, result, problem: null, position: -1, pending: null };
  frame.invalidate(Changed.search);
  state.queues.search.add(
    async () => take(context, await engine.ask('search', { text: sought, regex })),
    (thrown) => reportFailure(context, say('not-searched'), thrown),
  );
  noteView(context);
}

function take(context: Context, result: SearchResult): void {
  const { search } = context.state;
  if (!answers(context.state, result)) return;
  search.result = result.query === '' || result.problem !== null ? null : result;
  search.problem = result.problem;
  // A place in time is said where it is typed.
  if (search.query !== '' && result.query === '') context.frame.invalidate(Changed.search);
  else announce(context, spoken(result), Changed.search, Changed.notice);
  refreshMarks(context);
  const { pending } = search;
  search.pending = null;
  if (pending !== null) attempt(context, OP_NOT_SHOWN, walkMatches(context, pending));
}

const answers = (state: State, result: SearchResult): boolean =>
  result.query === soughtIn(state, state.search.query) && result.regex === state.search.regex;

function spoken({ query, count, problem }: SearchResult): string {
  if (query === '') return say('search-cleared');
  return problem ?? say('matches-for', { matches: say('matches', { count }), query });
}

/** What finds the ops of one type, and no others. */
export const typeSearch = (op_type: string): string => `type=${op_type}`;

/** Lists the ops of a type, which are lit then, with how long they are. */
export function listType(context: Context, op_type: string): void {
  setSearch(context, { text: typeSearch(op_type), regex: false });
  chooseTab(context, 'matches');
}

/** On to the next match (+1) or back to the one before (-1), round and round. */
export async function walkMatches(context: Context, step: 1 | -1): Promise<void> {
  const { search } = context.state;
  if (search.problem !== null) return;
  // Fast fingers press Enter before the matches of what they typed are known.
  if (search.query !== '' && !(search.result && answers(context.state, search.result))) {
    search.pending = step;
    return;
  }
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
  await selectOp(context, op, 'zoom', context.state.tab === 'matches' ? 'stay' : 'turn');
}
