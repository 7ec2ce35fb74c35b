// The glossary (G): the words that bars and figures use, each in one sentence, with the colour that it has.
import { el, fill, icon } from '../../base/dom';
import { say } from '../../base/messages';
import { PATH_KINDS, kindWords } from '../shared/path_words';
import { ICONS } from '../shared/icons';
import { PARTS } from '../shared/words';
import { sheet } from './sheet';

const line = (look: string, label: string, about: string) =>
  el('div', { class: 'glossary-line' }, el('dt', {}, el('span', { class: `dot dot-${look}` }), label), el('dd', {}, about));

export function glossary(): HTMLDialogElement {
  const dialog = sheet('glossary', 'help');
  if (dialog.hasChildNodes()) return dialog;
  const section = (title: string, lines: readonly HTMLElement[]) => el('section', {}, el('h3', {}, title), el('dl', {}, ...lines));
  fill(
    dialog,
    el(
      'div',
      { class: 'help-head' },
      el('h2', { id: 'glossary-title' }, say('glossary')),
      el(
        'button',
        { class: 'button square', type: 'button', 'aria-label': say('close'), onclick: () => dialog.close() },
        icon(ICONS.close),
      ),
    ),
    section(
      say('glossary-divides'),
      PARTS.map(({ part, label, explanation }) => line(part, label, explanation)),
    ),
    section(
      say('glossary-waits'),
      PATH_KINDS.map((kind) => {
        const { label, look, about } = kindWords(kind);
        return line(look, label, about);
      }),
    ),
  );
  // A click on the backdrop is a click on the dialog itself, outside of everything in it.
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  return dialog;
}
