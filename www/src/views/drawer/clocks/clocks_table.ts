// A row for each task's clock: how far it is ahead, between which bounds, drawn on one axis for all; and a field to set it by hand.
import { el } from '../../../base/dom';
import { formatCount } from '../../../base/format';
import { taskLabel } from '../../../base/names';
import { formatDuration, ns } from '../../../base/time';
import type { Clocks, TaskClock } from '../../../engine/protocol';
import { draftOffset, offsetBy, shownClocks } from '../../../state/opened/clocks';
import type { Context } from '../../../state/state';

export interface ClocksTable {
  element: HTMLElement;
  /** Shows anew what clocks are set by. */
  refresh: () => void;
}

const HEADS: readonly [text: string, title: string][] = [
  ['Task', ''],
  [
    'Ahead by',
    'The least correction that the tensors demand: as few clocks as possible, and each by no more than it takes for no tensor to arrive before it was made. 0 where none does',
  ],
  ['At least', 'Were the clock ahead by less, a tensor would be received before it was made'],
  ['At most', 'Were the clock ahead by more, a tensor would be received before it was made'],
  ['', 'From at least to at most, with the correction, on one axis for all tasks; the thin line is 0'],
  [
    'Drift',
    'How many millionths faster than the reference the clock goes, at least and at most in brackets; told where the trace is long enough',
  ],
  ['Tensors', 'How many with a known producer went between this task and others'],
  [
    'Subtract (ms)',
    'What is subtracted from the times of this task. Type another offset to see what points back in time with it; Enter applies it',
  ],
];

const UNKNOWN: Record<'one-way' | 'unconnected', string> = {
  'one-way': 'bounded on one side: tensors went one way only',
  unconnected: 'not bounded: no tensor went between it and the reference',
};

const NO_DRIFT: Record<NonNullable<TaskClock['drift_unknown_because']>, string> = {
  'not-connected': 'Tensors did not go both ways',
  'too-short': 'The trace is too short to tell a drift of less than 100 ppm',
  'not-a-line': 'No steady drift fits what the tensors say',
};

export function clocksTable(context: Context, clocks: Clocks, apply: () => void): ClocksTable {
  const { state } = context;
  const ends = clocks.tasks.flatMap(({ low_ns, high_ns }) => (low_ns === null || high_ns === null ? [] : [low_ns, high_ns]));
  const from = Math.min(0, ...ends);
  const span = Math.max(1, Math.max(0, ...ends) - from);
  const place = (at: number) => ((at - from) / span) * 100;
  const fields = clocks.tasks.map((clock) => ({ clock, input: offsetField(context, clock, apply) }));
  const rows = fields.map(({ clock, input }) => {
    const { task, offset_ns, low_ns, high_ns, transfers, unknown_because } = clock;
    const numeric = (text: string, title?: string) => el('td', { class: 'numeric', title }, text);
    const length = (value: number | null) => numeric(value === null ? '–' : formatDuration(value));
    const is_reference = task === clocks.reference;
    return el(
      'tr',
      {},
      el('th', { scope: 'row', title: task }, taskLabel(task), is_reference && el('span', { class: 'note' }, ' reference')),
      length(offset_ns),
      length(low_ns),
      length(high_ns),
      unknown_because
        ? el('td', { class: 'note' }, UNKNOWN[unknown_because])
        : el('td', { class: 'clock-cell' }, intervalBar(clock, place)),
      drift(clock, is_reference),
      numeric(formatCount(transfers)),
      el('td', { class: 'numeric' }, input),
    );
  });
  const head = HEADS.map(([text, title]) =>
    el(
      'th',
      { scope: 'col', title, class: text === 'Task' || text === '' ? undefined : 'numeric' },
      text === '' ? el('span', { class: 'visually-hidden' }, 'Bounds') : text,
    ),
  );
  return {
    element: el('table', { class: 'plain-table clocks-table' }, el('thead', {}, el('tr', {}, ...head)), el('tbody', {}, ...rows)),
    refresh: () => {
      const shown = shownClocks(state);
      for (const { clock, input } of fields) {
        const typed = state.clock_draft?.has(clock.task) ?? false;
        input.classList.toggle('is-typed', typed);
        const text = inMs(offsetBy(shown, clock));
        if (!typed && Number(input.value) !== Number(text)) input.value = text;
      }
    },
  };
}

/** To the microsecond, which is what receipts are recorded to. */
const inMs = (offset_ns: number): string => (Math.round(offset_ns / 1e3) / 1e3).toFixed(3);

function offsetField(context: Context, { task }: TaskClock, apply: () => void): HTMLInputElement {
  const input = el('input', {
    type: 'number',
    class: 'clock-field',
    value: '0.000',
    'aria-label': `Subtract from the times of ${taskLabel(task)}, in ms`,
    autocomplete: 'off',
    oninput: () => {
      if (Number.isFinite(input.valueAsNumber)) draftOffset(context, task, ns(Math.round(input.valueAsNumber * 1e6)));
    },
    onkeydown: (event) => {
      // Arrows change the number, and nothing of the timeline.
      event.stopPropagation();
      if (event.key === 'Enter') apply();
    },
  });
  input.step = '0.1';
  return input;
}

function intervalBar({ offset_ns, low_ns, high_ns }: TaskClock, place: (at: number) => number): HTMLElement {
  const part = (look: string, left: number, width: number) => {
    const element = el('span', { class: look });
    element.style.left = `${left}%`;
    if (width > 0) element.style.width = `${width}%`;
    return element;
  };
  const low = place(low_ns ?? 0);
  const estimate = part('clock-estimate', place(offset_ns), 0);
  return el(
    'span',
    { class: 'clock-bar', 'aria-hidden': 'true' },
    part('clock-zero', place(0), 0),
    part('clock-bounds', low, place(high_ns ?? 0) - low),
    estimate,
  );
}

function drift({ drift_ppm, drift_unknown_because }: TaskClock, is_reference: boolean): HTMLElement {
  if (!drift_ppm || is_reference)
    return el(
      'td',
      { class: 'numeric', title: drift_unknown_because ? NO_DRIFT[drift_unknown_because] : 'Others are compared with it' },
      '–',
    );
  const { low, best, high, applied } = drift_ppm;
  const title = applied
    ? 'It cannot be 0, and is part of the estimate; the offset is that in the middle of the trace'
    : 'It may be 0, and is no part of the estimate';
  return el(
    'td',
    { class: 'numeric', title },
    `${best.toFixed(1)} (${low.toFixed(1)} to ${high.toFixed(1)}) ppm${applied ? ' subtracted' : ''}`,
  );
}
