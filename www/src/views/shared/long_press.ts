// A finger that rests: what the right mouse button is for a mouse.

/** As long as systems take. */
export const LONG_PRESS_MS = 500;
/** A finger is never quite still. */
const STILL_PX = 9;

/** Calls `then` for the element under a finger that has rested; where it returns true, the tap that would follow is none. */
export function onLongPress(root: HTMLElement, then: (target: HTMLElement, at: { x: number; y: number }) => boolean): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let from = { x: 0, y: 0 };
  /** The finger that has got its menu is still down. */
  let done = false;
  root.addEventListener('pointerdown', (event) => {
    clearTimeout(timer);
    done = false;
    const { target } = event;
    if (event.pointerType !== 'touch' || !event.isPrimary || !(target instanceof HTMLElement)) return;
    from = { x: event.clientX, y: event.clientY };
    timer = setTimeout(() => (done = then(target, from)), LONG_PRESS_MS);
  });
  root.addEventListener('pointermove', (event) => {
    if (Math.hypot(event.clientX - from.x, event.clientY - from.y) > STILL_PX) clearTimeout(timer);
  });
  for (const kind of ['pointerup', 'pointercancel'] as const) root.addEventListener(kind, () => clearTimeout(timer));
  root.addEventListener(
    'click',
    (event) => {
      if (!done) return;
      done = false;
      event.preventDefault();
      event.stopPropagation();
    },
    true,
  );
  // Systems that have a menu of their own for it do not show that one, too.
  root.addEventListener(
    'contextmenu',
    (event) => {
      if (!done) return;
      event.preventDefault();
      event.stopPropagation();
    },
    true,
  );
}
