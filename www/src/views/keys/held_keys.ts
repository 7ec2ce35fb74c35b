// Which of the keys are down that make the next press of the pointer another one: Space and Shift.

/** Calls `changed` when one goes down or up. */
export function heldKeys(changed: () => void): { readonly space: boolean; readonly shift: boolean } {
  const held = { space: false, shift: false };
  const set = (name: 'space' | 'shift', value: boolean) => {
    if (held[name] === value) return;
    held[name] = value;
    changed();
  };
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Shift') set('shift', true);
    const target = event.target as HTMLElement | null;
    // On controls and in text the space bar has a meaning of its own; elsewhere it would scroll by a page.
    if (event.key !== ' ' || target?.closest('button, input, select, textarea, a, dialog, .panel')) return;
    event.preventDefault();
    set('space', true);
  });
  document.addEventListener('keyup', (event) => {
    if (event.key === 'Shift') set('shift', false);
    if (event.key === ' ') set('space', false);
  });
  window.addEventListener('blur', () => {
    set('shift', false);
    set('space', false);
  });
  return held;
}
