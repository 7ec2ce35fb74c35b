// The menu that says how lanes are shown: what they are arranged by, and how tall they are.
import { say } from '../../base/messages';
import { el, icon, setText } from '../../base/dom';
import { ARRANGEMENTS, OP_TIMES, type Arrangement, type OpTime } from '../../engine/protocol';
import { ARRANGEMENT_WORDS } from '../../state/shown/arrange';
import { arrangeBy, foldAll, setLaneSize, stepLaneSize, toggleAllTransfers } from '../../state/shown/devices';
import { attempt } from '../../state/failures';
import { Changed } from '../../state/frame';
import { showView } from '../../state/opened/show_view';
import { hasKernels, OP_TIME_WORDS } from '../../state/opened/steps';
import { PITCHES } from '../../state/layout/pitch';
import type { Context } from '../../state/state';
import { toggleMemory } from '../../state/shown/memory_lanes';
import { toggleStrip } from '../../state/shown/path';
import { hasTraffic, toggleTraffic, TRAFFIC_CHANGED } from '../../state/shown/traffic';
import { titled } from '../keys/bindings';
import { ICONS } from '../shared/icons';
import { menuUnder } from '../shared/menu';
import { MEMORY_LANES_CHANGED } from '../../state/shown/memory';

export function lanesMenu(context: Context): HTMLElement {
  const choice = arrangements(context);
  const words = el('span', { class: 'menu-words' });
  context.frame.onDom([Changed.layout, Changed.trace], () => {
    const { arranged_by } = context.state.rows;
    setText(words, arranged_by === 'packed' ? say('lanes-title') : ARRANGEMENT_WORDS[arranged_by]);
  });
  return menuUnder(
    { id: 'lanes-menu', label: say('lanes-title'), title: say('lanes-menu-title'), words, opens: choice.update, over: true },
    choice.element,
    opTimes(context),
    laneHeight(context),
    transfersLine(context),
    foldLine(context),
    trafficLine(context),
    stripLine(context),
    memoryLine(context),
  );
}

const ABOUT: Readonly<Record<Arrangement, [string, string]>> = {
  packed: [say('lanes-packed-choice'), say('lanes-packed-about')],
  thread: [say('lanes-thread-choice'), say('lanes-thread-about')],
  op_type: [say('lanes-op-type-choice'), say('lanes-op-type-about')],
  scope: [say('lanes-scope-choice'), say('lanes-scope-about')],
};

function arrangements(context: Context): { element: HTMLElement; update: () => void } {
  const { state, engine, frame } = context;
  const choices = ARRANGEMENTS.map((by) => {
    const input = el('input', { type: 'radio', name: 'lanes-by', value: by, onchange: () => arrangeBy(context, by) });
    const note = el('span', { class: 'note' }, ABOUT[by][1]);
    return { by, input, note, label: el('label', { class: 'choice' }, input, el('span', {}, ABOUT[by][0]), note) };
  });
  frame.onDom([Changed.layout, Changed.trace], () => {
    for (const { by, input } of choices) input.checked = by === state.rows.arranged_by;
  });
  /** Whether threads were recorded is asked when someone wants to know. */
  const update = () => {
    const answered = engine.ask('hasThreads').then((recorded) => {
      const thread = choices.find(({ by }) => by === 'thread');
      if (!thread) return;
      thread.input.disabled = !recorded;
      thread.label.classList.toggle('off', !recorded);
      setText(thread.note, recorded ? ABOUT.thread[1] : say('no-thread'));
    });
    attempt(context, say('threads-not-counted'), answered);
  };
  const element = el('fieldset', { class: 'menu-choice' }, el('legend', {}, say('lanes-by')), ...choices.map(({ label }) => label));
  return { element, update };
}

const OP_TIME_NOTES: Readonly<Record<OpTime, string>> = {
  schedule: say('op-time-schedule-about'),
  gpu: say('op-time-gpu-about'),
  all: say('op-time-all-about'),
};

/** The three views of TensorFlow's `timeline.py`; they differ where kernels were recorded. */
function opTimes(context: Context): HTMLElement {
  const { state, frame } = context;
  const choices = OP_TIMES.map((op_time) => {
    const input = el('input', { type: 'radio', name: 'op-time', value: op_time, onchange: () => showView(context, { op_time }) });
    const note = el('span', { class: 'note' }, OP_TIME_NOTES[op_time]);
    return { op_time, input, label: el('label', { class: 'choice' }, input, el('span', {}, OP_TIME_WORDS[op_time]), note) };
  });
  const element = el(
    'fieldset',
    { class: 'menu-choice op-times' },
    el('legend', {}, say('op-duration')),
    ...choices.map(({ label }) => label),
  );
  frame.onDom([Changed.trace, Changed.steps], () => {
    const { trace, pending_view } = state;
    element.hidden = !trace || !hasKernels(trace);
    for (const { op_time, input } of choices) input.checked = op_time === (pending_view ?? trace?.view)?.op_time;
  });
  return element;
}

