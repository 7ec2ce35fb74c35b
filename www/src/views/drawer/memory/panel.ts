// The drawer's tab of memory: one account at one moment; what is alive in it, and why.
import { el, fill, setText } from '../../../base/dom';
import { formatBytes, plural } from '../../../base/format';
import { placeLabel } from '../../../base/names';
import { formatPoint, ns } from '../../../base/time';
import type { MemoryAccount, MemoryReading, MemoryReport } from '../../../engine/protocol';
import { Changed } from '../../../state/frame';
import { choosePlace, requestAlive, requestMemory, requestWhy, retryMemory, chooseMoment } from '../../../state/shown/memory';
import { accountAt, chosenPlace, memoryOf, readingAt } from '../../../state/shown/memory_accounts';
import { toggleMemory } from '../../../state/shown/memory_lanes';
import type { Context, State } from '../../../state/state';
import { titled } from '../../keys/bindings';
import { failedNote } from '../../shared/failed_note';
import { aliveTable } from './alive_table';
import { memoryPicture } from './picture';
import { whyPart } from './why';

const READING_WORDS: Record<MemoryReading['reading'], string> = {
  records: 'allocation records',
  tensors: 'lifetimes through the data flow',
  'timeline.py': 'as timeline.py counts',
};

export function memoryPanel(context: Context): HTMLElement {
  const { state, frame } = context;
  const reading = el('select', { 'aria-label': 'What the figures rest on', class: 'memory-reading' });
  const account = el('select', { 'aria-label': 'Device and allocator', class: 'memory-account' });
  const peak = el('button', { class: 'chip', type: 'button', onclick: () => chooseMoment(context, null) }, 'at the peak');
  const lanes = el(
    'button',
    {
      class: 'chip memory-shown',
      type: 'button',
      title: titled('A lane of live bytes under each device', 'memory'),
      onclick: () => toggleMemory(context),
    },
    'under each device',
  );
  const moment = el('span', { class: 'memory-moment', role: 'status' });
  const rests = el('p', { class: 'note memory-rests' });
  const nothing = el('p', { class: 'note memory-nothing' });
  const failed = failedNote('Memory could not be read.', () => retryMemory(context));
  const picture = memoryPicture(context);
  const table = aliveTable(context);
  const why = whyPart(context);
  const left = el(
    'div',
    { class: 'memory-left' },
    el('div', { class: 'memory-head' }, reading, account, peak, lanes, moment),
    rests,
    picture.element,
    table.element,
  );
  const element = el('div', { class: 'memory' }, nothing, failed, left, why.element);
  const places = (report: MemoryReport, word: string) => report.readings.find((own) => own.reading === word)?.accounts ?? [];
  reading.addEventListener('change', () => {
    const report = memoryOf(state);
    const word = reading.value as MemoryReading['reading'];
    if (report) choosePlace(context, { reading: word, account: highest(places(report, word)) });
  });
  account.addEventListener('change', () => {
    const place = chosenPlace(state);
    if (place) choosePlace(context, { ...place, account: Number(account.value) });
  });
  let listed: unknown = null;
  frame.onDom(Changed.trace | Changed.drawer | Changed.memory, () => {
    if (!state.trace || state.tab !== 'memory' || !state.drawer_open) return;
    failed.hidden = requestMemory(context)?.has_failed !== true;
    const report = memoryOf(state);
    const place = chosenPlace(state);
    const of = report && place ? readingAt(report, place) : null;
    const chosen = report && place ? accountAt(report, place) : null;
    left.hidden = why.element.hidden = chosen === null;
    nothing.hidden = chosen !== null || !failed.hidden;
    setText(nothing, report ? (report.recorded_by ?? '') : 'Reading what was allocated …');
    if (!report || !place || !of || !chosen) return;
    if (listed !== of) {
      listed = of;
      fill(reading, ...report.readings.map((own) => el('option', { value: own.reading }, `By ${READING_WORDS[own.reading]}`)));
      fill(account, ...of.accounts.map((own, row) => el('option', { value: String(row) }, accountLabel(own))));
    }
    reading.value = place.reading;
    account.value = String(place.account);
    peak.setAttribute('aria-pressed', String(state.memory_at === null));
    lanes.setAttribute('aria-pressed', String(state.memory_shown));
    const alive = requestAlive(context);
    setText(moment, alive ? momentWords(state, chosen, alive.bytes, alive.lives) : '');
    setText(rests, restsOn(of, chosen, report));
    rests.title = rests.textContent;
    picture.show(chosen);
    table.show(alive);
    why.show(requestWhy(context), alive);
  });
  return element;
}

const highest = (accounts: readonly MemoryAccount[]): number =>
  accounts.reduce((best, { peak_bytes }, row) => (peak_bytes > (accounts[best]?.peak_bytes ?? 0) ? row : best), 0);

const accountLabel = ({ device_name, allocator, peak_bytes }: MemoryAccount): string =>
  `${device_name === null ? 'all devices' : placeLabel(device_name)}, ${allocator || 'allocator not named'}: ${formatBytes(peak_bytes)}`;

function momentWords({ memory_at }: State, { peak_bytes, peak_ns }: MemoryAccount, bytes: number, lives: number): string {
  const at = memory_at ?? peak_ns;
  const when = at === null ? 'from the start on' : `at ${formatPoint(ns(at), 1000)}`;
  const peak = memory_at === null ? '' : `; the peak is ${formatBytes(peak_bytes)}`;
  return `${formatBytes(bytes)} alive ${when}, in ${plural(lives, 'tensor')}${peak}`;
}

/** What the figures rest on, what was there before, and what is not counted. */
function restsOn(of: MemoryReading, chosen: MemoryAccount, report: MemoryReport): string {
  const parts = [`It rests on ${of.rests_on}.`];
  if (chosen.before_bytes > 0) parts.push(`${formatBytes(chosen.before_bytes)} were there before the first op.`);
  if (chosen.beyond_bytes) parts.push(`At the peak the allocator had ${formatBytes(chosen.beyond_bytes)} more in use, for whomever.`);
  if (of.lost > 0)
    parts.push(`${plural(of.lost, 'tensor')} of ${formatBytes(of.lost_bytes)} are not counted: a later one has the same name.`);
  const { frees_alone, too_large, ops_without } = of.faults;
  if (frees_alone > 0) parts.push(`${plural(frees_alone, 'free')} without an allocation before.`);
  if (too_large > 0) parts.push(`${plural(too_large, 'sum')} too large to be kept: the curve stops there.`);
  if (ops_without > 0) parts.push(`The inputs of ${plural(ops_without, 'op')} were not followed: there are too many.`);
  if (report.recorded_by !== null) parts.push(report.recorded_by);
  return parts.join(' ');
}
