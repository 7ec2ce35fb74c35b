// Above the timeline: the verdict, and up to two findings: what is worth changing, by the time that it would save. A click on one shows
// its evidence.
import { el, fill } from '../../base/dom';
import { say } from '../../base/messages';
import type { ClockNote, FindingList, FindingRow } from '../../engine/protocol';
import { Changed } from '../../state/frame';
import { answerTo, figuresOf, request } from '../../state/figures';
import { FINDINGS } from '../../state/shown/findings';
import { arePathsQuick } from '../../state/shown/path';
import { chooseTab } from '../../state/shown/tab';
import type { Context } from '../../state/state';
import { helpClocks, helpWords } from '../shared/clock_note';
import { savingWords } from '../shared/finding_words';
import { goToOp } from '../shared/parts';

/** More than these and the verdict would not be read. */
const MOST = 2;

export function findingsRow(context: Context): HTMLElement {
  const { state, frame } = context;
  const list = el('ul', { class: 'highlights', 'aria-label': say('findings-label') });
  const ask = el('button', { class: 'chip', type: 'button', onclick: () => request(context, FINDINGS) }, say('findings-ask'));
  const all = el('button', {
    class: 'chip findings-open',
    type: 'button',
    title: say('findings-open-about'),
    onclick: () => chooseTab(context, 'findings'),
  });
  const row = el(
    'div',
    { class: 'step-row highlights-row' },
    el('div', { class: 'side' }, el('span', { class: 'scope-name' }, say('findings-row-title')), ask, all),
    list,
  );
  let shown: readonly FindingRow[] | null = null;
  let clocks_shown: ClockNote | undefined;
  frame.onDom([Changed.trace | Changed.totals, 'findings'], () => {
    // With the totals the data flow has been followed, and the first frame is long there.
    if (state.trace && (state.trace.summary.transfers ?? null) !== null && arePathsQuick(state)) request(context, FINDINGS);
    const answer = answerTo(state, FINDINGS);
    const found = answer?.findings ?? null;
    // That the clocks differ is known before anything else is.
    const clocks = state.trace?.summary.clocks;
    const is_asked = figuresOf(state, FINDINGS) !== null;
    // Of a large trace, somebody has to want them.
    ask.hidden = found !== null || arePathsQuick(state) || is_asked;
    const rows = (found ?? []).filter(({ rule }) => !(clocks && rule === 'skewed-clocks'));
    all.hidden = rows.length === 0;
    all.textContent = say('findings-all', { count: rows.length });
    if (shown === found && found && clocks === clocks_shown) return;
    [shown, clocks_shown] = [found, clocks];
    const note = noteOf(answer, state.answers.findings?.has_failed === true, is_asked);
    fill(
      list,
      clocks && el('li', {}, clocksDiffer(context, clocks)),
      answer && el('li', { class: 'verdict highlight-text', title: answer.verdict }, answer.verdict),
      ...(clocks || note === '' ? [] : [el('li', { class: 'note highlight-text', title: note }, note)]),
      ...rows.slice(0, clocks ? MOST - 1 : MOST).map((finding) => el('li', {}, itemOf(context, finding))),
    );
  });
  return row;
}

/** What stands where no finding does: the row is always there, so that nothing below it moves when findings arrive. */
function noteOf(answer: FindingList | null, has_failed: boolean, is_asked: boolean): string {
  if (has_failed) return say('findings-failed');
  if (answer === null) return is_asked ? say('findings-wait') : '';
  return answer.findings.length === 0 ? answer.sentence : '';
}

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
    el('span', { class: 'highlight-text' }, el('strong', {}, note.sentence)),
  );

/** One line has room for one sentence: which op it is, and how long it took, are in the title and in the tab. */
const firstSentence = (said: string): string => /^.*?[.。](?=\s|$|(?<=。))/.exec(said)?.[0] ?? said;

function itemOf(context: Context, finding: FindingRow): HTMLElement {
  const saving = savingWords(finding);
  return el(
    'button',
    {
      class: `highlight highlight-${finding.rule}`,
      type: 'button',
      title: [finding.sentence, finding.advice, say('finding-show')].join('\n'),
      onclick: () => showFinding(context, finding),
    },
    el('span', { class: 'highlight-text' }, saving === '' ? null : el('strong', {}, `${saving} `), firstSentence(finding.what)),
  );
}

/** Shows the first op of the evidence; a finding without any is shown in its tab. */
export function showFinding(context: Context, { where, rule }: FindingRow): void {
  const first = where[0];
  if (rule === 'skewed-clocks') chooseTab(context, 'clocks');
  else if (first) goToOp(context, first.op_row);
  else chooseTab(context, 'findings');
}
