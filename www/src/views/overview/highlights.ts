// Up to three sentences of what matters most, above the timeline: who finished last and why, what was idle or waited for, the largest op type.
// A click on one shows it.
import { el, fill, type Child } from '../../base/dom';
import { formatCount, formatShare } from '../../base/format';
import { say } from '../../base/messages';
import { deviceLabel, endLabel, placeLabel, shortened, taskLabel, tensorLabel } from '../../base/names';
import { formatDuration } from '../../base/time';
import type { ClockNote, Highlights, OpId } from '../../engine/protocol';
import { Changed } from '../../state/frame';
import { answerTo, figuresOf, request } from '../../state/figures';
import { HIGHLIGHTS } from '../../state/shown/highlights';
import { arePathsQuick } from '../../state/shown/path';
import { chooseTab } from '../../state/shown/tab';
import { showWhy } from '../../state/shown/why';
import type { Context, State } from '../../state/state';
import { helpClocks, helpWords } from '../shared/clock_note';
import { goToOp } from '../shared/parts';

/** More would not be read. */
const MOST = 3;
/** Of a name in a sentence, in characters: the most with which all sentences fit next to each other; the least where none does. */
const NAMES = [60, 44, 32, 26, 22] as const;
const LEAST_NAME = 22;

interface Sentence {
  kind: string;
  /** With names of at most so many characters. */
  text: (most: number) => Child[];
  /** The whole sentence, where names are cut. */
  title: string;
  show: () => void;
}

export function highlightsRow(context: Context): HTMLElement {
  const { state, frame } = context;
  const list = el('ul', { class: 'highlights', 'aria-label': say('highlights-label') });
  const ask = el('button', { class: 'chip', type: 'button', onclick: () => request(context, HIGHLIGHTS) }, say('highlights-ask'));
  const row = el(
    'div',
    { class: 'step-row highlights-row' },
    el('div', { class: 'side' }, el('span', { class: 'scope-name' }, say('highlights-title')), ask),
    list,
  );
  let shown: Highlights | null = null;
  frame.onDom([Changed.trace | Changed.totals, 'highlights'], () => {
    // With the totals the data flow has been followed, and the first frame is long there.
    if (state.trace && (state.trace.summary.transfers ?? null) !== null && arePathsQuick(state)) request(context, HIGHLIGHTS);
    const found = answerTo(state, HIGHLIGHTS);
    // That the clocks differ is known before what else matters is.
    const clocks = state.trace?.summary.clocks;
    // Of a large trace, somebody has to want them.
    ask.hidden = found !== null || arePathsQuick(state) || figuresOf(state, HIGHLIGHTS) !== null;
    const nothing = (found !== null && sentencesOf(context, found).length === 0) || state.answers.highlights?.has_failed === true;
    row.hidden = nothing && !clocks;
    if (found === shown && found) return;
    shown = found;
    sentences = found ? sentencesOf(context, found) : clocks ? [clocksDiffer(context, clocks)] : [];
    fill(list, ...sentences.map(itemOf));
    fitNames();
  });
  let sentences: readonly Sentence[] = [];
  const fitNames = (): void => {
    if (list.clientWidth === 0) return;
    const fits = (most: number) => {
      for (const [at, { text }] of sentences.entries()) fill(list.children[at]?.firstElementChild as HTMLElement, ...text(most));
      return list.scrollWidth <= list.clientWidth;
    };
    if (!NAMES.some(fits)) fits(LEAST_NAME);
  };
  new ResizeObserver(fitNames).observe(list);
  return row;
}

const itemOf = ({ kind, text, title, show }: Sentence): HTMLElement =>
  el('li', {}, el('button', { class: `highlight highlight-${kind}`, type: 'button', title, onclick: show }, ...text(LEAST_NAME)));

export function sentencesOf(context: Context, found: Highlights): Sentence[] {
  const { clocks } = found;
  return [
    clocks ? clocksDiffer(context, clocks) : null,
    straggler(context, found),
    idle(context, found),
    wait(context, found),
    opType(context, found),
  ]
    .filter((sentence) => sentence !== null)
    .slice(0, MOST);
}

