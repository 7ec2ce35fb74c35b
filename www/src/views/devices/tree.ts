// The left column: tasks with their devices. Only visible rows are in the document, however many there are.
import { say } from '../../base/messages';
import { el } from '../../base/dom';
import type { DeviceId } from '../../engine/protocol';
import { AT_FIRST, Changed } from '../../state/frame';
import type { Band, Section } from '../../state/layout/layout';
import { boxesBetween, topOf } from '../../state/layout/sight';
import type { Context } from '../../state/state';
import { deviceRow, type DeviceRow } from './device_row';
import { reconcile } from '../shared/reconcile';
import { listenToRowDrags } from './row_drag';
import { focusedDevice, listenToRowKeys } from './row_keys';
import { taskHead, type TaskHead } from './task_head';

/** Rows this far above and below the canvas are there, too, so that the keyboard and a quick scroll find them. */
const MARGIN = 300;

const UPDATES = [Changed.scope, Changed.search, Changed.totals, Changed.chosen];
const PLACES = [Changed.layout, Changed.trace];

export interface Tree {
  /** Devices that stay visible. */
  pinned: HTMLElement;
  scrolled: HTMLElement;
  /** Where a dragged row would go; it lies over the canvas. */
  drop_line: HTMLElement;
}

export function tree(context: Context): Tree {
  const { state, frame } = context;
  const pinned = el('section', { class: 'pinned-rows', 'aria-label': say('pinned-devices') });
  const scrolled = el('div', { class: 'tree' });
  const rows = new Map<DeviceId, DeviceRow>();
  const heads = new Map<string, TaskHead>();
  /** The rows in the document. */
  let attached = new Set<DeviceRow>();

  const rowOf = (band: Band): DeviceRow => {
    let row = rows.get(band.device);
    if (!row) rows.set(band.device, (row = deviceRow(context, band.device)));
    return row;
  };

  const headOf = (section: Section): TaskHead => {
    const key = `${section.bands[0]?.device}`;
    let head = heads.get(key);
    if (!head) heads.set(key, (head = taskHead(context, section.task)));
    return head;
  };

  /** The row that had the keyboard last, or the first one, is where Tab comes to; arrows go on from there. */
  let last: DeviceId | null = null;
  const stopAtOne = () => {
    const stop = (last === null ? undefined : rows.get(last)) ?? null;
    const [first] = attached;
    const chosen = stop && attached.has(stop) ? stop : first;
    for (const row of attached) row.beStop(row === chosen);
  };
  for (const holder of [pinned, scrolled])
    holder.addEventListener('focusin', () => {
      last = focusedDevice() ?? last;
      stopAtOne();
    });
  frame.onDom([...PLACES, ...UPDATES, Changed.view], (changed) => {
    if (changed.has(Changed.trace)) {
      rows.clear();
      heads.clear();
      attached.clear();
    }
    const { layout, viewport } = state;
    const active = document.activeElement;
    const focused = focusedDevice();
    const now = new Set<DeviceRow>();
    const show = (band: Band, top: number): HTMLElement => {
      const row = rowOf(band);
      const fresh = !attached.has(row);
      if (fresh || changed.hasAny(...PLACES)) row.place(band, top);
      if (fresh) row.update(AT_FIRST);
      else if (changed.hasAny(...UPDATES)) row.update(changed);
      const above = band.pinned ? 0 : layout.pinned_height;
      const y = topOf(state, band);
      row.showGroups(band, above - y, viewport.height - y);
      now.add(row);
      return row.element;
    };
    if (changed.hasAny(...PLACES)) {
      pinned.style.height = `${layout.pinned_height}px`;
      pinned.hidden = layout.pinned.length === 0;
      scrolled.style.height = `${layout.height - layout.pinned_height}px`;
      scrolled.style.setProperty('--pinned', `${layout.pinned_height}px`);
    }
    reconcile(
      pinned,
      layout.pinned.map((band) => show(band, band.y)),
    );
    // The row that has the keyboard stays, wherever it is scrolled to.
    const kept = focused === null ? undefined : layout.by_device[focused];
    const holder = kept && layout.sections.find((section) => section.bands.includes(kept));
    const top = state.scroll_y + layout.pinned_height - MARGIN;
    const bottom = state.scroll_y + viewport.height + MARGIN;
    reconcile(
      scrolled,
      withOne(boxesBetween(layout.sections, top, bottom), holder).map((section) => {
        const head = headOf(section);
        if (changed.hasAny(...PLACES) || !head.element.isConnected) head.update(section);
        const near = withOne(boxesBetween(section.bands, top, bottom), section === holder ? kept : undefined);
        reconcile(head.element, [head.head, ...near.map((band) => show(band, band.y - section.y))]);
        return head.element;
      }),
    );
    attached = now;
    stopAtOne();
    // Moving an element takes the keyboard from it.
    if (active instanceof HTMLElement && active.isConnected && document.activeElement !== active) active.focus({ preventScroll: true });
  });
  listenToRowKeys(context, [pinned, scrolled]);
  return { pinned, scrolled, drop_line: listenToRowDrags(context, pinned, scrolled) };
}

/** `boxes` and `one`, from top to bottom. */
function withOne<B extends { y: number }>(boxes: B[], one: B | undefined): B[] {
  return !one || boxes.includes(one) ? boxes : [...boxes, one].sort((a, b) => a.y - b.y);
}
