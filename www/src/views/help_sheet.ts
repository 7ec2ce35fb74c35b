// The help sheet: made from the very tables that the keys are made from.
import { el, fill, icon } from '../base/dom';
import { ICONS } from './icons';
import { GESTURES, KEYS, MOTIONS } from './keys';

interface Line {
  shown: string | null;
  does: string;
}

export function helpSheet(): HTMLElement {
  const dialog = el('dialog', { id: 'help', class: 'help', 'aria-labelledby': 'help-title' });
  const line = ({ shown, does }: Line) =>
    shown !== null &&
    el(
      'div',
      { class: 'help-line' },
      el('dt', {}, ...shown.split(/, | (?=,)/).map((key) => el('kbd', {}, key))),
      el('dd', {}, does),
    );
  const group = (title: string, lines: readonly Line[]) =>
    el('section', {}, el('h3', {}, title), el('dl', {}, ...lines.map(line)));
  const of = (name: string) => KEYS.filter((key) => key.group === name);
  fill(
    dialog,
    el(
      'div',
      { class: 'help-head' },
      el('h2', { id: 'help-title' }, 'Keys and gestures'),
      el(
        'button',
        { class: 'button square', type: 'button', 'aria-label': 'Close', onclick: () => dialog.close() },
        icon(ICONS.close),
      ),
    ),
    el(
      'div',
      { class: 'help-groups' },
      group('Move', [...MOTIONS, ...of('Move')]),
      group('Select', of('Select')),
      group('View', of('View')),
      group('Pointer', GESTURES),
    ),
  );
  // A click on the backdrop is a click on the dialog itself, outside of everything in it.
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  return dialog;
}
