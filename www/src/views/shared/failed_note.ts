// Says in a panel that its figures did not come, and tries again.
import { say } from '../../base/messages';
import { el } from '../../base/dom';

/** Hidden until the panel finds that it failed. */
export function failedNote(words: string, tryAgain: () => void): HTMLElement {
  const button = el('button', { class: 'button outlined', type: 'button', onclick: tryAgain }, say('try-again'));
  return el('p', { class: 'note failed-note', hidden: true }, words, ' ', button);
}
