// The line at the lower edge that says what was just done where it can be taken back, or where a file went.
import { say } from '../../base/messages';
import { el, icon, setText } from '../../base/dom';
import { Changed } from '../../state/frame';
import { dismissOffer } from '../../state/opened/notes';
import type { Context } from '../../state/state';
import { titled } from '../keys/bindings';
import { ICONS } from '../shared/icons';

/** It stays until something else is done: nobody has to be quick. */
export function statusLine(context: Context): HTMLElement {
  const { state, frame } = context;
  const text = el('span', { class: 'status-text' });
  const action = el('button', { class: 'button', type: 'button', onclick: () => state.offer?.run() });
  const dismiss = el(
    'button',
    {
      class: 'button square small',
      type: 'button',
      title: titled(say('dismiss'), 'clear'),
      'aria-label': say('dismiss'),
      onclick: () => dismissOffer(context),
    },
    icon(ICONS.close),
  );
  const element = el('section', { class: 'status-line', 'aria-label': say('what-was-done'), hidden: true }, text, action, dismiss);
  frame.onDom([Changed.notes, Changed.trace], () => {
    const { offer } = state;
    // Hiding what has the focus would drop it: the timeline takes it.
    if (!offer && element.contains(document.activeElement)) document.querySelector<HTMLElement>('.lanes')?.focus();
    element.hidden = !offer;
    if (!offer) return;
    setText(text, offer.text);
    action.hidden = offer.action === null;
    setText(action, offer.action ?? '');
  });
  return element;
}
