// The keyboard on the rows of the left column: arrows go from row to row, and fold and unfold; P, H and Alt+arrows act on the row in hand.
import type { DeviceId } from '../../engine/protocol';
import { hide, moveOne, moveSection, toggleFold, togglePin, toggleTransfers } from '../../state/shown/devices';
import type { Section } from '../../state/layout/layout';
import { bandAt, sectionAt, topOf } from '../../state/layout/sight';
import type { Context } from '../../state/state';
import { scrollTo } from '../../state/shown/view';

/** A device, or all devices of a task whose header has the keyboard. */
interface InHand {
  devices: DeviceId[];
  section: number | null;
}

/** Where the pointer is over the rows and lanes, in CSS pixels from the top of the canvas. */
const pointer: { y: number | null; came_last: boolean } = { y: null, came_last: false };

const deviceOf = (element: Element | null): DeviceId | null => {
  const device = element?.closest<HTMLElement>('[data-device]')?.dataset['device'];
  return device === undefined ? null : Number(device);
};

/** The device whose row has the keyboard. */
export const focusedDevice = (): DeviceId | null => deviceOf(document.activeElement);

/** What the keyboard or the pointer came to last; else the device of the selected op. */
function inHand({ state }: Context): InHand | null {
  const { sections } = state.layout;
  const one = (device: DeviceId): InHand => ({ devices: [device], section: null });
  const all = (section: Section): InHand => ({
    devices: section.bands.map((band) => band.device),
    section: sections.indexOf(section),
  });
  const focused = (): InHand | null => {
    const device = focusedDevice();
    const first = document.activeElement?.closest<HTMLElement>('[data-first]')?.dataset['first'];
    const section = sections.find(({ bands }) => bands[0]?.device === Number(first));
    return device !== null ? one(device) : section ? all(section) : null;
  };
  const pointed = (): InHand | null => {
    if (pointer.y === null) return null;
    const band = bandAt(state, pointer.y);
    const section = sectionAt(state, pointer.y);
    return band ? one(band.device) : section ? all(section) : null;
  };
  const selected = state.selection?.details?.device;
  const [first, second] = pointer.came_last ? [pointed, focused] : [focused, pointed];
  return first() ?? second() ?? (selected === undefined ? null : one(selected));
}

export function hideInHand(context: Context): void {
  const found = inHand(context);
  if (!found) return;
  const focused = focusedDevice();
  const next = focused === null ? null : (neighbour(context, focused, 1) ?? neighbour(context, focused, -1));
  hide(context, found.devices);
  if (next !== null) focusRow(context, next);
}

export function pinInHand(context: Context): void {
  for (const device of inHand(context)?.devices ?? []) togglePin(context, device);
}

export function transfersInHand(context: Context): void {
  for (const device of inHand(context)?.devices ?? []) toggleTransfers(context, device);
}

export const moveInHand =
  (step: 1 | -1) =>
  (context: Context): void => {
    const found = inHand(context);
    const [device] = found?.devices ?? [];
    if (!found || device === undefined) return;
    if (found.section === null) moveOne(context, device, step);
    else moveSection(context, found.section, step);
  };

/** Gives the keyboard to the header of the task whose first device `device` is; false where none is shown. */
function focusHead({ state }: Context, device: DeviceId): boolean {
  const is_led = state.layout.sections.some(({ header, bands }) => header > 0 && bands[0]?.device === device);
  const head = document.querySelector<HTMLElement>(`[data-first="${device}"] .task-fold`);
  if (!is_led || !head) return false;
  head.focus({ preventScroll: true });
  return true;
}

/** From the header of a task, arrows lead to its devices, and to the last one of the task above. */
function fromHead(context: Context, step: 1 | -1): void {
  const first = Number(document.activeElement?.closest<HTMLElement>('[data-first]')?.dataset['first']);
  const next = step > 0 ? first : neighbour(context, first, -1);
  if (next !== null) focusRow(context, next);
}

/** The device shown above (-1) or below (+1). */
function neighbour({ state }: Context, device: DeviceId, step: 1 | -1): DeviceId | null {
  const shown = [...state.layout.pinned, ...state.layout.bands];
  const at = shown.findIndex((band) => band.device === device);
  return at < 0 ? null : (shown[at + step]?.device ?? null);
}

/** Scrolls the row into sight and, once it is there, gives it the keyboard. */
function focusRow(context: Context, device: DeviceId): void {
  const { state, frame } = context;
  const band = state.layout.by_device[device];
  if (!band) return;
  const { pinned_height } = state.layout;
  const top = topOf(state, band);
  const room = state.viewport.height - pinned_height;
  if (!band.pinned && (top < pinned_height + 24 || top + Math.min(band.height, 26) > state.viewport.height))
    scrollTo(context, state.scroll_y + top - pinned_height - room / 3);
  frame.afterDrawn(() => document.querySelector<HTMLElement>(`[data-device="${device}"] .device-choose`)?.focus({ preventScroll: true }));
}

export function listenToRowKeys(context: Context, trees: readonly HTMLElement[]): void {
  for (const tree of trees)
    tree.addEventListener('keydown', (event) => {
      const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
      const turn = event.key === 'ArrowLeft' ? 'fold' : event.key === 'ArrowRight' ? 'unfold' : null;
      const device = focusedDevice();
      if (device === null && step !== 0 && document.activeElement?.matches('.task-fold') && !event.altKey) {
        event.preventDefault();
        event.stopPropagation();
        fromHead(context, step);
        return;
      }
      if ((step === 0 && turn === null) || device === null || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      event.stopPropagation();
      if (turn !== null && context.state.rows.folded.has(device) !== (turn === 'fold')) toggleFold(context, device);
      if (step === 0) return;
      if (step < 0 && focusHead(context, device)) return;
      const next = neighbour(context, device, step);
      if (next === null || (step > 0 && focusHead(context, next))) return;
      focusRow(context, next);
    });
}

/** Keeps track of where the pointer and the keyboard are, for keys that act on the device there. */
export function followHands(scroller: HTMLElement): void {
  scroller.addEventListener('pointermove', (event) => {
    const y = event.clientY - scroller.getBoundingClientRect().top;
    // Browsers report a pointer that rests, too, when something moves under it.
    if (y !== pointer.y) pointer.came_last = true;
    pointer.y = y;
  });
  scroller.addEventListener('pointerleave', () => {
    pointer.y = null;
  });
  scroller.addEventListener('focusin', () => {
    pointer.came_last = false;
  });
}
