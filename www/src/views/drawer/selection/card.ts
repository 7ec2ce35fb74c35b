// What is on the card of a selection: what it is, when it ran, how many bytes, why it was late, and what can be done; all details are in the drawer.
import { el, fill, icon } from '../../../base/dom';
import { say } from '../../../base/messages';
import { kernelLabel, placeLabel, routeLabel, tensorLabel } from '../../../base/names';
import type { InstantDetails, OpDetails } from '../../../engine/protocol';
import { attempt } from '../../../state/failures';
import { Changed } from '../../../state/frame';
import { patternOfType } from '../../../state/opened/pattern_words';
import { closeCard, hasCard, togglePinned } from '../../../state/shown/card';
import { OP_NOT_SHOWN, rangeOfSelection, selectOp } from '../../../state/shown/select';
import { whatIf } from '../../../state/shown/what_if';
import type { Context } from '../../../state/state';
import { titled } from '../../keys/bindings';
import { ICONS } from '../../shared/icons';
import { factLine } from '../../shared/parts';
import { CATEGORY_WORDS } from '../../shared/words';
import { knownArguments } from './arguments';
import { hopsControl } from './hops';
import { inB } from './in_b';
import { inputsBlock, instantFacts, kernelsBlock, reasonOf, sizeWords } from './panel';
import { opTimes, recordedTimes, transferTimes } from './time_bars';
import { whyBlock } from './why';

/** More of them hide why it was late. */
const MOST_LINES = 3;

export function selectionCard(context: Context): HTMLElement {
  const { state, frame } = context;
  const hops = hopsControl(context);
  const why = whyBlock(context, hasCard);
  const in_b = inB(context, hasCard);
  const head = el('div', { class: 'card-head' });
  const content = el('div', { class: 'card-content' });
  const foot = footOf(context, hops);
  const element = el('div', { class: 'card-box' }, tools(context), head, content, foot);
  let shown: unknown = null;
  frame.onDom([Changed.selection, Changed.trace, Changed.drawer], () => {
    if (!hasCard(state)) return;
    const details = state.selection?.details ?? state.instant?.details ?? null;
    if (details === null || shown === details) return;
    shown = details;
    fill(head, ...('op' in details ? opHead(context, details) : instantHead(details)));
    fill(content, ...('op' in details ? opFacts(context, details, why, in_b) : instantFacts(details)));
    foot.hidden = !('op' in details);
    content.scrollTop = 0;
  });
  return element;
}

/** At the corner, over everything else on it. */
function tools(context: Context): HTMLElement {
  const button = (words: string, path: string, run: () => void) =>
    el('button', { class: 'button square small', type: 'button', title: words, 'aria-label': words, onclick: run }, icon(path));
  const more = button(say('card-more'), ICONS.more, () => {
    const op = context.state.selection?.op;
    const { left, bottom } = more.getBoundingClientRect();
    if (op === undefined) return;
    const opened = context.later.get().then((later) => later.menuAtOp(context, op, { x: left, y: bottom }));
    attempt(context, OP_NOT_SHOWN, opened);
  });
  context.frame.onDom([Changed.selection, Changed.trace], () => {
    more.hidden = context.state.selection === null;
  });
  return el(
    'div',
    { class: 'card-tools' },
    more,
    button(say('card-pin'), ICONS.pin, () => togglePinned(context)),
    button(titled(say('card-close'), 'clear'), ICONS.close, () => closeCard(context)),
  );
}

/** Replays the step with this op, or the link of this transfer, twice as fast; a slider then says by how much. */
function tryIt(context: Context): void {
  const { details } = context.state.selection ?? {};
  if (!details) return;
  const { name, transfer } = details;
  whatIf(context, transfer ? `link=${transfer.source}->${transfer.destination}=0.5` : `op=name:${patternOfType(name)}=0.5`);
}

/** What can be done with the op, whatever the rest is scrolled to. */
function footOf(context: Context, hops: HTMLElement): HTMLElement {
  const { state } = context;
  const button = (words: string, title: string, run: () => void) =>
    el('button', { class: 'chip', type: 'button', title, onclick: run }, words);
  const zoom = () => {
    const op = state.selection?.op;
    if (op !== undefined) attempt(context, OP_NOT_SHOWN, selectOp(context, op, 'frame', 'stay'));
  };
  const try_it = button(say('try-it'), say('if-op-faster'), () => tryIt(context));
  context.frame.onDom([Changed.selection, Changed.trace], () => {
    // A range takes no time of its own.
    try_it.hidden = state.selection?.details?.category === 'range';
  });
  return el(
    'div',
    { class: 'card-do' },
    button(say('zoom-to-op'), titled(say('zoom-to-op'), 'frame'), zoom),
    try_it,
    button(say('card-range'), titled(say('card-range'), 'range'), () => attempt(context, OP_NOT_SHOWN, rangeOfSelection(context))),
    button(say('card-all'), say('card-pin'), () => togglePinned(context)),
    hops,
  );
}

function opHead(context: Context, details: OpDetails): HTMLElement[] {
  const { transfer, category, name, op_type } = details;
  const device = context.state.trace?.summary.devices[details.device]?.name ?? '';
  const route = (own: NonNullable<typeof transfer>) =>
    el('span', { class: 'op-place', title: routeLabel(own) }, `${placeLabel(own.source)} → ${placeLabel(own.destination)}`);
  return [
    el('span', { class: `chip category chip-${category}`, title: reasonOf(details) }, CATEGORY_WORDS[category]),
    el('h2', { class: 'op-name', title: transfer?.tensor ?? name }, transfer ? tensorLabel(transfer.tensor) : kernelLabel(name)),
    el(
      'p',
      { class: 'card-place' },
      op_type !== name && el('span', { class: 'op-type', title: op_type }, kernelLabel(op_type)),
      transfer ? route(transfer) : el('span', { class: 'op-place', title: device }, placeLabel(device)),
    ),
  ];
}

function opFacts(context: Context, details: OpDetails, why: HTMLElement, in_b: HTMLElement): (HTMLElement | null)[] {
  const { transfer } = details;
  return [
    in_b,
    transfer ? recordedTimes(details) : opTimes(details),
    transfer && transferTimes(transfer),
    why,
    el('dl', { class: 'facts-list' }, ...sizeLines(details), ...knownArguments(details, MOST_LINES)),
    kernelsBlock(context, details, MOST_LINES),
    inputsBlock(context, details, MOST_LINES),
  ];
}

/** Of a copy what it moved, of an op what it was given and what it made. */
function sizeLines({ transfer, category, bytes, input_bytes, outputs }: OpDetails): (HTMLElement | null)[] {
  if (transfer) return [factLine(say('fact-size'), sizeWords(transfer.bytes))];
  const own = category !== 'copy' && outputs.length > 0 ? say('fact-output-bytes') : say('fact-size');
  return [
    category !== 'copy' && input_bytes !== null
      ? factLine(say('fact-input-bytes'), sizeWords(input_bytes), say('input-bytes-about'))
      : null,
    category === 'copy' || bytes !== null ? factLine(own, sizeWords(bytes)) : null,
  ];
}

function instantHead({ name, device, process }: InstantDetails): HTMLElement[] {
  const place = device ?? process ?? '';
  return [
    el('span', { class: 'chip' }, say('instant-word')),
    el('h2', { class: 'op-name', title: name }, name),
    el('p', { class: 'card-place' }, el('span', { class: 'op-place', title: place }, placeLabel(place))),
  ];
}
