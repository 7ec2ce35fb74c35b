// The drawer's tab of findings: what is worth changing, by the time that it would save; what to do about each; what could not be judged.
import { say } from '../../../base/messages';
import { el, fill, setText } from '../../../base/dom';
import { formatShare } from '../../../base/format';
import type { FindingList, FindingRow, NotJudged } from '../../../engine/protocol';
import { FINDINGS } from '../../../state/shown/findings';
import { whatIf } from '../../../state/shown/what_if';
import type { Figures } from '../../../state/types';
import type { Context } from '../../../state/state';
import { clockNote } from '../../shared/clock_note';
import { aboutVerdict, firstSentence, savingWords } from '../../shared/finding_words';
import { opLink } from '../../shared/parts';
import { answerPanel } from '../tab_panel';

export const panel = answerPanel({
  ask: FINDINGS,
  failed: say('findings-failed'),
  make: (context, { failed }) => {
    const verdict = el('p', {});
    const sentence = el('p', { class: 'advice-sentence', role: 'status' });
    const list = el('ol', { class: 'advice-list' });
    const not_judged = el('details', { class: 'advice-not-judged' });
    const element = el('div', { class: 'advice' }, clockNote(context), failed, verdict, sentence, list, not_judged);
    let shown: FindingList | null = null;
    const show = ({ answer, parts, has_failed }: Figures<FindingList>) => {
      if (!answer) {
        setText(
          sentence,
          has_failed ? '' : parts ? say('findings-parts', { done: String(parts.done), of: String(parts.of) }) : say('findings-wait'),
        );
        verdict.hidden = list.hidden = not_judged.hidden = true;
        return;
      }
      if (answer === shown) return;
      shown = answer;
      verdict.hidden = false;
      fill(verdict, el('strong', {}, answer.verdict_main), ` ${aboutVerdict(answer)}`);
      list.hidden = answer.findings.length === 0;
      not_judged.hidden = answer.not_judged.length === 0;
      setText(sentence, answer.sentence);
      const most = Math.max(1, ...answer.findings.map(({ share_ppm }) => share_ppm ?? 0));
      fill(list, ...answer.findings.map((finding) => itemOf(context, finding, most)));
      fill(
        not_judged,
        el('summary', {}, say('findings-count-not-judged', { count: answer.not_judged.length })),
        el('ul', {}, ...answer.not_judged.map(notJudgedItem)),
      );
    };
    return { element, show };
  },
});

function itemOf(context: Context, finding: FindingRow, most: number): HTMLElement {
  const saving = savingWords(finding);
  const share = finding.share_ppm ?? 0;
  const first = firstSentence(finding.sentence);
  const bar = el('span', { class: `advice-bar advice-bar-${finding.basis}`, 'aria-hidden': 'true' });
  bar.style.setProperty('--share', String(share / most));
  return el(
    'li',
    { class: 'advice-item', 'data-rule': finding.rule },
    el(
      'div',
      { class: 'advice-figure' },
      el('strong', {}, saving === '' ? '–' : saving),
      finding.share_ppm === null || finding.saving_ns === null ? null : el('span', { class: 'note' }, formatShare(share / 1e6)),
      bar,
    ),
    el(
      'div',
      { class: 'advice-text' },
      el('p', {}, el('strong', {}, first), finding.sentence.slice(first.length)),
      el('p', {}, finding.advice),
      el('div', { class: 'advice-where' }, tryIt(context, finding), ...finding.where.map(evidenceLink(context))),
    ),
  );
}

/** Its replay, where one change stands for it. */
const tryIt = (context: Context, { change }: FindingRow): HTMLElement | null =>
  change === null
    ? null
    : el('button', { class: 'chip', type: 'button', title: say('try-it-about'), onclick: () => whatIf(context, change) }, say('try-it'));

type Evidence = FindingRow['where'][number];

/** An op by its name, and more of that name by their number. */
const evidenceLink =
  (context: Context) =>
  ({ op, op_row, device }: Evidence, at: number, all: readonly Evidence[]): HTMLElement => {
    const before = all.slice(0, at).filter((own) => own.op === op).length;
    return opLink(context, op_row, before === 0 ? op : String(before + 1), say('finding-evidence', { op, device }));
  };

const notJudgedItem = ({ rule, needs_words }: NotJudged): HTMLElement => el('li', {}, el('code', {}, rule), ` ${needs_words}`);
