// A menu under its button: it closes on Escape, on a click outside, when the focus leaves it, and on the event `close`.
import { el, icon, type Child } from '../../base/dom';
import { ICONS } from './icons';

export interface MenuOptions {
  id: string;
  /** What a screen reader calls the menu. */
  label: string;
  title: string;
  /** What stands on the button: words, or an icon that needs none. */
  words: HTMLElement | SVGSVGElement;
  /** Runs before the menu is shown. */
  opens?: () => void;
  /** Above whatever clips it, such as a panel: its place then follows the button when it opens. */
  over?: boolean;
}

/** Between the button and a menu that is over its surroundings, and from the window's edge, in CSS pixels. */
const GAP = 4;

export function menuUnder({ id, label, title, words, opens, over }: MenuOptions, ...content: Child[]): HTMLElement {
  const menu = el('div', { class: over ? 'menu over' : 'menu', id, role: 'group', 'aria-label': label, hidden: true }, ...content);
  const opener = el(
    'button',
    {
      class: words instanceof SVGSVGElement ? 'button square small' : 'menu-opener',
      type: 'button',
      title,
      'aria-label': words instanceof SVGSVGElement ? label : undefined,
      'aria-expanded': false,
      'aria-controls': id,
      onclick: () => (menu.hidden ? open() : close()),
    },
    words,
    words instanceof SVGSVGElement ? null : icon(ICONS.down),
  );
  const element = el('div', { class: 'menu-holder' }, opener, menu);
  if (over) {
    // What grows while it is open may have no room below any more.
    const placed = new ResizeObserver(() => menu.hidden || placeOver(menu, opener));
    for (const child of menu.children) placed.observe(child);
  }
  const outside = (event: Event) => {
    if (!element.contains(event.target as Node)) close();
  };
  const open = () => {
    opens?.();
    menu.hidden = false;
    if (over) placeOver(menu, opener);
    opener.setAttribute('aria-expanded', 'true');
    document.addEventListener('pointerdown', outside);
  };
  const close = () => {
    menu.hidden = true;
    opener.setAttribute('aria-expanded', 'false');
    document.removeEventListener('pointerdown', outside);
  };
  menu.addEventListener('close', close);
  element.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || menu.hidden) return;
    event.preventDefault();
    event.stopPropagation();
    close();
    opener.focus();
  });
  element.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && !element.contains(relatedTarget)) close();
  });
  return element;
}

/** Below the button where there is room, else above it; within the window. */
function placeOver(menu: HTMLElement, opener: HTMLElement): void {
  const button = opener.getBoundingClientRect();
  const below = innerHeight - button.bottom - 2 * GAP;
  const above = button.top - 2 * GAP;
  const height = Math.min(menu.scrollHeight + 2, Math.max(below, above));
  const top = height <= below ? button.bottom + GAP : button.top - GAP - height;
  const left = Math.max(GAP, Math.min(button.left, innerWidth - menu.offsetWidth - GAP));
  menu.style.top = `${top}px`;
  menu.style.left = `${left}px`;
  menu.style.maxHeight = `${height}px`;
}
