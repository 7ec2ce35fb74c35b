// The menu that says how lanes are shown: what they are arranged by, and how tall they are.
import { el, icon, setText } from '../../base/dom';
import { ARRANGEMENTS, OP_TIMES, type Arrangement, type OpTime } from '../../engine/protocol';
import { ARRANGEMENT_WORDS } from '../../state/shown/arrange';
import { arrangeBy, foldAll, setLaneSize, stepLaneSize } from '../../state/shown/devices';
import { attempt } from '../../state/failures';
import { Changed } from '../../state/frame';
import { lookAt } from '../../state/opened/look';
import { hasKernels, OP_TIME_WORDS } from '../../state/opened/steps';
import { PITCHES } from '../../state/layout/pitch';
import type { Context } from '../../state/state';
import { toggleMemory } from '../../state/shown/memory_lanes';
import { hasTraffic, toggleTraffic } from '../../state/shown/traffic';
import { titled } from '../keys/bindings';
import { ICONS } from '../shared/icons';

export function lanesMenu(context: Context): HTMLElement {
  const menu = el('div', { class: 'menu', id: 'lanes-menu', role: 'group', 'aria-label': 'Lanes', hidden: true });
  const choice = arrangements(context);
  menu.append(choice.element, opTimes(context), laneHeight(context), foldLine(context), trafficLine(context), memoryLine(context));
  const words = el('span', { class: 'menu-words' });
  context.frame.onDom(Changed.layout | Changed.trace, () => {
    const { arranged_by } = context.state.rows;
    setText(words, arranged_by === 'packed' ? 'Lanes' : ARRANGEMENT_WORDS[arranged_by]);
  });
  const opener = el(
    'button',
    {
      class: 'menu-opener',
      type: 'button',
      title: 'How lanes are arranged, and how tall they are',
      'aria-expanded': false,
      'aria-controls': 'lanes-menu',
      onclick: () => (menu.hidden ? open() : close()),
    },
    words,
    icon(ICONS.down),
  );
  const element = el('div', { class: 'menu-holder' }, opener, menu);
  const outside = (event: Event) => {
    if (!element.contains(event.target as Node)) close();
  };
  const open = () => {
    choice.update();
    menu.hidden = false;
    opener.setAttribute('aria-expanded', 'true');
    document.addEventListener('pointerdown', outside);
  };
  const close = () => {
    menu.hidden = true;
    opener.setAttribute('aria-expanded', 'false');
    document.removeEventListener('pointerdown', outside);
  };
  element.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || menu.hidden) return;
    event.preventDefault();
    event.stopPropagation();
    close();
    opener.focus();
  });
  element.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && !element.contains(relatedTarget)) close();
  });
  return element;
}

const ABOUT: Readonly<Record<Arrangement, [string, string]>> = {
  packed: ['packed', 'as few as ops ever overlap'],
  thread: ['thread', 'of the executor’s pools'],
  op_type: ['op type', 'the 24 with the most time'],
  scope: ['name scope', 'the first part of names'],
};

function arrangements(context: Context): { element: HTMLElement; update: () => void } {
  const { state, engine, frame } = context;
  const choices = ARRANGEMENTS.map((by) => {
    const input = el('input', { type: 'radio', name: 'lanes-by', value: by, onchange: () => arrangeBy(context, by) });
    const note = el('span', { class: 'note' }, ABOUT[by][1]);
    return { by, input, note, label: el('label', { class: 'choice' }, input, el('span', {}, ABOUT[by][0]), note) };
  });
  frame.onDom(Changed.layout | Changed.trace, () => {
    for (const { by, input } of choices) input.checked = by === state.rows.arranged_by;
  });
  /** Whether threads were recorded is asked when someone wants to know. */
  const update = () => {
    const answered = engine.hasThreads().then((recorded) => {
      const thread = choices.find(({ by }) => by === 'thread');
      if (!thread) return;
      thread.input.disabled = !recorded;
      thread.label.classList.toggle('off', !recorded);
      setText(thread.note, recorded ? ABOUT.thread[1] : 'no thread was recorded');
    });
    attempt(context, 'Threads not counted', answered);
  };
  const element = el('fieldset', { class: 'menu-choice' }, el('legend', {}, 'Lanes by'), ...choices.map(({ label }) => label));
  return { element, update };
}