/** Said first: what compares tasks is withheld until the clocks are aligned, which a click does. */
function clocksDiffer(context: Context, note: ClockNote): Sentence {
  return {
    kind: 'clocks',
    text: () => [strong(note.sentence)],
    title: [say('clock-note-first', { said: note.sentence }), note.withheld, helpWords(note)].join('\n'),
    show: () => helpClocks(context, note),
  };
}

const strong = (text: string): HTMLElement => el('strong', {}, text);

/** A name as the line has room for it; the title has all of it. */
const short = (name: string, most: number): string => shortened(name, (text) => text.length <= most) ?? name;

/** `in step 3: ` where several steps are shown. */
const inStep = ({ several_steps }: Highlights, step: number | undefined): string =>
  several_steps && step !== undefined ? say('highlight-in-step', { step: formatCount(step) }) : '';

/** `rest` says what there is to say, with names as it is given them. */
function sentence(kind: string, who: string, rest: (name: (name: string) => string) => string, show: () => void): Sentence {
  const whole = say('highlight-whole', { who, rest: rest((name) => name) });
  const text = (most: number): Child[] => [strong(short(who, most)), ` ${rest((name) => short(name, most))}`];
  return { kind, text, title: `${whole}\n${say('highlight-show')}`, show };
}

function straggler(context: Context, found: Highlights): Sentence | null {
  const { straggler: row } = found;
  const next = row?.ended[1];
  if (!row || !next) return null;
  const last = say('highlight-last', { length: formatDuration(row.after_next_ns), task: endLabel(next.task) });
  const { cause } = row;
  const rest = (name: (name: string) => string): string =>
    cause ? say('highlight-last-because', { last, cause: say('highlight-cause', { op: name(cause.op.name), kind: cause.kind }) }) : last;
  const show = (): void => (cause ? showWhy(context, cause.op.op) : showLast(context, row.ended[0]?.op));
  return sentence('straggler', endLabel(row.task), (name) => `${inStep(found, row.step)}${rest(name)}`, show);
}

function showLast(context: Context, op: OpId | undefined): void {
  if (op !== undefined) goToOp(context, op);
}

function idle(context: Context, { idle: found, span_ns }: Highlights): Sentence | null {
  if (!found) return null;
  const rest = say('highlight-idle', { length: formatDuration(found.idle_ns), share: formatShare(found.idle_ns / span_ns) });
  return sentence(
    'idle',
    deviceLabel(found.name),
    () => rest,
    () => chooseTab(context, 'path'),
  );
}

function wait(context: Context, found: Highlights): Sentence | null {
  const { wait: row } = found;
  if (!row) return null;
  const length = formatDuration(row.waited_ns);
  const tensor = tensorLabel(row.tensor);
  const named = row.is_gradient ? say('gradient-of', { tensor }) : tensor;
  const source = row.source === undefined ? null : placeOf(context.state, row.source);
  const rest = (name: (name: string) => string): string =>
    source === null
      ? say('highlight-wait', { length, tensor: name(named) })
      : say('highlight-wait-from', { length, tensor: name(named), source });
  const device = context.state.trace?.summary.devices[row.device ?? -1]?.name ?? '';
  return sentence('wait', placeOf(context.state, device), rest, () => goToOp(context, row.worst));
}

function opType(context: Context, { op_type: found }: Highlights): Sentence | null {
  if (!found) return null;
  const facts = { share: formatShare(found.share_ppm / 1e6), length: formatDuration(found.self_ns) };
  const { any_ns } = found;
  const rest = any_ns === null ? say('highlight-op-type', facts) : say('highlight-op-type-sum', { ...facts, any: formatDuration(any_ns) });
  return sentence(
    'op-type',
    found.op_type,
    () => rest,
    () => goToOp(context, found.longest),
  );
}

/** A device, by its task alone where that has no other. */
function placeOf({ trace }: State, device: string): string {
  const devices = trace?.summary.devices ?? [];
  const task = devices.find(({ name }) => name === device)?.task ?? null;
  return task !== null && devices.filter((own) => own.task === task).length === 1 ? taskLabel(task) : placeLabel(device);
}
