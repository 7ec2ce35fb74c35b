// The place of a dialog in the page: made when it is first opened, among the page's own elements, which an export leaves out.
import { el } from '../../base/dom';

export function sheet(id: string, look: string): HTMLDialogElement {
  const there = document.getElementById(id);
  if (there instanceof HTMLDialogElement) return there;
  const made = el('dialog', { id, class: look, 'aria-labelledby': `${id}-title` });
  document.getElementById('app')?.append(made);
  return made;
}