const OP_TIME_NOTES: Readonly<Record<OpTime, string>> = {
  schedule: 'while the executor worked on them',
  gpu: 'from their first kernel to the last',
  all: 'from their start to the last kernel’s end',
};

/** The three views of TensorFlow's `timeline.py`; they differ where kernels were recorded. */
function opTimes(context: Context): HTMLElement {
  const { state, frame } = context;
  const choices = OP_TIMES.map((op_time) => {
    const input = el('input', { type: 'radio', name: 'op-time', value: op_time, onchange: () => lookAt(context, { op_time }) });
    const note = el('span', { class: 'note' }, OP_TIME_NOTES[op_time]);
    return { op_time, input, label: el('label', { class: 'choice' }, input, el('span', {}, OP_TIME_WORDS[op_time]), note) };
  });
  const element = el('fieldset', { class: 'menu-choice op-times' }, el('legend', {}, 'Ops last'), ...choices.map(({ label }) => label));
  frame.onDom(Changed.trace | Changed.steps, () => {
    const { trace, looking } = state;
    element.hidden = !trace || !hasKernels(trace);
    for (const { op_time, input } of choices) input.checked = op_time === (looking ?? trace?.view)?.op_time;
  });
  return element;
}

function laneHeight(context: Context): HTMLElement {
  const { state, frame } = context;
  const button = (title: string, path: string, run: () => void) =>
    el('button', { class: 'button square small', type: 'button', title, 'aria-label': title, onclick: run }, icon(path));
  const lower = button(titled('Lower lanes', 'lower'), ICONS.smaller, () => stepLaneSize(context, -1));
  const taller = button(titled('Taller lanes', 'taller'), ICONS.larger, () => stepLaneSize(context, 1));
  const size = el('span', { class: 'menu-figure' });
  const auto = el(
    'button',
    { class: 'chip', type: 'button', title: titled('Lanes as tall as fits', 'auto-lanes'), onclick: () => setLaneSize(context, 'auto') },
    'as fits',
  );
  frame.onDom(Changed.layout | Changed.trace, () => {
    auto.setAttribute('aria-pressed', String(state.rows.lane_size === 'auto'));
    setText(size, `${PITCHES[state.layout.size]?.ops ?? 0} px`);
  });
  return el('div', { class: 'menu-line' }, el('span', {}, 'Lane height'), lower, size, taller, auto);
}

function foldLine(context: Context): HTMLElement {
  const fold = el(
    'button',
    { class: 'chip', type: 'button', title: titled('Fold or unfold all devices', 'fold-all'), onclick: () => foldAll(context) },
    'all devices',
  );
  return el('div', { class: 'menu-line' }, el('span', {}, 'Fold or unfold'), fold);
}

function trafficLine(context: Context): HTMLElement {
  const { state, frame } = context;
  const shown = el(
    'button',
    {
      class: 'chip',
      type: 'button',
      title: titled('Bandwidth and transfers in flight, above the lanes', 'traffic'),
      onclick: () => toggleTraffic(context),
    },
    'above the lanes',
  );
  const line = el('div', { class: 'menu-line' }, el('span', {}, 'Bandwidth'), shown);
  frame.onDom(Changed.trace | Changed.traffic, () => {
    line.hidden = !hasTraffic(state);
    shown.setAttribute('aria-pressed', String(state.traffic_shown));
  });
  return line;
}

function memoryLine(context: Context): HTMLElement {
  const { state, frame } = context;
  const shown = el(
    'button',
    {
      class: 'chip',
      type: 'button',
      title: titled('Bytes that are alive, under each device that has any', 'memory'),
      onclick: () => toggleMemory(context),
    },
    'under each device',
  );
  frame.onDom(Changed.trace | Changed.layout | Changed.memory, () => shown.setAttribute('aria-pressed', String(state.memory_shown)));
  return el('div', { class: 'menu-line' }, el('span', {}, 'Memory'), shown);
}
