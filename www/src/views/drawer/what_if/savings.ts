// What would help: a row for each op type, link and device on the critical path, with a line of what the step would save as it gets faster.
import { el, fill } from '../../../base/dom';
import { say, type PlainId } from '../../../base/messages';
import { endLabel, placeLabel } from '../../../base/names';
import { formatDuration } from '../../../base/time';
import type { SavingRow } from '../../../engine/protocol';
import { addChange, moreSavings, requestSavings } from '../../../state/shown/what_if';
import type { Context } from '../../../state/state';
import type { Savings } from '../../../state/types';
import { failedNote } from '../../shared/failed_note';
import { signed } from '../../shared/signed';

/** The percentages that the core replays, in its order. */
const FASTER = [10, 25, 50, 100] as const;
/** Those that a narrow window has room for, too. */
const isWanted = (percent: number): boolean => percent >= 50;
/** Rows are sorted by what they save at this place of `FASTER`. */
const HALF = 2;
/** Of a line, in CSS pixels. */
const LINE = { width: 88, height: 22, edge: 3 };
const SVG = 'http://www.w3.org/2000/svg';

const KIND_WORDS: Readonly<Record<string, PlainId>> = {
  'op-type': 'if-kind-of-op-type',
  link: 'if-kind-of-link',
  device: 'if-kind-of-device',
};

export interface SavingsPart {
  element: HTMLElement;
  show: () => void;
}

export function savingsPart(context: Context): SavingsPart {
  const place = el('div', { class: 'if-savings' });
  const said = el('p', { class: 'note', role: 'status' });
  const more = el('button', { class: 'button outlined', type: 'button', onclick: () => moreSavings(context) }, say('if-more-rows'));
  const failed = failedNote(say('if-no-table'), () => moreSavings(context));
  const element = el('div', {}, failed, place, el('div', { class: 'if-savings-foot' }, said, more));
  let painted: Savings | null = null;
  const show = () => {
    const savings = requestSavings(context);
    if (savings === painted) return;
    painted = savings;
    const { rows = [], total = null, stopped = null } = savings ?? {};
    failed.hidden = stopped !== 'failed';
    more.hidden = stopped !== 'slow';
    said.hidden = stopped === 'failed' || (total !== null && rows.length >= total && rows.length > 0);
    said.textContent =
      total === null
        ? say('if-replaying-rows')
        : total === 0
          ? say('if-nothing-helps')
          : say('if-rows-so-far', { done: String(rows.length), total: String(total) });
    fill(place, rows.length > 0 && tableOf(context, rows));
  };
  return { element, show };
}

function tableOf(context: Context, rows: readonly SavingRow[]): HTMLElement {
  const sorted = [...rows].sort((a, b) => (b.saving_ns[HALF] ?? 0) - (a.saving_ns[HALF] ?? 0));
  const most = Math.max(...rows.flatMap(({ saving_ns }) => saving_ns), 1);
  const head = (text: string, about?: string) => el('th', { scope: 'col', title: about }, text);
  const figure = (text: string, is_wanted: boolean, about?: string) =>
    el('th', { scope: 'col', class: is_wanted ? 'numeric' : 'numeric if-less-wanted', title: about }, text);
  return el(
    'table',
    { class: 'plain-table if-saving-table' },
    el(
      'thead',
      {},
      el(
        'tr',
        {},
        head(say('if-what')),
        head(say('if-line'), say('if-line-about')),
        ...FASTER.map((percent) => figure(`−${percent} %`, isWanted(percent))),
        figure(say('if-flat'), true, say('if-flat-about')),
        figure(say('if-on-path'), false, say('if-on-path-about')),
      ),
    ),
    el('tbody', {}, ...sorted.map((row) => savingRow(context, row, most))),
  );
}

function savingRow(context: Context, row: SavingRow, most: number): HTMLElement {
  const { kind, name, saving_ns, flat_from, on_path_ns, change } = row;
  const label = labelOf(row);
  const [source, destination] = kind === 'link' ? name.split(' -> ') : [];
  const kind_word = KIND_WORDS[kind];
  const numeric = (text: string, wanted = true) => el('td', { class: wanted ? 'numeric' : 'numeric if-less-wanted' }, text);
  return el(
    'tr',
    {},
    el(
      'th',
      {
        scope: 'row',
        'data-op-type': kind === 'op-type' ? name : undefined,
        'data-link-source': destination === undefined ? undefined : source,
        'data-link-destination': destination,
        'data-device': kind === 'device' ? deviceOf(context, name) : undefined,
      },
      el(
        'button',
        {
          class: 'op-link',
          type: 'button',
          title: say('if-add-this', { name }),
          onclick: () => addChange(context, change),
        },
        label,
      ),
      kind_word && el('span', { class: 'note if-kind-word' }, say(kind_word)),
    ),
    el('td', { class: 'if-line-cell' }, savingLine(saving_ns, flat_from, most)),
    ...FASTER.map((percent, at) => numeric(signed(-(saving_ns[at] ?? 0)), isWanted(percent))),
    numeric(flat_from === null ? '–' : `${flat_from} %`),
    numeric(formatDuration(on_path_ns), false),
  );
}

const deviceOf = ({ state }: Context, name: string): string | undefined => {
  const device = state.trace?.summary.devices.findIndex((own) => own.name === name) ?? -1;
  return device < 0 ? undefined : String(device);
};

function labelOf({ kind, name }: SavingRow): string {
  if (kind === 'device') return placeLabel(name);
  if (kind !== 'link') return name;
  return name.split(' -> ').map(endLabel).join(' → ');
}

/** As COZ draws it: how much the step gains as this gets faster; all lines are on one scale. The figures next to it say the same. */
function savingLine(savings: readonly number[], flat_from: number | null, most: number): SVGElement {
  const { width, height, edge } = LINE;
  const x = (percent: number) => edge + (percent / 100) * (width - 2 * edge);
  const y = (saving: number) => height - edge - (Math.max(saving, 0) / most) * (height - 2 * edge);
  const points = [[0, 0], ...FASTER.map((percent, at) => [percent, savings[at] ?? 0])];
  const picture = document.createElementNS(SVG, 'svg');
  picture.setAttribute('viewBox', `0 0 ${width} ${height}`);
  picture.setAttribute('class', 'if-saving-line');
  picture.setAttribute('aria-hidden', 'true');
  const ground = path('if-ground', `M${edge},${height - edge}H${width - edge}`);
  const line = path(
    'if-gain',
    `M${points.map(([percent = 0, saving = 0]) => `${x(percent).toFixed(1)},${y(saving).toFixed(1)}`).join('L')}`,
  );
  picture.append(ground, line);
  if (flat_from !== null) {
    const dot = document.createElementNS(SVG, 'circle');
    dot.setAttribute('class', 'if-flat-dot');
    dot.setAttribute('cx', x(flat_from).toFixed(1));
    dot.setAttribute('cy', y(savings[FASTER.findIndex((percent) => percent === flat_from)] ?? 0).toFixed(1));
    dot.setAttribute('r', '2.5');
    picture.append(dot);
  }
  return picture;
}

function path(kind: string, d: string): SVGElement {
  const own = document.createElementNS(SVG, 'path');
  own.setAttribute('class', kind);
  own.setAttribute('d', d);
  return own;
}
