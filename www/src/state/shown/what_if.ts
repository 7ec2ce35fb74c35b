// What a replay of the step has different, and how long the step would take then. Changes are texts, as the program's options are written.
import { say } from '../../base/messages';
import { attempt, reportFailure } from '../failures';
import { figuresOf, ofShown, type Question } from '../figures';
import { cause, Changed } from '../frame';
import { announce, type Context } from '../state';
import type { Savings } from '../types';
import { noteView } from './history';
import { chooseTab } from './tab';

/** What a replay has different, and rows of the table of what would help. */
export const WHAT_IF_CHANGED = cause('what_if');

/** Steps back that are kept. */
const MOST_BEFORE = 100;
/** Rows of the table that the first question asks for; each of the others asks for one, so that other questions are answered in between. */
const FIRST_ROWS = 5;
/** After this long the user has to ask for more of them. */
const LONG_MS = 4000;

const NOT_REPLAYED = say('if-not-replayed');
const NO_TABLE = say('if-no-table');

/** Asked once for what is shown; other changes are asked for by `askNow`, and the answer before stays until theirs is there. */
export const WHAT_IF: Question<'whatIf'> = {
  verb: 'whatIf',
  of: ofShown,
  parameters: ({ changes }) => [changes],
  outcome: NOT_REPLAYED,
};

/** Makes these changes, and lets the user take that back. */
export function setChanges(context: Context, changes: readonly string[]): void {
  const { state } = context;
  state.changes_before = [...state.changes_before, state.changes].slice(-MOST_BEFORE);
  slideTo(context, changes);
}

/** The same while a slider moves: what was before it moved is what is gone back to. */
export function slideTo(context: Context, changes: readonly string[]): void {
  context.state.changes = changes;
  context.frame.invalidate(WHAT_IF_CHANGED);
  askNow(context);
  noteView(context);
}

export function addChange(context: Context, change: string): void {
  const { changes } = context.state;
  if (changes.includes(change)) return;
  setChanges(context, [...changes, change]);
}

/** Adds a change from elsewhere, and shows what it does. */
export function whatIf(context: Context, change: string): void {
  addChange(context, change);
  chooseTab(context, 'what_if');
}

export function undoChange(context: Context): void {
  const { state } = context;
  const before = state.changes_before.at(-1);
  if (!before) return;
  state.changes_before = state.changes_before.slice(0, -1);
  slideTo(context, before);
  announce(context, say('if-undone', { changes: say('if-changes', { count: before.length }) }), Changed.notice);
}

/** Of many questions in a row, as a slider moves, only the newest is asked. */
function askNow(context: Context): void {
  const { state, engine, frame } = context;
  const { trace } = state;
  if (!figuresOf(state, WHAT_IF)) return;
  const asked = async () => {
    if (state.trace !== trace) return;
    const answer = await engine.ask('whatIf', state.changes);
    const figures = figuresOf(state, WHAT_IF);
    if (state.trace !== trace || !figures) return;
    figures.answer = answer;
    figures.has_failed = false;
    frame.answered('whatIf');
  };
  state.queues.what_if.add(asked, (thrown) => {
    const figures = figuresOf(state, WHAT_IF);
    const has_failed = reportFailure(context, NOT_REPLAYED, thrown);
    if (figures) figures.has_failed = has_failed;
    frame.answered('whatIf');
  });
}

/** Asks for the table of what would help, unless that was asked for. */
export function requestSavings(context: Context): Savings | null {
  const { state } = context;
  const { trace } = state;
  if (!trace) return null;
  if (state.savings?.of === trace) return state.savings;
  state.savings = { of: trace, rows: [], total: null, stopped: null };
  attempt(context, NO_TABLE, goOn(context));
  return state.savings;
}

/** Asks for the rest of it. */
export function moreSavings(context: Context): void {
  const { state, frame } = context;
  if (!state.savings?.stopped) return;
  state.savings = { ...state.savings, stopped: null };
  frame.invalidate(WHAT_IF_CHANGED);
  attempt(context, NO_TABLE, goOn(context));
}

async function goOn(context: Context): Promise<void> {
  const { state, engine, frame } = context;
  const begun = performance.now();
  const of = state.savings?.of;
  try {
    for (;;) {
      const { savings } = state;
      if (!savings || savings.of !== of) return;
      const first = savings.rows.length;
      if (savings.total !== null && first >= savings.total) return;
      const { rows, total } = await engine.ask('whatIfRows', first, first + (first === 0 ? FIRST_ROWS : 1));
      // Another step may be shown by now.
      if (state.savings !== savings) return;
      const is_slow = performance.now() - begun > LONG_MS && first + rows.length < total;
      state.savings = { ...savings, rows: [...savings.rows, ...rows], total, stopped: is_slow ? 'slow' : null };
      frame.invalidate(WHAT_IF_CHANGED);
      if (is_slow || rows.length === 0) return;
    }
  } catch (thrown) {
    const { savings } = state;
    const has_failed = reportFailure(context, NO_TABLE, thrown);
    if (!savings || savings.of !== of) return;
    // What was superseded is asked again, should it be shown again.
    state.savings = has_failed ? { ...savings, stopped: 'failed' } : null;
    if (!has_failed) return;
    frame.invalidate(WHAT_IF_CHANGED);
  }
}
