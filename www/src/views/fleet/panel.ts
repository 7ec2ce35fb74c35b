// The page of a fleet: the answer first, then tasks by steps as a picture, the series below it and lists next to it.
import { el, icon, setText } from '../../base/dom';
import { say } from '../../base/messages';
import { endFleet, FLEET_CHANGED } from '../../state/fleet/open';
import { backToFleet } from '../../state/fleet/history';
import type { Fleet } from '../../state/fleet_open';
import { Changed } from '../../state/frame';
import type { Context } from '../../state/state';
import { paletteOf } from '../../state/ui/theme';
import { surface } from '../shared/canvas';
import { ICONS } from '../shared/icons';
import { answerWords } from './answer';
import { listenOnFleet } from './hand';
import { fleetLists } from './lists';
import { missingBar } from './missing';
import { paintFleet, Pictures } from './paint';
import { cellLine, tipPart } from './tip';
import { fleetTools } from './tools';
import { FIGURE_WORDS, sizeWords, written } from './words';

export function fleetPanel(context: Context): HTMLElement {
  const { state, frame } = context;
  const name = el('strong', { class: 'fleet-name' });
  const size = el('span', { class: 'note' });
  const answer = el('p', { id: 'fleet-answer', class: 'fleet-answer', role: 'status' });
  const back = el(
    'button',
    { id: 'fleet-back', class: 'button outlined', type: 'button', onclick: () => backToFleet(context) },
    icon(ICONS.previous),
    say('fleet-back'),
  );
  const close = el(
    'button',
    {
      id: 'fleet-close',
      class: 'button square',
      type: 'button',
      title: say('fleet-close'),
      'aria-label': say('fleet-close'),
      onclick: () => endFleet(context),
    },
    icon(ICONS.close),
  );
  const fault = el('p', { id: 'fleet-fault', class: 'fleet-fault', role: 'alert' });
  const body = el('div', { class: 'fleet-body' });
  const tools = fleetTools(context);
  const cell = cellLine(context);
  const missing = missingBar(context);
  frame.onDom([FLEET_CHANGED, Changed.trace], () => {
    const { fleet } = state;
    if (!fleet) return;
    setText(name, fleet.place.name);
    name.title = fleet.place.name;
    setText(size, fleet.run ? sizeWords(fleet.run) : '');
    setText(answer, answerWords(fleet));
    setText(fault, fleet.fault ? say('fleet-not-opened', { why: fleet.fault.message }) : '');
    fault.hidden = fleet.fault === null;
    answer.hidden = fleet.fault !== null || !fleet.is_shown;
    back.hidden = fleet.is_shown;
    const has_picture = fleet.run !== null && fleet.is_shown;
    for (const part of [body, tools, cell]) part.hidden = !has_picture;
  });
  // After that: the picture takes the room that it then has.
  body.append(picturePart(context), fleetLists(context));
  return el(
    'div',
    { class: 'fleet-all' },
    el('div', { class: 'fleet-line' }, back, icon(ICONS.fleet), name, size, close),
    missing,
    fault,
    answer,
    tools,
    body,
    cell,
  );
}

function picturePart(context: Context): HTMLElement {
  const { state, frame } = context;
  const canvas = surface({
    class: 'fleet-canvas',
    role: 'application',
    tabindex: 0,
    'aria-label': say('fleet-canvas'),
    'aria-describedby': 'fleet-said fleet-cell-words',
  });
  const said = el('p', { class: 'visually-hidden', id: 'fleet-said' });
  const box = el('div', { class: 'fleet-picture' }, canvas.element, said);
  box.append(tipPart(context, box));
  const pictures = new Pictures();
  const is_there = () => state.fleet?.is_shown === true && state.fleet.heat !== null;
  new ResizeObserver(() => {
    if (is_there()) frame.invalidate(FLEET_CHANGED);
  }).observe(box);
  for (const kind of ['focus', 'blur']) canvas.element.addEventListener(kind, () => frame.invalidate(FLEET_CHANGED));
  listenOnFleet(context, canvas);
  let was_there = false;
  frame.onDom([FLEET_CHANGED, Changed.trace], () => {
    const comes = is_there() && !was_there;
    was_there = is_there();
    // Who comes, or comes back, goes on with the keyboard.
    if (comes) frame.afterDrawn(() => canvas.element.focus());
    if (!is_there() || !state.fleet) return;
    canvas.fit(box.clientWidth, box.clientHeight);
    setText(said, spoken(state.fleet));
  });
  frame.onCanvas([FLEET_CHANGED, Changed.theme], () => {
    if (is_there() && state.fleet) paintFleet(state.fleet, canvas, paletteOf(state), pictures, document.activeElement === canvas.element);
  });
  return box;
}

/** What the picture shows, for who cannot see it. */
function spoken({ run, heat }: Fleet): string {
  if (!run || !heat) return '';
  const { scale } = heat.is;
  return say('fleet-spoken', {
    figure: FIGURE_WORDS[heat.of.figure],
    size: sizeWords(run),
    low: written(scale.low, scale.is_share),
    high: written(scale.most, scale.is_share),
  });
}
