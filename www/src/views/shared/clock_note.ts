// Where figures that compare tasks would stand: that their clocks differ, why the figures are withheld, and one click that aligns the clocks.
import { say } from '../../base/messages';
import { el, fill } from '../../base/dom';
import type { ClockNote } from '../../engine/protocol';
import { ESTIMATED } from '../../state/opened/clock_words';
import { setClocks } from '../../state/opened/clocks';
import { Changed } from '../../state/frame';
import { chooseTab } from '../../state/shown/tab';
import type { Context } from '../../state/state';

/** What helps: aligns the clocks, or where that does not help shows what is known of them. */
export function helpClocks(context: Context, { can_align }: ClockNote): void {
  if (can_align) setClocks(context, [ESTIMATED]);
  else chooseTab(context, 'clocks');
}

export const helpWords = ({ can_align }: ClockNote): string => (can_align ? say('align-clocks') : say('show-clocks'));

/** Hidden where times of tasks can be compared. */
export function clockNote(context: Context): HTMLElement {
  const { state, frame } = context;
  const element = el('p', { class: 'clock-note', hidden: true });
  let shown: ClockNote | undefined;
  frame.onDom([Changed.trace, Changed.totals], () => {
    const note = state.trace?.summary.clocks;
    if (note === shown) return;
    shown = note;
    element.hidden = !note;
    fill(
      element,
      note && el('strong', {}, say('clock-note-first', { said: note.sentence })),
      note && el('span', {}, note.withheld),
      note && el('button', { class: 'button outlined', type: 'button', onclick: () => helpClocks(context, note) }, helpWords(note)),
    );
  });
  return element;
}