function laneHeight(context: Context): HTMLElement {
  const { state, frame } = context;
  const button = (title: string, path: string, run: () => void) =>
    el('button', { class: 'button square small', type: 'button', title, 'aria-label': title, onclick: run }, icon(path));
  const lower = button(titled(say('lower-lanes'), 'lower'), ICONS.smaller, () => stepLaneSize(context, -1));
  const taller = button(titled(say('taller-lanes'), 'taller'), ICONS.larger, () => stepLaneSize(context, 1));
  const size = el('span', { class: 'menu-figure' });
  const auto = el(
    'button',
    { class: 'chip', type: 'button', title: titled(say('fit-lanes'), 'auto-lanes'), onclick: () => setLaneSize(context, 'auto') },
    say('fit-lanes-short'),
  );
  frame.onDom([Changed.layout, Changed.trace], () => {
    auto.setAttribute('aria-pressed', String(state.rows.lane_size === 'auto'));
    setText(size, `${PITCHES[state.layout.size]?.ops ?? 0} px`);
  });
  return el('div', { class: 'menu-line' }, el('span', {}, say('lane-height')), lower, size, taller, auto);
}

function transfersLine(context: Context): HTMLElement {
  const { state, frame } = context;
  const open = el(
    'button',
    {
      class: 'chip',
      type: 'button',
      title: titled(say('transfers-all-title'), 'all-transfers'),
      onclick: () => toggleAllTransfers(context),
    },
    say('transfers-in-lanes'),
  );
  const line = el('div', { class: 'menu-line' }, el('span', {}, say('transfers-title-short')), open);
  frame.onDom([Changed.layout, Changed.trace], () => {
    const bands = [...state.layout.pinned, ...state.layout.bands];
    open.setAttribute('aria-pressed', String(bands.every(({ device }) => state.rows.opened.has(device))));
  });
  return line;
}

function foldLine(context: Context): HTMLElement {
  const fold = el(
    'button',
    { class: 'chip', type: 'button', title: titled(say('fold-all'), 'fold-all'), onclick: () => foldAll(context) },
    say('all-devices'),
  );
  return el('div', { class: 'menu-line' }, el('span', {}, say('fold-title')), fold);
}

function trafficLine(context: Context): HTMLElement {
  const { state, frame } = context;
  const shown = el(
    'button',
    {
      class: 'chip',
      type: 'button',
      title: titled(say('bandwidth-title'), 'traffic'),
      onclick: () => toggleTraffic(context),
    },
    say('above-lanes'),
  );
  const line = el('div', { class: 'menu-line' }, el('span', {}, say('bandwidth')), shown);
  frame.onDom([Changed.trace, TRAFFIC_CHANGED], () => {
    line.hidden = !hasTraffic(state);
    shown.setAttribute('aria-pressed', String(state.traffic_shown));
  });
  return line;
}

function stripLine(context: Context): HTMLElement {
  const { state, frame } = context;
  const shown = el(
    'button',
    {
      class: 'chip',
      type: 'button',
      title: titled(say('strip-title'), 'strip'),
      onclick: () => toggleStrip(context),
    },
    say('above-lanes'),
  );
  frame.onDom([Changed.trace, Changed.layout, Changed.path], () => shown.setAttribute('aria-pressed', String(state.strip_shown)));
  return el('div', { class: 'menu-line' }, el('span', {}, say('strip-name')), shown);
}

function memoryLine(context: Context): HTMLElement {
  const { state, frame } = context;
  const shown = el(
    'button',
    {
      class: 'chip',
      type: 'button',
      title: titled(say('live-bytes-title'), 'memory'),
      onclick: () => toggleMemory(context),
    },
    say('under-each-device'),
  );
  frame.onDom([Changed.trace, Changed.layout, MEMORY_LANES_CHANGED], () => shown.setAttribute('aria-pressed', String(state.memory_shown)));
  return el('div', { class: 'menu-line' }, el('span', {}, say('tab-memory')), shown);
}
