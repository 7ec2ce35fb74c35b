// The traces below a folder where no recorder has been: a click opens one, and two are compared. Where there is none, what was looked for.
import { clauses } from '../../base/joined';
import { say } from '../../base/messages';
import { el, setText } from '../../base/dom';
import { formatBytes, formatCount } from '../../base/format';
import { formatMoment } from '../../base/clock';
import { Changed } from '../../state/frame';
import type { Context } from '../../state/state';
import { candidates, compareBelow, MOST_LISTED, openBelow, WATCHED_CHANGED } from '../../state/watched/below';
import type { TraceBelow, Watching } from '../../state/watching';
import { cell, head, KeptRows, type KeptRow } from './rows';

/** Whether the folder is about the traces below it: no recorder has been here. */
export const isAboutBelow = ({ said, below }: Watching): boolean => said?.processes.length === 0 && below !== null;

export function belowTable(context: Context): HTMLElement {
  const { state, frame } = context;
  const said = el('p', { class: 'note', role: 'status' });
  const body = el('tbody', {});
  const rows = new KeptRows<TraceBelow>(body, ({ path }) => row(context, path));
  const table = el(
    'table',
    { id: 'watch-below', class: 'watch-table', 'aria-label': say('watch-below-table') },
    head(
      [say('watch-column-trace'), false],
      [say('watch-column-changed'), false],
      [say('watch-column-size'), true],
      [say('watch-column-steps'), true],
      [say('watch-column-verdict'), false],
    ),
    body,
  );
  const element = el(
    'div',
    { class: 'watch-column' },
    said,
    el('div', { class: 'watch-scroll', tabindex: 0, role: 'group', 'aria-label': say('watch-below-table') }, table),
  );
  frame.onDom([WATCHED_CHANGED, Changed.trace], () => {
    const { watching } = state;
    element.hidden = !watching || !isAboutBelow(watching);
    if (!watching || element.hidden) return;
    const traces = candidates(watching);
    setText(said, saidOf(watching, traces));
    table.hidden = traces.length === 0;
    rows.paint(traces.slice(0, MOST_LISTED).map((trace) => [trace.path, trace]));
  });
  return element;
}

function saidOf({ below, unread }: Watching, traces: readonly TraceBelow[]): string {
  const others = (below?.length ?? 0) - traces.length;
  return clauses([
    traces.length === 0 ? say('watch-below-none') : say('watch-below-count', { count: traces.length }),
    traces.length > MOST_LISTED && say('watch-newest', { shown: formatCount(MOST_LISTED), all: formatCount(traces.length) }),
    others > 0 && say('watch-below-others', { count: others }),
    unread > 0 && say('watch-below-unread', { count: unread }),
  ]);
}

function row(context: Context, path: string): KeptRow<TraceBelow> {
  const compare = el(
    'button',
    {
      class: 'chip watch-compare',
      type: 'button',
      title: say('watch-compare-title', { name: path }),
      'aria-label': say('watch-compare-title', { name: path }),
      onclick: () => compareBelow(context, path),
    },
    say('watch-compare'),
  );
  const open = el('button', { class: 'chip watch-open', type: 'button', onclick: () => openBelow(context, path) }, path);
  const name = el('th', { scope: 'row', class: 'watch-trace' }, open, compare);
  const [changed, setChanged] = cell('td', '');
  const [size, setSize] = cell('td', 'figure');
  const [steps, setSteps] = cell('td', 'figure');
  const [verdict, setVerdict] = cell('td', 'watch-fetches');
  const element = el('tr', {}, name, changed, size, steps, verdict);
  return {
    element,
    paint: (trace) => {
      const { trace: open_trace, watching } = context.state;
      const is_open = open_trace !== null && (watching?.opened.includes(path) ?? false);
      element.classList.toggle('open', is_open);
      element.setAttribute('aria-current', String(is_open));
      compare.hidden = open_trace === null || is_open;
      open.title = say('watch-open-title', { name: path, size: formatBytes(trace.bytes) });
      setChanged(formatMoment(trace.changed));
      setSize(formatBytes(trace.bytes));
      const { said } = trace;
      const glance = said !== null && typeof said === 'object' && 'ops' in said ? said : null;
      setSteps(glance ? formatCount(glance.steps) : '');
      const words = said === 'large' ? say('watch-below-large') : said === null ? say('watch-below-reading') : (glance?.verdict ?? '');
      setVerdict(words, words);
    },
  };
}
