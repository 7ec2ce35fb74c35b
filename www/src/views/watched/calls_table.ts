// What runs fetch and are fed, by process: how often, and how long it took.
import { listed } from '../../base/joined';
import { say } from '../../base/messages';
import { el, setText } from '../../base/dom';
import { formatCount } from '../../base/format';
import { formatDuration } from '../../base/time';
import type { CallRow } from '../../engine/protocol';
import type { Context } from '../../state/state';
import { chooseRuns, processOf } from '../../state/watched/watch';
import { cell, head, KeptRows } from './rows';
import { WATCHED_CHANGED } from '../../state/watched/below';

interface Row extends CallRow {
  process: string;
  /** How many lines of the process there are: its name stands in the first. */
  is_first: boolean;
}

const NONE = '–';

/** What is fetched, in a line; what is fed stands in the title. */
export const fetchWords = (fetches: readonly string[] | null): string =>
  fetches === null ? say('watch-unknown-call') : fetches.length === 0 ? say('watch-no-fetches') : listed(fetches);

export function callsTable(context: Context): HTMLElement {
  const { state, frame } = context;
  const body = el('tbody', {});
  const rows = new KeptRows<Row>(body, () => {
    const [process, setProcess] = cell('td', 'watch-process');
    const choose = el('button', { class: 'watch-call', type: 'button' });
    const fetches = el('th', { scope: 'row', class: 'watch-fetches' }, choose);
    const figures = Array.from({ length: 4 }, () => cell('td', 'figure'));
    let shown: Row | null = null;
    choose.addEventListener('click', () => {
      if (!shown) return;
      const is_chosen = choose.getAttribute('aria-pressed') === 'true' && state.watching?.call === shown.call;
      chooseRuns(context, shown.process, is_chosen ? null : shown.call);
    });
    return {
      element: el('tr', {}, process, fetches, ...figures.map(([element]) => element)),
      paint: (row) => {
        shown = row;
        setProcess(row.is_first ? row.process : '', row.process);
        setText(choose, fetchWords(row.fetches));
        choose.title = say('watch-call-title', {
          fetches: fetchWords(row.fetches),
          feeds: row.feeds && row.feeds.length > 0 ? listed(row.feeds) : NONE,
        });
        const { watching } = state;
        choose.setAttribute(
          'aria-pressed',
          String(watching !== null && processOf(watching) === row.process && watching.call === row.call && row.call !== null),
        );
        const duration = (ns: number | null) => (ns === null ? NONE : formatDuration(ns));
        const range =
          row.min_ns === null || row.max_ns === null
            ? ''
            : say('watch-range', { min: formatDuration(row.min_ns), max: formatDuration(row.max_ns) });
        const texts = [formatCount(row.runs), duration(row.mean_ns), formatCount(row.traced), duration(row.traced_mean_ns)];
        for (const [at, text] of texts.entries()) figures[at]?.[1](text, at === 1 ? range : '');
      },
    };
  });
  const table = el(
    'table',
    { class: 'watch-table', 'aria-label': say('watch-calls') },
    head(
      [say('watch-column-process'), false],
      [say('watch-column-fetches'), false],
      [say('watch-column-runs'), true],
      [say('watch-column-mean'), true],
      [say('watch-column-traced'), true],
      [say('watch-column-traced-mean'), true],
    ),
    body,
  );
  const dropped = el('p', { class: 'note', id: 'watch-dropped' });
  const none = el('p', { class: 'note watch-none' }, say('watch-nothing-yet-more'));
  frame.onDom([WATCHED_CHANGED], () => {
    const said = state.watching?.said;
    if (!said) return;
    const all = said.processes.flatMap(({ name, calls }) => calls.map((call, at): Row => ({ ...call, process: name, is_first: at === 0 })));
    rows.paint(all.map((row) => [`${row.process} ${row.call}`, row]));
    table.hidden = all.length === 0;
    none.hidden = all.length > 0;
    const gone = said.processes.reduce((sum, process) => sum + process.dropped, 0);
    dropped.hidden = gone === 0;
    setText(dropped, say('watch-dropped', { count: gone }));
  });
  return el('div', { class: 'watch-scroll', tabindex: 0, role: 'group', 'aria-label': say('watch-calls') }, table, none, dropped);
}
