// Which op of B the selected op is, where the open trace is compared with another one.
import { el, setText } from '../../../base/dom';
import { say } from '../../../base/messages';
import { request } from '../../../state/figures';
import { Changed } from '../../../state/frame';
import { COMPARE, comparisonOf, COMPARE_CHANGED } from '../../../state/shown/comparison';
import { chosenPair, PAIR } from '../../../state/shown/mirror';
import { chooseTab } from '../../../state/shown/tab';
import type { Context, State } from '../../../state/state';

/** `isSeen` says whether somebody can read it. */
export function inB(context: Context, isSeen: (state: State) => boolean): HTMLElement {
  const { state, frame } = context;
  const said = el('span', {});
  const show = el('button', { class: 'op-link', type: 'button', onclick: () => chooseTab(context, 'compare') }, say('selection-in-b'));
  const element = el('p', { class: 'op-in-b', hidden: true }, show, ' ', said);
  frame.onDom([Changed.selection, Changed.trace, Changed.drawer, COMPARE_CHANGED, 'compare', 'comparedPair'], () => {
    if (!isSeen(state)) return;
    request(context, COMPARE);
    if (comparisonOf(state)) request(context, PAIR);
    const pair = state.selection ? chosenPair(state) : null;
    element.hidden = pair === null;
    setText(said, pair?.sentence ?? '');
  });
  return element;
}
