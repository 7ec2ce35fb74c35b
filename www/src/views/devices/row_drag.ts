// Dragging a device's row, or a task's header, to another place. A line shows where it would go; Escape leaves it.
import { el } from '../../base/dom';
import { clamp } from '../../base/geom';
import type { DeviceId } from '../../engine/protocol';
import { moveBefore } from '../../state/shown/devices';
import { topOf } from '../../state/layout/sight';
import type { Context } from '../../state/state';
import { scrollTo } from '../../state/shown/view';

/** What moves less than this was a click. */
const CLICK_SLACK = 5;
/** How near to the canvas's top or bottom a drag scrolls, and how fast in pixels a second. */
const SCROLL_EDGE = 36;
const SCROLL_SPEED = 600;

interface Drag {
  devices: DeviceId[];
  /** A task's header goes between tasks. */
  section: boolean;
  pinned: boolean;
  element: HTMLElement;
  from_y: number;
  moving: boolean;
  /** Before which device it would go; null for below all. */
  target: DeviceId | null;
}

interface Gap {
  /** Of the canvas. */
  y: number;
  before: DeviceId | null;
}

/** Returns the line, which lies over the canvas. */
export function listenToRowDrags(context: Context, pinned: HTMLElement, scrolled: HTMLElement): HTMLElement {
  const { state, frame } = context;
  const line = el('div', { class: 'drop-line', 'aria-hidden': 'true', hidden: true });
  let drag: Drag | null = null;
  let pointer_y = 0;

  /** The places where it can go, from top to bottom. */
  const gaps = ({ section, pinned: stuck }: Drag): Gap[] => {
    const { layout, scroll_y } = state;
    const found: Gap[] = section
      ? layout.sections.map(({ y, bands }) => ({ y: y - scroll_y, before: bands[0]?.device ?? null }))
      : (stuck ? layout.pinned : layout.bands).map((band) => ({ y: topOf(state, band), before: band.device }));
    const end = stuck ? layout.pinned_height : layout.height - scroll_y;
    return [...found, { y: end, before: null }];
  };

  const box = () => scrolled.parentElement?.getBoundingClientRect() ?? new DOMRect();

  const aim = (now: Drag) => {
    const y = pointer_y - box().top;
    const nearest = gaps(now).reduce((a, b) => (Math.abs(b.y - y) < Math.abs(a.y - y) ? b : a));
    now.target = nearest.before;
    line.style.top = `${nearest.y}px`;
  };

  const scrollAtEdge = (elapsed_ms: number): boolean => {
    if (!drag?.moving || drag.pinned) return false;
    const { top, bottom } = box();
    const upper = top + state.layout.pinned_height + SCROLL_EDGE;
    const pull = Math.min(pointer_y - upper, 0) + Math.max(pointer_y - (bottom - SCROLL_EDGE), 0);
    if (pull === 0) return false;
    const speed = clamp(pull / SCROLL_EDGE, -1, 1) * SCROLL_SPEED;
    scrollTo(context, state.scroll_y + (speed * elapsed_ms) / 1000);
    aim(drag);
    return true;
  };

  const down = (event: PointerEvent) => {
    const target = event.target as Element;
    const grip = target.closest('.grip') !== null;
    // A finger scrolls; it moves rows by their grip.
    if (event.button !== 0 || (event.pointerType === 'touch' && !grip) || target.closest('.device-tools')) return;
    const element = target.closest<HTMLElement>('[data-device], [data-first]');
    if (!element) return;
    const { device, first } = element.dataset;
    const section = state.layout.sections.find(({ bands }) => bands[0]?.device === Number(first));
    const devices = device === undefined ? section?.bands.map((band) => band.device) : [Number(device)];
    drag = {
      devices: devices ?? [],
      section: device === undefined,
      pinned: pinned.contains(element),
      element,
      from_y: event.clientY,
      moving: false,
      target: null,
    };
  };

  const move = (event: PointerEvent) => {
    if (!drag) return;
    pointer_y = event.clientY;
    if (!drag.moving) {
      if (Math.abs(event.clientY - drag.from_y) < CLICK_SLACK) return;
      drag.moving = true;
      drag.element.classList.add('dragged');
      drag.element.setPointerCapture(event.pointerId);
      document.body.classList.add('dragging-row');
      line.hidden = false;
    }
    aim(drag);
    frame.animate(scrollAtEdge);
  };

  const end = (drop: boolean) => {
    const ended = drag;
    drag = null;
    if (!ended?.moving) return;
    line.hidden = true;
    ended.element.classList.remove('dragged');
    document.body.classList.remove('dragging-row');
    ignoreClick();
    if (drop && (ended.target === null || !ended.devices.includes(ended.target))) moveBefore(context, ended.devices, ended.target);
  };

  for (const tree of [pinned, scrolled]) tree.addEventListener('pointerdown', down);
  document.addEventListener('pointermove', move);
  document.addEventListener('pointerup', () => end(true));
  document.addEventListener('pointercancel', () => end(false));
  document.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape' || !drag?.moving) return;
      event.preventDefault();
      event.stopPropagation();
      end(false);
    },
    { capture: true },
  );
  return line;
}

/** The click that ends a drag is none. It comes at once, if it comes. */
function ignoreClick(): void {
  const ignore = (event: Event) => event.stopPropagation();
  document.addEventListener('click', ignore, { capture: true });
  setTimeout(() => document.removeEventListener('click', ignore, { capture: true }));
}
