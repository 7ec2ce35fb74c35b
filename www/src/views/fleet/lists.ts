// Next to the picture: who keeps the fleet waiting, findings, links, and files that were not read.
import { clauses } from '../../base/joined';
import { el, refill, type Child } from '../../base/dom';
import { formatCount } from '../../base/format';
import { say, type PlainId } from '../../base/messages';
import { formatDuration } from '../../base/time';
import type { FleetFigure } from '../../engine/protocol';
import { chooseTask, setList, FLEET_CHANGED } from '../../state/fleet/open';
import { openTrace } from '../../state/fleet/trace';
import { FLEET_LISTS, type Fleet, type FleetList } from '../../state/fleet_open';
import type { Context } from '../../state/state';
import { beforeAfterPart } from './before_after';
import { daysPart } from './days';
import { linkMatrix } from './links';
import { FIGURE_WORDS, taskWords } from './words';

const TITLES: Readonly<Record<FleetList, PlainId>> = {
  stragglers: 'fleet-stragglers',
  findings: 'fleet-findings',
  links: 'fleet-links',
  days: 'fleet-days',
  'before-after': 'fleet-before-after',
  files: 'fleet-files',
};

/** The most rows of a list that are shown. */
const MOST_ROWS = 100;
/** Fewer days have nothing to compare. */
const LEAST_DAYS = 2;

export function fleetLists(context: Context): HTMLElement {
  const { state, frame } = context;
  const tabs = FLEET_LISTS.map((list) => {
    const count = el('span', { class: 'tab-count' });
    const tab = el(
      'button',
      {
        id: `fleet-tab-${list}`,
        class: 'tab',
        role: 'tab',
        type: 'button',
        'aria-controls': 'fleet-list',
        onclick: () => setList(context, list),
        onkeydown: (event) => walk(event, list),
      },
      say(TITLES[list]),
      count,
    );
    return { list, tab, count };
  });
  const walk = (event: KeyboardEvent, list: FleetList) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const at = (FLEET_LISTS.indexOf(list) + by + FLEET_LISTS.length) % FLEET_LISTS.length;
    setList(context, FLEET_LISTS[at] ?? 'stragglers');
    tabs[at]?.tab.focus();
  };
  const body = el('div', { id: 'fleet-list', class: 'fleet-list', role: 'tabpanel', tabindex: 0 });
  const parts: Parts = { days: daysPart(context), before_after: beforeAfterPart(context) };
  let shown: unknown[] = [];
  frame.onDom([FLEET_CHANGED], () => {
    const { fleet } = state;
    if (!fleet?.run) return;
    for (const { list, tab, count } of tabs) {
      const is_it = list === fleet.list;
      tab.setAttribute('aria-selected', String(is_it));
      tab.tabIndex = is_it ? 0 : -1;
      if (is_it) body.setAttribute('aria-labelledby', tab.id);
      const rows = countOf(fleet, list);
      count.textContent = rows === null ? '' : formatCount(rows);
      tab.hidden = list === 'days' && (fleet.overview?.days.length ?? 0) < LEAST_DAYS;
    }
    const now = [fleet.run, fleet.stragglers, fleet.list, fleet.days, fleet.before_after, fleet.chosen?.column];
    if (now.every((part, at) => part === shown[at])) return;
    shown = now;
    refill(body, ...rowsOf(context, parts, fleet));
  });
  return el(
    'div',
    { class: 'fleet-side' },
    el('div', { class: 'fleet-tabs', role: 'tablist', 'aria-label': say('fleet-lists') }, ...tabs.map(({ tab }) => tab)),
    body,
  );
}

/** How many rows a list has; null where that is known only once it was asked for. */
function countOf({ run, stragglers }: Fleet, list: FleetList): number | null {
  if (list === 'days' || list === 'before-after') return null;
  if (!run) return 0;
  const { lists } = run;
  if (list === 'stragglers') return (stragglers?.behind.length ?? 0) + lists.stragglers.length;
  if (list === 'findings') return lists.findings.length;
  return list === 'links' ? lists.links.cells.length : lists.files.damaged + lists.files.unreadable;
}

/** The lists with controls in them. */
interface Parts {
  days: (fleet: Fleet) => Child[];
  before_after: (fleet: Fleet) => Child[];
}

function rowsOf(context: Context, parts: Parts, fleet: Fleet): Child[] {
  if (fleet.list === 'stragglers') return stragglers(context, fleet);
  if (fleet.list === 'findings') return findings(context, fleet);
  if (fleet.list === 'days') return parts.days(fleet);
  if (fleet.list === 'before-after') return parts.before_after(fleet);
  return fleet.list === 'links' ? [linkMatrix(fleet)] : files(context, fleet);
}

