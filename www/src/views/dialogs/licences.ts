// What others wrote and the page contains, with the texts of the licences: read when somebody wants to see it.
import { el, setText } from '../../base/dom';
import { say } from '../../base/messages';
import { errorBody } from '../../engine/errors';
import { licences } from '../../engine/licences';

/** Closed at first. What fails is said in place of the text, and tried again the next time. */
export function licencesOfOthers(): HTMLElement {
  const text = el('pre', { tabindex: 0, role: 'region', 'aria-label': say('licences') });
  let is_read = false;
  const read = async () => {
    setText(text, await licences());
    is_read = true;
  };
  const details = el('details', {
    class: 'help-licences',
    ontoggle: () => {
      if (!details.open || is_read) return;
      setText(text, say('licences-coming'));
      read().catch((thrown: unknown) => setText(text, say('licences-failed', { why: errorBody(thrown).message })));
    },
  });
  details.append(el('summary', {}, say('licences')), text);
  return details;
}
