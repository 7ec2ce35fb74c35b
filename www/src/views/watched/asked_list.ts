// What was asked, the newest first, and what became of it in each process.
import { clauses, listed } from '../../base/joined';
import { say } from '../../base/messages';
import { el, setText } from '../../base/dom';
import type { AnswerRow, AskedRow } from '../../engine/protocol';
import type { Context } from '../../state/state';
import { KeptRows } from './rows';
import { WATCHED_CHANGED } from '../../state/watched/below';

const MOST = 5;

const ASKED = {
  now: ({ count }: AskedRow) => say('asked-now', { count }),
  every: ({ n, count }: AskedRow) =>
    count === 0 ? say('asked-every', { n: String(n) }) : say('asked-every-count', { n: String(n), count }),
  multiple: ({ n, count }: AskedRow) => say('asked-multiple', { n: String(n), count }),
  stop: () => say('asked-stop'),
} as const;

const STATES = {
  seen: say('answer-seen'),
  tracing: say('answer-tracing'),
  done: say('answer-done'),
  stopped: say('answer-stopped'),
  expired: say('answer-expired'),
} as const;

const known = <T extends object>(words: T, word: string): word is Extract<keyof T, string> => Object.hasOwn(words, word);

export function askedList({ state, frame }: Context): HTMLElement {
  const list = el('ul', { class: 'watch-asked', 'aria-label': say('asked-title') });
  const rows = new KeptRows<AskedRow>(list, () => {
    const element = el('li', {});
    return { element, paint: (row) => setText(element, lineOf(row)) };
  });
  frame.onDom([WATCHED_CHANGED], () => {
    const asked = [...(state.watching?.said?.requests ?? [])].reverse().slice(0, MOST);
    list.hidden = asked.length === 0;
    rows.paint(asked.map((row) => [row.id, row]));
  });
  return list;
}

function lineOf(row: AskedRow): string {
  const what = known(ASKED, row.kind) ? ASKED[row.kind](row) : row.kind;
  const whom = row.processes === null ? '' : listed(row.processes);
  const answers = row.answers.length > 0 ? clauses(row.answers.map(answerWords)) : say('answer-none');
  return say('asked-line', { what: clauses([what, whom]), answers });
}

function answerWords({ process, state, runs, reason }: AnswerRow): string {
  if (state === 'refused') return say('answer-of', { process, answer: say('answer-refused', { why: reason ?? '' }) });
  const word = known(STATES, state) ? STATES[state] : state;
  const answer = runs.length > 0 ? say('answer-with-runs', { answer: word, runs: listed(runs.map(String)) }) : word;
  return say('answer-of', { process, answer });
}
