// A row for each task's clock: how far it is ahead, between which bounds, drawn on one axis for all; and a field to set it by hand.
import { say } from '../../../base/messages';
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

const TASK = say('column-task');
const HEADS: readonly [text: string, title: string][] = [
  [TASK, ''],
  [say('clock-ahead'), say('clock-ahead-about')],
  [say('clock-at-least'), say('clock-at-least-about')],
  [say('clock-at-most'), say('clock-at-most-about')],
  ['', say('clock-bounds-about')],
  [say('clock-drift'), say('clock-drift-about')],
  [say('column-tensors'), say('clock-tensors-about')],
  [say('clock-subtract'), say('clock-subtract-about')],
];

const UNKNOWN: Record<'one-way' | 'unconnected', string> = {
  'one-way': say('clock-one-way'),
  unconnected: say('clock-unconnected'),
};

const NO_DRIFT: Record<NonNullable<TaskClock['drift_unknown_because']>, string> = {
  'not-connected': say('drift-not-connected'),
  'too-short': say('drift-too-short'),
  'not-a-line': say('drift-not-a-line'),
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
      el('th', { scope: 'row', title: task }, taskLabel(task), is_reference && el('span', { class: 'note' }, ` ${say('clock-reference')}`)),
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
      { scope: 'col', title, class: text === TASK || text === '' ? undefined : 'numeric' },
      text === '' ? el('span', { class: 'visually-hidden' }, say('clock-bounds')) : text,
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
    'aria-label': say('clock-subtract-from', { task: taskLabel(task) }),
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
  const part = (name: string, left: number, width: number) => {
    const element = el('span', { class: name });
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
    return el('td', { class: 'numeric', title: drift_unknown_because ? NO_DRIFT[drift_unknown_because] : say('drift-reference') }, '–');
  const { low, best, high, applied } = drift_ppm;
  const title = applied ? say('drift-applied') : say('drift-not-applied');
  return el(
    'td',
    { class: 'numeric', title },
    say(applied ? 'drift-subtracted' : 'drift-ppm', { best: best.toFixed(1), low: low.toFixed(1), high: high.toFixed(1) }),
  );
}
