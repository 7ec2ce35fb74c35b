// The one way this page makes elements. Text goes in as text nodes only: names in a trace are hostile.

export type Child = Node | string | null | undefined | false;

type Handlers = { [K in keyof HTMLElementEventMap as `on${K}`]?: (event: HTMLElementEventMap[K]) => void };

type Attributes = Handlers & {
  [name: `aria-${string}`]: string | number | boolean | undefined;
  [name: `data-${string}`]: string | undefined;
  class?: string;
  id?: string;
  title?: string;
  role?: string;
  tabindex?: number;
  type?: string;
  name?: string;
  value?: string;
  placeholder?: string;
  for?: string;
  scope?: string;
  hidden?: boolean;
  disabled?: boolean;
  multiple?: boolean;
  checked?: boolean;
  colspan?: number;
  autocomplete?: string;
  spellcheck?: string;
};

/** `el('button', { class: 'quiet', onclick: open }, 'Open')`. Attributes that are undefined or false are left out. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value as EventListener);
    else if (value !== undefined && (value !== false || name.startsWith('aria-')))
      element.setAttribute(name, value === true && !name.startsWith('aria-') ? '' : String(value));
  }
  element.append(...kept(children));
  return element;
}

const kept = (children: Child[]): (Node | string)[] =>
  children.filter((child): child is Node | string => child !== null && child !== undefined && child !== false);

/** Puts `children` in place of everything that `parent` held. */
export function fill(parent: Element, ...children: Child[]): void {
  parent.replaceChildren(...kept(children));
}

/** As `fill`, but what is in `parent` already and stays is not taken out: it keeps the focus, and a click that has begun on it. */
export function refill(parent: Element, ...children: Child[]): void {
  const next = kept(children);
  const staying = new Set(next);
  for (const old of [...parent.childNodes]) if (!staying.has(old)) old.remove();
  next.forEach((child, at) => {
    const there = parent.childNodes[at] ?? null;
    if (there !== child) parent.insertBefore(child instanceof Node ? child : new Text(child), there);
  });
}

/** Sets text only when it differs, so that an unchanged figure costs no layout. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

const SVG = 'http://www.w3.org/2000/svg';

/** A 16 by 16 line icon from one path, hidden from screen readers: the control that holds it has the name. */
export function icon(path: string): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  const line = document.createElementNS(SVG, 'path');
  line.setAttribute('d', path);
  svg.append(line);
  return svg;
}
