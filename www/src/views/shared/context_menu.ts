// A menu where the right mouse button was pressed, or the key for menus: arrows move, Escape and a click elsewhere close it.
import { el } from '../../base/dom';

export interface MenuItem {
  words: string;
  run: () => void;
}

/** From the window's edge, in CSS pixels. */
const GAP = 8;

/** Shows the menu at a point of the window; the focus goes back to where it was. */
export function openMenu(at: { x: number; y: number }, label: string, items: readonly MenuItem[]): void {
  // Another one goes.
  document.querySelector('.context-menu')?.dispatchEvent(new Event('close'));
  const before = document.activeElement;
  const buttons = items.map(({ words, run }) =>
    el(
      'button',
      {
        type: 'button',
        role: 'menuitem',
        tabindex: -1,
        onclick: () => {
          close();
          run();
        },
      },
      words,
    ),
  );
  const menu = el('div', { class: 'context-menu', role: 'menu', 'aria-label': label }, ...buttons);
  const outside = ({ target }: Event) => {
    if (!(target instanceof Node && menu.contains(target))) close();
  };
  const close = () => {
    document.removeEventListener('pointerdown', outside, true);
    window.removeEventListener('blur', outside);
    window.removeEventListener('resize', outside);
    menu.remove();
    if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  };
  menu.addEventListener('keydown', (event) => {
    const to = steps(event.key, buttons.indexOf(document.activeElement as HTMLButtonElement), buttons.length);
    // Nothing that is pressed here is a command of the page.
    event.stopPropagation();
    if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault();
      close();
    } else if (to !== null) {
      event.preventDefault();
      buttons[to]?.focus();
    }
  });
  menu.addEventListener('close', close);
  menu.addEventListener('contextmenu', (event) => event.preventDefault());
  document.querySelector('main')?.append(menu);
  const { offsetWidth: width, offsetHeight: height } = menu;
  menu.style.left = `${Math.max(GAP, Math.min(at.x, innerWidth - width - GAP))}px`;
  menu.style.top = `${Math.max(GAP, Math.min(at.y, innerHeight - height - GAP))}px`;
  document.addEventListener('pointerdown', outside, true);
  window.addEventListener('blur', outside);
  window.addEventListener('resize', outside);
  buttons[0]?.focus({ preventScroll: true });
}

/** Where a key leads from item `at` of `count`; null for other keys. */
function steps(key: string, at: number, count: number): number | null {
  if (key === 'ArrowDown') return (at + 1) % count;
  if (key === 'ArrowUp') return (at + count - 1) % count;
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  return null;
}
