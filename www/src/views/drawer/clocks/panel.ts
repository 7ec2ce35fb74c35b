// The drawer's tab of clocks: how far those of the tasks are apart, what they are set by, and what points back in time with it.
import { capital, say } from '../../../base/messages';
import { el, fill, setText } from '../../../base/dom';
import { formatCount } from '../../../base/format';
import { taskLabel } from '../../../base/names';
import type { Clocks, PairOfTasks } from '../../../engine/protocol';
import { CLOCKS, draftWords, earlyBy, setClocks, shownClocks, CLOCKS_CHANGED } from '../../../state/opened/clocks';
import { ESTIMATED } from '../../../state/opened/clock_words';
import { Changed } from '../../../state/frame';
import { answerTo } from '../../../state/figures';
import type { Figures } from '../../../state/types';
import { clocksTable, type ClocksTable } from './clocks_table';
import { answerPanel } from '../tab_panel';

/** Pairs of tasks beyond these are counted only. */
const MOST_PAIRS = 60;

export const panel = answerPanel({
  ask: CLOCKS,
  failed: say('clocks-failed'),
  changed: [Changed.steps, CLOCKS_CHANGED],
  make: (context, { failed }) => {
    const { state } = context;
    const choice = (text: string, title: string, words: readonly string[]) => ({
      words,
      button: el('button', { class: 'chip', type: 'button', title, onclick: () => choose(words) }, text),
    });
    const align = choice(ALIGN, '', [ESTIMATED]);
    const choices = [choice(say('as-recorded'), say('as-recorded-title'), []), align];
    const choose = (words: readonly string[]) => {
      if (words !== align.words || !isNothingToAlign(answerTo(state, CLOCKS))) setClocks(context, words);
    };
    const by_hand = el(
      'button',
      { class: 'chip', type: 'button', title: say('by-hand-title'), onclick: () => apply() },
      say('apply-by-hand'),
    );
    const apply = () => {
      if (state.clock_draft) setClocks(context, draftWords(state));
    };
    const sentence = el('p', { class: 'clocks-sentence' });
    const early = el('p', { class: 'clocks-early', role: 'status' });
    const pairs = el('div', {});
    const place = el('div', {});
    const element = el(
      'div',
      { class: 'clocks' },
      el(
        'div',
        { class: 'clocks-head' },
        sentence,
        el(
          'div',
          { class: 'clocks-choices', role: 'group', 'aria-label': say('clocks-choice') },
          ...choices.map(({ button }) => button),
          by_hand,
        ),
      ),
      failed,
      early,
      el('div', { class: 'clocks-tables' }, place, pairs),
    );
    let painted: Clocks | null = null;
    let table: ClocksTable | null = null;
    const show = ({ answer: clocks, has_failed }: Figures<Clocks>) => {
      setText(sentence, clocks ? asSentence(clocks.sentence) : has_failed ? '' : say('following-tensors'));
      if (clocks !== painted) {
        painted = clocks;
        table = clocks && clocksTable(context, clocks, apply);
        fill(place, table?.element);
      }
      const has_arrows = clocks !== null && clocks.transfers > 0;
      place.hidden = early.hidden = pairs.hidden = clocks === null || clocks.tasks.length < 2;
      table?.refresh();
      const is_aligned = isNothingToAlign(clocks);
      setText(align.button, is_aligned ? say('clocks-agree') : ALIGN);
      align.button.title = is_aligned ? ALIGNED_TITLE : ALIGN_TITLE;
      align.button.setAttribute('aria-disabled', String(is_aligned));
      // An address may ask to align clocks that agree: then they are as recorded.
      const shown = shownClocks(state).filter((word) => !is_aligned || word !== ESTIMATED);
      const is_by_hand = shown.some((word) => word !== ESTIMATED);
      for (const { words, button } of choices) {
        button.setAttribute('aria-pressed', String(!state.clock_draft && String(words) === String(shown)));
        button.hidden = words.length > 0 && !has_arrows;
      }
      by_hand.setAttribute('aria-pressed', String(!state.clock_draft && is_by_hand));
      by_hand.setAttribute('aria-disabled', String(!state.clock_draft));
      if (!clocks) return;
      const now = earlyBy(context, clocks, draftWords(state));
      // While it is counted, what was counted before stays.
      if (now && has_arrows) showEarly(clocks, now, state.clock_draft !== null);
      else if (!has_arrows) fill(pairs);
    };

    function showEarly({ transfers }: Clocks, now: readonly PairOfTasks[], is_typed: boolean): void {
      const count = now.reduce((sum, pair) => sum + pair.violations_after, 0);
      const tensors = say('tensors', { count: transfers });
      setText(early, say(is_typed ? 'early-as-typed' : 'early-as-shown', { count, tensors }));
      early.classList.toggle('warning', count > 0);
      const listed = now.filter((pair) => pair.violations_before + pair.violations_after > 0);
      const numeric = (value: string) => el('td', { class: 'numeric' }, value);
      const row = (pair: PairOfTasks) =>
        el(
          'tr',
          {},
          el('th', { scope: 'row', title: pair.source }, taskLabel(pair.source)),
          el('td', { title: pair.destination }, taskLabel(pair.destination)),
          numeric(formatCount(pair.transfers)),
          numeric(formatCount(pair.violations_before)),
          numeric(formatCount(pair.violations_after)),
        );
      const heads = [
        say('part-from'),
        say('part-to'),
        say('column-tensors'),
        say('early-recorded'),
        say(is_typed ? 'early-typed' : 'early-shown'),
      ];
      const head = el('tr', {}, ...heads.map((text, at) => el('th', { scope: 'col', class: at > 1 ? 'numeric' : undefined }, text)));
      fill(
        pairs,
        listed.length > 0 &&
          el('table', { class: 'plain-table' }, el('thead', {}, head), el('tbody', {}, ...listed.slice(0, MOST_PAIRS).map(row))),
        listed.length > MOST_PAIRS && el('p', { class: 'note' }, say('and-more-pairs', { count: listed.length - MOST_PAIRS })),
      );
    }
    return { element, show };
  },
});

const ALIGN = say('align-clocks');
const ALIGN_TITLE = say('align-title');
const ALIGNED_TITLE = say('aligned-title');

/** Whether aligning would move nothing, because no tensor asks for it. */
const isNothingToAlign = (clocks: Clocks | null): boolean => clocks !== null && clocks.transfers > 0 && clocks.violations_before === 0;

const asSentence = (text: string): string => capital(text) + say('full-stop');
