// At the top: what the step is about as one large sentence, and next to it the finding that saves most: how much, what to do, and its replay.
import { el, fill, setText } from '../../base/dom';
import { unbroken } from '../../base/format';
import { say } from '../../base/messages';
import type { ClockNote, FindingList, FindingRow } from '../../engine/protocol';
import { Changed } from '../../state/frame';
import { answerTo, figuresOf, request } from '../../state/figures';
import { FINDINGS } from '../../state/shown/findings';
import { arePathsQuick } from '../../state/shown/path';
import { chooseTab } from '../../state/shown/tab';
import { showVerdictPart } from '../../state/shown/verdict_part';
import { whatIf } from '../../state/shown/what_if';
import type { Context, State } from '../../state/state';
import { helpClocks, helpWords } from '../shared/clock_note';
import { aboutVerdict, firstSentence, savingWords } from '../shared/finding_words';
import { goToOp } from '../shared/parts';

export function findingsRow(context: Context): HTMLElement {
  const { state, frame } = context;
  const verdict = el('p', { class: 'verdict' });
  const more = el('p', { class: 'verdict-more' });
  const said = el('div', { class: 'verdict-said' }, verdict, more);
  const list = el('ul', { class: 'highlights', 'aria-label': say('findings-label') });
  const ask = el('button', { class: 'button outlined', type: 'button', onclick: () => request(context, FINDINGS) }, say('findings-ask'));
  const try_it = el('button', { class: 'button outlined try-it', type: 'button', hidden: true, title: say('try-it-about') }, say('try-it'));
  const all = el('button', {
    class: 'button outlined findings-open',
    type: 'button',
    title: say('findings-open-about'),
    onclick: () => chooseTab(context, 'findings'),
  });
  const row = el('div', { class: 'verdict-row' }, said, list, el('div', { class: 'verdict-tools' }, ask, try_it, all));
  let change: string | null = null;
  try_it.addEventListener('click', () => {
    if (change !== null) whatIf(context, change);
  });
  new ResizeObserver(() => fitVerdict(row, said)).observe(row);
  let shown: readonly FindingRow[] | null = null;
  let clocks_shown: ClockNote | undefined;
  let noted = '';
  let about_shown = '';
  frame.onDom([Changed.trace, Changed.totals, 'findings'], () => {
    // With the totals the data flow has been followed, and the first frame is long there.
    if (state.trace && (state.trace.summary.transfers ?? null) !== null && arePathsQuick(state)) request(context, FINDINGS);
    const answer = answerTo(state, FINDINGS);
    const found = answer?.findings ?? null;
    if (answer) showVerdictPart(context, answer.verdict_figures);
    // That the clocks differ is known before anything else is.
    const clocks = state.trace?.summary.clocks;
    const is_asked = figuresOf(state, FINDINGS) !== null;
    // Of a large trace, somebody has to want them.
    ask.hidden = found !== null || arePathsQuick(state) || is_asked;
    const rows = (found ?? []).filter(({ rule }) => !(clocks && rule === 'skewed-clocks'));
    // The first one stands next to it, unless clocks come before it.
    all.hidden = rows.length < (clocks ? 1 : 2);
    setText(all, say('findings-all', { count: rows.length }));
    const note = ask.hidden ? noteOf(answer, state.answers.findings?.has_failed === true) : largeNote(state);
    const about = answer ? aboutVerdict(answer) : is_asked && note === '' ? say('findings-wait') : '';
    if (shown === found && clocks === clocks_shown && note === noted && about === about_shown) return;
    [shown, clocks_shown, noted, about_shown] = [found, clocks, note, about];
    const first = clocks ? undefined : rows[0];
    change = first?.change ?? null;
    try_it.hidden = change === null;
    setText(verdict, unbroken(answer?.verdict_main ?? ''));
    setText(more, unbroken(about));
    said.title = more.textContent;
    fitVerdict(row, said);
    fill(
      list,
      clocks
        ? el('li', {}, clocksDiffer(context, clocks))
        : first
          ? el('li', {}, itemOf(context, first))
          : note !== '' && el('li', { class: 'note', title: note }, note),
    );
  });
  return row;
}

/** From the largest to what has as many lines as it takes; `alone` is large, without the line about it. */
const SIZES = ['', 'long', 'alone', 'longer', 'longest'] as const;

/** The sentence is as large as it can be as a whole: it takes more of the row, then the line about it, then smaller letters, then another line. */
function fitVerdict(row: HTMLElement, said: HTMLElement): void {
  for (const size of SIZES) {
    row.dataset['size'] = size;
    if (said.scrollHeight <= said.clientHeight + 1) return;
  }
}

/** What stands where no finding does: the row is always there, so that nothing below it moves when findings arrive. */
function noteOf(answer: FindingList | null, has_failed: boolean): string {
  if (has_failed) return say('findings-failed');
  return answer?.findings.length === 0 ? answer.sentence : '';
}

/** Why a large trace has a button in place of a finding. */
const largeNote = ({ trace }: State): string => (trace ? say('findings-large', { ops: say('ops', { count: trace.summary.ops }) }) : '');

/** Said first: what compares tasks is withheld until the clocks are aligned, which a click does. */
const clocksDiffer = (context: Context, note: ClockNote): HTMLElement =>
  el(
    'button',
    {
      class: 'highlight highlight-clocks',
      type: 'button',
      title: [say('clock-note-first', { said: note.sentence }), note.withheld, helpWords(note)].join('\n'),
      onclick: () => helpClocks(context, note),
    },
    el('span', { class: 'highlight-lines' }, el('strong', {}, note.sentence), ' ', el('span', { class: 'remedy' }, helpWords(note))),
  );

function itemOf(context: Context, finding: FindingRow): HTMLElement {
  return el(
    'button',
    {
      class: `highlight highlight-${finding.rule}`,
      type: 'button',
      title: [finding.sentence, finding.advice, say('finding-show')].join('\n'),
      onclick: () => showFinding(context, finding),
    },
    el(
      'span',
      { class: 'highlight-lines' },
      finding.saving_ns === null ? null : el('strong', {}, `${savingWords(finding)} `),
      `${unbroken(firstSentence(finding.what))} `,
      el('span', { class: 'remedy' }, finding.advice),
    ),
  );
}

/** Shows the first op of the evidence; a finding without any is shown in its tab. */
export function showFinding(context: Context, { where, rule }: FindingRow): void {
  const first = where[0];
  if (rule === 'skewed-clocks') chooseTab(context, 'clocks');
  else if (first) goToOp(context, first.op_row);
  else chooseTab(context, 'findings');
}
