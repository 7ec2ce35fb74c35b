// The runs of a process, the newest first; those that were traced open by a click.
import { say } from '../../base/messages';
import { el, icon, setText } from '../../base/dom';
import { formatBytes, formatCount } from '../../base/format';
import { formatDuration } from '../../base/time';
import type { WatchedRun, WatchedTrace } from '../../engine/protocol';
import { attempt } from '../../state/failures';
import { Changed } from '../../state/frame';
import type { Context } from '../../state/state';
import { chooseRuns, compareWatched, nameOf, openWatched, processOf, toggleTraced } from '../../state/watched/watch';
import { download } from '../shared/copy';
import { ICONS } from '../shared/icons';
import { fetchWords } from './calls_table';
import { cell, head, KeptRows } from './rows';
import { WATCHED_CHANGED } from '../../state/watched/below';

/** When a run began, by the clock of its machine in UTC: `14:02:31.250`. */
const timeOfDay = (unix_ns: string): string => {
  const at = new Date(Number(BigInt(unix_ns) / 1_000_000n));
  // A clock may say anything.
  return Number.isNaN(at.getTime()) ? '–' : at.toISOString().slice(11, 23);
};

export function runsTable(context: Context): HTMLElement {
  const { state, frame } = context;
  const choice = el('select', { id: 'watch-process', 'aria-label': say('watch-column-process') });
  choice.addEventListener('change', () => chooseRuns(context, choice.value, null));
  const said = el('span', { class: 'note' });
  const all = el(
    'button',
    { class: 'chip', type: 'button', onclick: () => chooseRuns(context, choice.value, null) },
    say('watch-all-calls'),
  );
  const only_traced = el(
    'button',
    { class: 'chip', type: 'button', id: 'watch-only-traced', onclick: () => toggleTraced(context) },
    say('watch-only-traced'),
  );
  const body = el('tbody', {});
  const rows = new KeptRows<WatchedRun>(body, (run) => runRow(context, run));
  const table = el(
    'table',
    { class: 'watch-table', 'aria-label': say('watch-runs-table') },
    head(
      [say('watch-column-run'), true],
      [say('watch-column-trace'), false],
      [say('watch-column-step'), true],
      [say('watch-column-began'), true],
      [say('watch-column-length'), true],
      [say('watch-column-fetches'), false],
    ),
    body,
  );
  let shown = '';
  frame.onDom([WATCHED_CHANGED, Changed.trace], () => {
    const { watching } = state;
    if (!watching) return;
    const names = watching.said?.processes.map(({ name }) => name) ?? [];
    if (shown !== names.join(' ')) {
      shown = names.join(' ');
      choice.replaceChildren(...names.map((name) => el('option', { value: name }, name)));
    }
    choice.value = processOf(watching) ?? '';
    choice.hidden = names.length === 0;
    all.hidden = watching.call === null;
    only_traced.setAttribute('aria-pressed', String(watching.traced_only));
    const { runs } = watching;
    setText(
      said,
      runs && runs.total > runs.rows.length
        ? say('watch-newest', { shown: formatCount(runs.rows.length), all: formatCount(runs.total) })
        : '',
    );
    rows.paint(
      (runs?.rows ?? []).map((run, at) => [
        `${choice.value} ${run.run} ${run.start_unix_ns} ${run.trace ?? ''} ${(runs?.total ?? 0) - at}`,
        run,
      ]),
    );
    table.hidden = !runs || runs.rows.length === 0;
  });
  return el(
    'div',
    { class: 'watch-column' },
    el('div', { class: 'watch-tools' }, choice, only_traced, all, said),
    el('div', { class: 'watch-scroll', tabindex: 0, role: 'group', 'aria-label': say('watch-runs-table') }, table),
  );
}

function runRow(context: Context, { trace }: WatchedRun): { element: HTMLElement; paint: (run: WatchedRun) => void } {
  const [number, setNumber] = cell('th', 'figure');
  const [step, setStep] = cell('td', 'figure');
  const [began, setBegan] = cell('td', 'figure');
  const [length, setLength] = cell('td', 'figure');
  const [fetches, setFetches] = cell('td', 'watch-fetches');
  const of_trace = el('td', { class: 'watch-trace' });
  const element = el('tr', {}, number, of_trace, step, began, length, fetches);
  let painted = '';
  return {
    element,
    paint: (run) => {
      setNumber(formatCount(run.run));
      setStep(run.step === null ? '' : formatCount(run.step));
      setBegan(timeOfDay(run.start_unix_ns), say('watch-began-title'));
      setLength(formatDuration(run.length_ns));
      const call = callOf(context, run);
      setFetches(call === undefined ? say('watch-unknown-call') : fetchWords(call.fetches), call?.feeds?.join('\n') ?? '');
      if (trace === null) return;
      const found = traceOf(context, trace);
      const is_open = context.state.watching?.opened.includes(trace) ?? false;
      element.classList.toggle('open', is_open);
      element.setAttribute('aria-current', String(is_open));
      const may_compare = context.state.trace !== null && !is_open;
      const now = `${run.trace_bytes} ${may_compare} ${found?.together.join(' ') ?? ''}`;
      if (now === painted) return;
      painted = now;
      of_trace.replaceChildren(...traceButtons(context, trace, run.trace_bytes, found, may_compare));
    },
  };
}

const callOf = ({ state: { watching } }: Context, { call }: WatchedRun) => {
  const process = watching && processOf(watching);
  return watching?.said?.processes.find(({ name }) => name === process)?.calls.find((own) => own.call === call);
};

const traceOf = ({ state: { watching } }: Context, path: string): WatchedTrace | undefined =>
  watching?.said?.processes.flatMap(({ traces }) => traces).find((trace) => trace.path === path);

function traceButtons(context: Context, path: string, bytes: number | null, found: WatchedTrace | undefined, may_compare: boolean): Node[] {
  if (bytes === null) return [el('span', { class: 'note', title: say('watch-gone-title') }, say('watch-gone'))];
  const name = nameOf(path);
  const together = found?.together ?? [];
  const buttons = [
    el(
      'button',
      {
        class: 'chip watch-open',
        type: 'button',
        title: say('watch-open-title', { name, size: formatBytes(bytes) }),
        'aria-label': say('watch-open-title', { name, size: formatBytes(bytes) }),
        onclick: () => openWatched(context, [path]),
      },
      say('watch-open'),
    ),
    may_compare &&
      el(
        'button',
        {
          class: 'chip watch-compare',
          type: 'button',
          title: say('watch-compare-title', { name }),
          'aria-label': say('watch-compare-title', { name }),
          onclick: () => compareWatched(context, path),
        },
        say('watch-compare'),
      ),
    ...(together.length > 0
      ? [
          el(
            'button',
            {
              class: 'chip watch-open-together',
              type: 'button',
              title: say('watch-together-title', { count: together.length }),
              onclick: () => openWatched(context, [path, ...together]),
            },
            say('watch-together', { count: together.length }),
          ),
        ]
      : []),
    el(
      'button',
      {
        class: 'button square small watch-download',
        type: 'button',
        title: say('watch-download', { name }),
        'aria-label': say('watch-download', { name }),
        onclick: () => attempt(context, say('watch-not-downloaded'), save(context, path)),
      },
      icon(ICONS.save),
    ),
  ];
  return buttons.filter((own) => own !== false);
}

async function save({ state: { watching } }: Context, path: string): Promise<void> {
  const blob = await watching?.place.file(path);
  if (blob) download(blob, nameOf(path));
}
