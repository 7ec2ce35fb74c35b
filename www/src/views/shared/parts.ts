// Small pieces that the drawer's panels share: links to ops, figures with a name.
import { el, type Child } from '../../base/dom';
import { kernelLabel, placeLabel } from '../../base/names';
import { formatDuration } from '../../base/time';
import type { OpId, OpRef } from '../../engine/protocol';
import { attempt } from '../../state/failures';
import { OP_NOT_SHOWN, selectOp } from '../../state/shown/select';
import type { Context } from '../../state/state';

/** A button that selects an op and brings it into sight. */
export function opLink(context: Context, op: OpId, name: string, title?: string): HTMLElement {
  return el(
    'button',
    {
      class: 'op-link',
      type: 'button',
      title: title ?? name,
      onclick: () => attempt(context, OP_NOT_SHOWN, selectOp(context, op, 'show')),
    },
    kernelLabel(name),
  );
}

/** Goes to an op from a table, which stays: one wants to go on from there. */
export const goToOp = (context: Context, op: OpId): void => attempt(context, OP_NOT_SHOWN, selectOp(context, op, 'show', 'stay'));

/** A name as long as this is cut in its middle where it has no room: its end tells it from its neighbours. */
const CUT_FROM = 20;
const END = 9;

/** The name that a row of a table begins with. The row as a whole can be clicked, and reached by keyboard. */
export function nameCell(name: string): HTMLElement {
  const parts = cutMiddle(kernelLabel(name));
  return el('span', { class: parts.length > 1 ? 'op-link cut-middle' : 'op-link' }, ...parts);
}

/** A name; a long one in two parts: what room is left for the first cuts it at its end. */
export function cutMiddle(name: string): Child[] {
  // Cut between characters, not within one that takes two places.
  const characters = [...name];
  if (characters.length < CUT_FROM) return [name];
  const start = characters.slice(0, -END).join('');
  return [el('span', { class: 'cut-start' }, start), el('span', {}, characters.slice(-END).join(''))];
}

/** A link to an op with its length and, if it is another, its device. */
export function refLine(context: Context, ref: OpRef, here: number | null, name = ref.name): HTMLElement {
  const device = context.state.trace?.summary.devices[ref.device]?.name;
  return el(
    'li',
    {},
    opLink(context, ref.op, name),
    device !== undefined && ref.device !== here && el('span', { class: 'note' }, placeLabel(device)),
    el('span', { class: 'figure' }, formatDuration(ref.end_ns - ref.start_ns)),
  );
}

/** A name and a value in a list of facts. */
export function factLine(name: string, value: string | HTMLElement, title?: string): HTMLElement {
  return el('div', { class: 'fact-line', title }, el('dt', {}, name), el('dd', {}, value));
}

export function block(title: string, ...content: (Node | string | null | false)[]): HTMLElement {
  return el('section', { class: 'block' }, el('h3', {}, title), ...content);
}