/** A row: its first words lead to a cell, or its trace. */
function row(title: string, figures: string, about: string, go: () => void, go_title: string): HTMLElement {
  return el(
    'li',
    { class: 'fleet-row' },
    el('button', { class: 'fleet-row-title', type: 'button', title: go_title, onclick: go }, title),
    el('span', { class: 'fleet-row-figures' }, figures),
    about !== '' && el('span', { class: 'note fleet-row-about' }, about),
  );
}

const listOf = (rows: readonly HTMLElement[], label: string): HTMLElement => el('ul', { 'aria-label': label }, ...rows.slice(0, MOST_ROWS));

const noneNote = (words: string): HTMLElement => el('p', { class: 'note fleet-none' }, words);

function stragglers(context: Context, fleet: Fleet): Child[] {
  const { stragglers: said, run } = fleet;
  if (!said || !run) return [noneNote(say('fleet-looking'))];
  const behind = said.behind.map((own) =>
    row(
      taskWords(own.task),
      formatDuration(own.time_ns),
      clauses([
        say('fleet-behind-in', { steps: say('steps', { count: own.steps }) }),
        say('fleet-more-of', { figure: FIGURE_WORDS[own.part as FleetFigure], value: formatDuration(own.part_ns) }),
      ]),
      () => chooseTask(context, own.row, own.column),
      say('fleet-show-worst'),
    ),
  );
  const ended = run.lists.stragglers.map((own) =>
    row(
      taskWords(own.task),
      formatDuration(own.time_ns),
      clauses(
        [say('fleet-last-in', { steps: say('steps', { count: own.steps }) }), own.cause, own.cause_op_type].filter((part) => part !== ''),
      ),
      () => openTrace(context, own.source, own.step),
      say('fleet-opens', { file: own.source }),
    ),
  );
  if (behind.length + ended.length === 0) return [noneNote(say(said.judged_steps === 0 ? 'fleet-worst-unjudged' : 'fleet-no-stragglers'))];
  return [
    behind.length > 0 && el('h2', {}, say('fleet-by-work')),
    behind.length > 0 && el('p', { class: 'note' }, say('fleet-by-work-about')),
    behind.length > 0 && listOf(behind, say('fleet-by-work')),
    ended.length > 0 && el('h2', {}, say('fleet-by-end')),
    ended.length > 0 && el('p', { class: 'note' }, say('fleet-by-end-about')),
    ended.length > 0 && listOf(ended, say('fleet-by-end')),
  ];
}

function findings(context: Context, { run }: Fleet): Child[] {
  const own = run?.lists.findings ?? [];
  const left_out = run?.lists.findings_left_out ?? 0;
  if (own.length === 0) return [noneNote(say('fleet-no-findings'))];
  return [
    el('p', { class: 'note' }, say('fleet-findings-about')),
    listOf(
      own.map((finding) =>
        row(
          finding.what,
          finding.with_saving > 0 ? formatDuration(finding.saving_ns) : '–',
          clauses(
            [say('fleet-file-count', { count: finding.sources }), taskWords(finding.task)].filter(
              (_, at) => at === 0 || finding.task !== '',
            ),
          ),
          () => openTrace(context, finding.source, finding.step),
          say('fleet-opens', { file: finding.source }),
        ),
      ),
      say('fleet-findings'),
    ),
    left_out > 0 && el('p', { class: 'note' }, say('fleet-findings-left-out', { count: left_out })),
  ];
}

const STATES: Readonly<Record<string, PlainId>> = { damaged: 'fleet-file-damaged', unreadable: 'fleet-file-unreadable' };

function files(context: Context, { run }: Fleet): Child[] {
  const own = run?.lists.files;
  if (!own) return [];
  const { whole, damaged, unreadable, no_trace, failed } = own;
  const counts = el(
    'p',
    { class: 'note' },
    clauses([
      say('fleet-files-whole', { count: whole }),
      say('fleet-files-damaged', { count: damaged }),
      say('fleet-files-unreadable', { count: unreadable }),
      say('fleet-files-other', { count: no_trace }),
    ]),
  );
  if (failed.length === 0) return [counts];
  return [
    counts,
    listOf(
      failed.map((file) =>
        row(
          file.source,
          say(STATES[file.state] ?? 'fleet-file-unreadable'),
          file.what,
          () => openTrace(context, file.source, 1),
          say('fleet-opens', { file: file.source }),
        ),
      ),
      say('fleet-files'),
    ),
    damaged + unreadable > MOST_ROWS &&
      el('p', { class: 'note' }, say('fleet-first-of', { shown: formatCount(MOST_ROWS), all: formatCount(damaged + unreadable) })),
  ];
}
