// The card of what is selected: next to it in the lanes, never over it; on a phone below them. A press elsewhere closes it.
import { nextTo, farCorner, overlap, roomNextTo } from '../../base/next_to';
import { el } from '../../base/dom';
import type { Rect } from '../../base/geom';
import { say } from '../../base/messages';
import { Changed } from '../../state/frame';
import { closeCard, hasCard } from '../../state/shown/card';
import { timeScale } from '../../state/shown/view';
import type { Context } from '../../state/state';
import { PHONE_WIDTH } from '../../state/ui/low_window';
import { opRect } from './op_rect';

/** In CSS pixels: a card is no panel, and has room for why an op was late. */
const HIGHEST = 640;
/** Lower, it says nothing. */
const LEAST = 150;

/** A press on these selects, or leads on from the card. */
// eslint-disable-next-line words/from-catalogue -- a selector
const LEADS_ON = '.selection-card, .tooltip, .context-menu, dialog, canvas.lanes, canvas.strip';

export function selectionCard(context: Context): HTMLElement {
  const { state, frame, later } = context;
  const element = el('section', { class: 'selection-card', 'aria-label': say('tab-selection'), hidden: true });
  let size = { width: 0, height: 0 };
  /** As tall as its content has it, and as tall as the room next to the op has it; null where that is enough. */
  let natural = size;
  let squeezed: number | null = null;
  const tallest = () => Math.max(LEAST, Math.min(HIGHEST, Math.round(state.viewport.height - 16)));
  const squeeze = (height: number | null) => {
    squeezed = height;
    element.style.maxHeight = `${height ?? tallest()}px`;
  };
  const place = () => {
    const at = rectOf(context);
    const host = element.parentElement;
    if (element.hidden || size.height === 0 || !host) return;
    const lanes = host.querySelector<HTMLElement>('canvas.lanes');
    const left = lanes?.offsetLeft ?? 0;
    const area: Rect = { x: 0, y: 0, width: state.viewport.width, height: state.viewport.height };
    const is_phone = innerWidth <= PHONE_WIDTH;
    const sheet = { x: 0, y: area.height - size.height, ...size };
    element.classList.toggle('at-top', is_phone && at !== null && overlap({ ...sheet, width: area.width }, at) > 0);
    // What has left the view is not followed.
    if (is_phone || at === null || overlap(at, area) === 0) return;
    // The column of devices is covered before the op is.
    const wide: Rect = { ...area, x: -left, width: area.width + left };
    const natural_place = nextTo(at, natural, area) ?? nextTo(at, natural, wide);
    const room = Math.floor(roomNextTo(at, area));
    if (natural_place === null && room >= LEAST && squeezed !== room) squeeze(room);
    else if (natural_place !== null && squeezed !== null) squeeze(null);
    const { x, y } = natural_place ?? nextTo(at, { ...size, height: Math.min(size.height, room) }, area) ?? farCorner(at, size, area);
    element.style.left = `${Math.round(left + x)}px`;
    element.style.top = `${Math.round(y)}px`;
  };
  frame.onDom([Changed.selection, Changed.trace, Changed.drawer], () => {
    const is_there = hasCard(state);
    if (is_there && element.childElementCount === 0) {
      if (later.there) element.append(later.there.selectionCard(context));
      else {
        const again = () => frame.invalidate(Changed.selection);
        later.get().then(again, again);
      }
    }
    element.hidden = !is_there || element.childElementCount === 0;
    squeeze(null);
    place();
  });
  frame.onDom([Changed.view, Changed.layout], place);
  new ResizeObserver(() => {
    size = { width: element.offsetWidth, height: element.offsetHeight };
    if (squeezed === null) natural = size;
    place();
  }).observe(element);
  document.addEventListener('pointerdown', ({ target }) => {
    if (!element.hidden && target instanceof Element && !target.closest(LEADS_ON)) closeCard(context);
  });
  return element;
}

/** Where it is, in the coordinates of the lanes; of an instant the line of its moment. */
function rectOf(context: Context): Rect | null {
  const { selection, instant, viewport } = context.state;
  const scale = timeScale(context.state);
  if (selection?.details) return opRect(context, selection.details, scale);
  const at = instant?.details?.at_ns;
  return at === undefined ? null : { x: scale.toPx(at) - 6, y: 0, width: 12, height: viewport.height };
}
