// One finding of the doctor: what is wrong, with which ops and devices, and the button that repairs it or takes that back.
import { listedFirst } from '../../../base/joined';
import { capital, say } from '../../../base/messages';
import { el } from '../../../base/dom';
import { formatCount } from '../../../base/format';
import { placeLabel } from '../../../base/names';
import { formatDuration, formatPoint } from '../../../base/time';
import type { Finding, FoundOp } from '../../../engine/protocol';
import { chooseTab } from '../../../state/shown/tab';
import { isRepaired, repairOf, toggleRepair } from '../../../state/opened/repairs';
import type { Context } from '../../../state/state';
import { goToOp } from '../../shared/parts';

/** Names and ops beyond these are counted only. */
const MOST_DEVICES = 6;
const MOST_OPS = 12;

export function findingElement(context: Context, finding: Finding): HTMLElement {
  const { state } = context;
  const { code, is_note, title, sentence, count, counted, devices, ops, repair } = finding;
  const kind = repairOf(finding);
  const done = kind !== null && isRepaired(state, kind);
  // While another view is on its way, ops have other ids than these.
  const current = state.findings?.of === state.trace && state.pending_view === null;
  return el(
    'article',
    { class: is_note ? 'finding is-note' : 'finding', 'data-finding': code },
    el(
      'div',
      { class: 'finding-head' },
      count > 0 && el('span', { class: 'problem-count', title: say('count-of', { count, what: counted }) }, formatCount(count)),
      el('h2', {}, title),
      el('code', {}, code),
      is_note && el('span', { class: 'chip' }, say('finding-note')),
      (done || finding.repaired) && el('span', { class: 'chip is-repaired' }, say('repaired')),
    ),
    el('p', {}, capital(sentence) + say('full-stop')),
    devices.length > 0 && el('p', { class: 'note' }, listedFirst(devices.map(placeLabel), MOST_DEVICES)),
    ops.length > 0 && opsOf(context, ops, count, current),
    code === 'clocks-differ' &&
      el(
        'p',
        { class: 'finding-repair' },
        el('button', { class: 'button outlined', type: 'button', onclick: () => chooseTab(context, 'clocks') }, say('show-clocks')),
        el('span', { class: 'note' }, finding.repaired ? say('clocks-are-set') : say('clocks-can-be-aligned')),
      ),
    kind !== null &&
      el(
        'p',
        { class: 'finding-repair' },
        el(
          'button',
          { class: 'button outlined repair', type: 'button', onclick: () => toggleRepair(context, kind) },
          done ? say('undo') : say('repair'),
        ),
        el(
          'span',
          { class: 'note' },
          done ? say('repair-done', { repair: String(repair) }) : say('repair-offer', { repair: String(repair) }),
        ),
      ),
  );
}

/** The first of the ops; those that are shown can be gone to. */
function opsOf(context: Context, ops: FoundOp[], count: number, current: boolean): HTMLElement {
  const shown = ops.slice(0, MOST_OPS);
  return el(
    'ul',
    { class: 'found-ops' },
    ...shown.map(({ op, name, title, device, start_ns, end_ns }) => {
      const length = formatDuration(end_ns - start_ns);
      const at = formatPoint(start_ns, 1000);
      const words = say('found-op', { name: title === name ? name : `${name} ${title}`, device: placeLabel(device), length, at });
      // Twelve transfers are all called RecvTensor: the tensor, the device and the time tell them apart.
      const place = el('span', { class: 'note' }, say('found-op-place', { device: placeLabel(device), at }));
      if (op === null || !current)
        return el('li', { title: say('found-op-elsewhere', { op: words }) }, el('span', { class: 'op-unlinked' }, title), ' ', place);
      const link = el('button', { class: 'op-link', type: 'button', title: words, onclick: () => goToOp(context, op) }, title);
      return el('li', { title: words }, link, ' ', place);
    }),
    count > shown.length && el('li', { class: 'note' }, say('and-more', { count: count - shown.length })),
  );
}
