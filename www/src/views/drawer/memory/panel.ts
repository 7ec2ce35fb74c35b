// The drawer's tab of memory: one account at one moment; what is alive in it, and why.
import { sentences } from '../../../base/joined';
import { el, fill, setText } from '../../../base/dom';
import { formatBytes } from '../../../base/format';
import { say, type PlainId } from '../../../base/messages';
import { placeLabel } from '../../../base/names';
import { formatPoint, ns } from '../../../base/time';
import type { MemoryAccount, MemoryReading, MemoryReport } from '../../../engine/protocol';
import { chooseMoment, choosePlace, MEMORY, requestAlive, requestWhy, MEMORY_CHANGED } from '../../../state/shown/memory';
import { accountAt, chosenPlace, memoryOf, readingAt } from '../../../state/shown/memory_accounts';
import { toggleMemory } from '../../../state/shown/memory_lanes';
import type { State } from '../../../state/state';
import type { Figures } from '../../../state/types';
import { pictureChip } from '../../dialogs/picture_chip';
import { titled } from '../../keys/bindings';
import { answerPanel } from '../tab_panel';
import { aliveTable } from './alive_table';
import { memoryPicture } from './picture';
import { whyPart } from './why';

const READINGS: Record<MemoryReading['reading'], PlainId> = {
  records: 'memory-by-records',
  tensors: 'memory-by-lifetimes',
  'timeline.py': 'memory-by-timeline',
};

export const panel = answerPanel({
  ask: MEMORY,
  failed: say('memory-failed'),
  changed: [MEMORY_CHANGED],
  also: ['memoryAlive', 'memoryWhy', 'memoryPicture'],
  make: (context, { failed, again }) => {
    const { state } = context;
    const reading = el('select', { 'aria-label': say('memory-reading'), class: 'memory-reading' });
    const account = el('select', { 'aria-label': say('memory-account'), class: 'memory-account' });
    const peak = el('button', { class: 'chip', type: 'button', onclick: () => chooseMoment(context, null) }, say('memory-at-peak'));
    const lanes = el(
      'button',
      {
        class: 'chip memory-shown',
        type: 'button',
        title: titled(say('memory-lane-under-each'), 'memory'),
        onclick: () => toggleMemory(context),
      },
      say('under-each-device'),
    );
    const moment = el('span', { class: 'memory-moment', role: 'status' });
    const rests = el('p', { class: 'note memory-rests' });
    const nothing = el('p', { class: 'note memory-nothing' });
    const picture = memoryPicture(context, again);
    const table = aliveTable(context);
    const why = whyPart(context);
    const left = el(
      'div',
      { class: 'memory-left' },
      el('div', { class: 'memory-head' }, reading, account, peak, lanes, pictureChip(context, 'memory'), moment),
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
    const show = ({ answer: report, has_failed }: Figures<MemoryReport>) => {
      const place = chosenPlace(state);
      const of = report && place ? readingAt(report, place) : null;
      const chosen = report && place ? accountAt(report, place) : null;
      left.hidden = why.element.hidden = chosen === null;
      nothing.hidden = chosen !== null || has_failed;
      setText(nothing, report ? (report.recorded_by ?? '') : say('memory-reading-now'));
      if (!report || !place || !of || !chosen) return;
      if (listed !== of) {
        listed = of;
        fill(reading, ...report.readings.map((own) => el('option', { value: own.reading }, say(READINGS[own.reading]))));
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
      // Of sums alone nobody knows which tensors they are.
      table.element.hidden = why.element.hidden = chosen.basis === 'sums';
      table.show(alive);
      why.show(requestWhy(context), alive);
    };
    return { element, show };
  },
});

const highest = (accounts: readonly MemoryAccount[]): number =>
  accounts.reduce((best, { peak_bytes }, row) => (peak_bytes > (accounts[best]?.peak_bytes ?? 0) ? row : best), 0);

const accountLabel = ({ device_name, allocator, peak_bytes }: MemoryAccount): string =>
  say('memory-account-of', {
    device: device_name === null ? say('all-devices') : placeLabel(device_name),
    allocator: allocator || say('allocator-not-named'),
    bytes: formatBytes(peak_bytes),
  });

function momentWords({ memory_at }: State, { basis, peak_bytes, peak_ns }: MemoryAccount, bytes: number, lives: number): string {
  const at = memory_at ?? peak_ns;
  const figures = { bytes: formatBytes(bytes), tensors: basis === 'sums' ? say('tensors-not-known') : say('tensors', { count: lives }) };
  const alive = at === null ? say('alive-from-start', figures) : say('alive-at', { ...figures, at: formatPoint(ns(at), 1000) });
  return memory_at === null ? alive : say('alive-and-peak', { alive, peak: formatBytes(peak_bytes) });
}

/** What the figures rest on, what was there before, and what is not counted. */
function restsOn(of: MemoryReading, chosen: MemoryAccount, report: MemoryReport): string {
  const parts = [say('memory-rests-on-what', { what: of.rests_on })];
  if (chosen.basis === 'sums' && of.lacks !== null) parts.push(of.lacks);
  if (chosen.before_bytes > 0) parts.push(say('memory-there-before', { bytes: formatBytes(chosen.before_bytes) }));
  if (chosen.beyond_bytes) parts.push(say('memory-beyond', { bytes: formatBytes(chosen.beyond_bytes) }));
  if (of.lost > 0) parts.push(say('memory-not-counted', { count: of.lost, bytes: formatBytes(of.lost_bytes) }));
  const { frees_alone, too_large, ops_without } = of.faults;
  if (frees_alone > 0) parts.push(say('memory-frees', { count: frees_alone }));
  if (too_large > 0) parts.push(say('memory-sums', { count: too_large }));
  if (ops_without > 0) parts.push(say('memory-inputs', { count: ops_without }));
  if (report.recorded_by !== null) parts.push(report.recorded_by);
  return sentences(parts);
}
