// The drawer's first tab: the figures of the selected range, or of the whole step while there is none.
import { say } from '../../../base/messages';
import { el, setText } from '../../../base/dom';
import { placeLabel } from '../../../base/names';
import { formatDuration, formatEnds } from '../../../base/time';
import type { RangeQuery } from '../../../engine/protocol';
import { repairWords } from '../../../state/opened/repairs';
import { Changed } from '../../../state/frame';
import { latest } from '../../../state/latest';
import { chooseDevice } from '../../../state/shown/chosen_device';
import { setRange } from '../../../state/shown/select';
import { EVERY_DEVICE, type ChosenDevice } from '../../../state/types';
import { mixesClocks, scope, scopeQuery } from '../../../state/scope';
import { unitWords } from '../../../state/layout/units';
import { failedNote } from '../../shared/failed_note';
import { CONCURRENCY_BINS, concurrencyChart } from './concurrency';
import { linksTable } from './links';
import { patternsMenu } from './patterns';
import { splitsTable } from './splits';
import { typesTable } from './op_types';
import { REPAIRED_MARK, wholeChip, wholeWords } from '../../shared/words';
import { reportFailure } from '../../../state/failures';
import { isShown, type MakePanel } from '../tab_panel';

const part = (name: string, ...content: HTMLElement[]): HTMLElement =>
  el('section', { class: 'range-part', 'aria-label': name }, ...content);
const chip = (text: string, title: string, run: () => void): HTMLButtonElement =>
  el('button', { class: 'chip', type: 'button', title, onclick: run }, text);
const title = (): HTMLElement => el('h2', { class: 'range-title' });

export const panel: MakePanel = (context, tab) => {
  const { state, frame, engine } = context;
  const choose = (chosen: ChosenDevice) => chooseDevice(context, chosen);
  const length = title();
  const where = el('span', { class: 'note' });
  const whole = chip('', say('back-to-everything'), () => setRange(context, null));
  const lanes = chip('', say('back-to-all-lanes'), () => setRange(context, state.range));
  const chart = concurrencyChart();
  const splits = splitsTable(context, [length, where, whole, lanes], chart.element, () => state.chosen_device, choose);
  const of_device = title();
  const all = chip(say('all-devices'), say('back-to-all-devices'), () => choose(EVERY_DEVICE));
  const types = typesTable(context, [of_device, all, patternsMenu(context)]);
  const links = linksTable(context);
  const links_part = part(say('tab-transfers'), links.element);
  const failed = failedNote(say('range-failed'), () => ask());
  const element = el(
    'div',
    { class: 'range' },
    part(say('split-per-device'), failed, splits.element),
    part(say('op-types-title'), types.element),
    links_part,
  );

  const fail = (thrown: unknown) => {
    if (!reportFailure(context, say('range-not-counted'), thrown)) return;
    failed.hidden = false;
    asked = null;
  };
  const requestTypes = latest((query: RangeQuery) => engine.ask('opTypes', query), types.update, fail);
  const requestLinks = latest((query: RangeQuery) => engine.ask('range', query), links.update, fail);
  const requestChart = latest(
    (query: RangeQuery) => engine.ask('concurrency', query, CONCURRENCY_BINS),
    (answer, { start_ns, end_ns }) => chart.update(answer, { start: start_ns, end: end_ns }),
    fail,
  );
  let asked: RangeQuery | null = null;
  const ask = () => {
    const { device, accelerator } = state.chosen_device;
    const query = scopeQuery(state, device, accelerator);
    if (asked && same(asked, query)) return;
    asked = query;
    failed.hidden = true;
    requestTypes(query);
    requestLinks(query);
    requestChart(query);
    const { summary } = state.trace ?? {};
    const name =
      device === null || !summary ? '' : accelerator ? unitWords(summary, device).place : placeLabel(summary.devices[device]?.name ?? '');
    setText(of_device, device === null ? say('op-types-title') : say('op-types-of', { device: name }));
    all.hidden = device === null;
  };
  const sayScope = () => {
    const { start, end } = scope(state);
    setText(length, `${state.range ? say('range-title') : wholeWords(state)} ${formatDuration(end - start)}`);
    const repaired = state.trace?.summary.devices.some((device) => device.repaired) ? `${REPAIRED_MARK} ${say('repaired')}` : '';
    setText(where, [state.range ? say('from-to-short', formatEnds(start, end)) : '', repaired].join(' ').trim());
    where.title = repairWords(state);
    whole.hidden = !state.range;
    setText(whole, wholeChip(state));
    lanes.hidden = !state.range_lanes;
    setText(lanes, say('lanes', { count: state.range_lanes?.length ?? 0 }));
  };
  frame.onDom([Changed.trace, Changed.scope, Changed.totals, Changed.drawer, Changed.selection, Changed.chosen], (changed) => {
    if (!state.trace) return;
    if (changed.has(Changed.trace)) asked = null;
    if (!isShown(state, tab)) return;
    if (changed.has(Changed.selection)) types.mark();
    if (changed.isOnly(Changed.selection)) return;
    if (changed.has(Changed.chosen)) splits.mark();
    // Where nothing was sent, the op types have the room.
    links_part.hidden = state.trace.summary.transfers === 0;
    chart.element.hidden = mixesClocks(state);
    sayScope();
    splits.refresh(true);
    ask();
  });
  return element;
};

const same = (a: RangeQuery, b: RangeQuery): boolean =>
  a.start_ns === b.start_ns && a.end_ns === b.end_ns && a.device === b.device && a.accelerator === b.accelerator && a.lanes === b.lanes;
