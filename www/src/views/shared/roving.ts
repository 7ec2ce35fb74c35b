// One stop of Tab for many buttons: arrows move among them, Tab goes on to what comes after.
import type { Context } from '../../state/state';
import type { On } from '../../state/frame';

/* eslint-disable words/from-catalogue -- selectors */
const STOPS = 'button, a[href], input:not([type="file"]), select';
/** What opens over the page has its own ways. */
const OWN = '.menu, .search-help, [hidden]';
/* eslint-enable words/from-catalogue */

/** Makes what can be pressed in `element` one stop; painted on `on`, as what is hidden changes. The last one that had the keyboard is where Tab comes to. */
export function roving({ frame }: Context, element: HTMLElement, on: On): void {
  let current: HTMLElement | null = null;
  const stops = () => [...element.querySelectorAll<HTMLElement>(STOPS)].filter((stop) => stop.closest(OWN) === null);
  const keep = () => {
    const all = stops();
    // What is there only while one is in it cannot be come to.
    if (!current || !all.includes(current) || current.offsetParent === null)
      current = all.find((stop) => stop.offsetParent !== null) ?? all[0] ?? null;
    for (const stop of all) stop.tabIndex = stop === current ? 0 : -1;
  };
  element.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement) || !target.matches(STOPS) || target.closest(OWN) !== null) return;
    current = target;
    keep();
  });
  element.addEventListener('focusout', () => setTimeout(keep));
  element.addEventListener('keydown', (event) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const { target } = event;
    if (step === 0 || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || !(target instanceof HTMLElement)) return;
    if (target.closest(OWN) !== null || !leaves(target, step)) return;
    // What the window has no room for cannot have the keyboard.
    const all = stops().filter((stop) => stop.offsetParent !== null);
    event.preventDefault();
    event.stopPropagation();
    all[(all.indexOf(target) + step + all.length) % all.length]?.focus();
  });
  frame.onDom(on, keep);
}

/** Whether the arrow leaves the element: in a field it moves the caret first. */
function leaves(target: HTMLElement, step: number): boolean {
  if (!(target instanceof HTMLInputElement)) return true;
  const { selectionStart: start, selectionEnd: end, value } = target;
  return start === end && (step > 0 ? end === value.length : start === 0);
}
