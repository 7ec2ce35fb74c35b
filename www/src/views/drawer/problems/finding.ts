// One finding of the doctor: what is wrong, with which ops and devices, and the button that repairs it or takes that back.
import { el } from '../../../base/dom';
import { formatCount, plural } from '../../../base/format';
import { placeLabel } from '../../../base/names';
import { formatDuration } from '../../../base/time';
import type { Finding, FoundOp } from '../../../engine/protocol';
import { chooseTab } from '../../../state/shown/tab';
import { isRepaired, repairOf, toggleRepair } from '../../../state/opened/doctor';
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
  const current = state.findings?.of === state.trace && state.looking === null;
  return el(
    'article',
    { class: is_note ? 'finding is-note' : 'finding', 'data-finding': code },
    el(
      'div',
      { class: 'finding-head' },
      count > 0 && el('span', { class: 'problem-count', title: plural(count, counted) }, formatCount(count)),
      el('h2', {}, title),
      el('code', {}, code),
      is_note && el('span', { class: 'chip' }, 'note'),
      (done || finding.repaired) && el('span', { class: 'chip is-repaired' }, 'repaired'),
    ),
    el('p', {}, `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`),
    devices.length > 0 && el('p', { class: 'note' }, listed(devices.map(placeLabel), MOST_DEVICES)),
    ops.length > 0 && opsOf(context, ops, count, current),
    code === 'clocks-differ' &&
      el(
        'p',
        { class: 'finding-repair' },
        el('button', { class: 'button outlined', type: 'button', onclick: () => chooseTab(context, 'clocks') }, 'Show the clocks'),
        el('span', { class: 'note' }, finding.repaired ? 'They are set.' : 'They can be aligned.'),
      ),
    kind !== null &&
      el(
        'p',
        { class: 'finding-repair' },
        el(
          'button',
          { class: 'button outlined repair', type: 'button', onclick: () => toggleRepair(context, kind) },
          done ? 'Undo' : 'Repair',
        ),
        el('span', { class: 'note' }, done ? `Done: ${repair}. What it touched is marked.` : `Would ${repair}.`),
      ),
  );
}

function listed(names: string[], most: number): string {
  const more = names.length - most;
  return more > 0 ? `${names.slice(0, most).join(', ')} and ${formatCount(more)} more` : names.join(', ');
}

/** The first of the ops; those that are shown can be gone to. */
function opsOf(context: Context, ops: FoundOp[], count: number, current: boolean): HTMLElement {
  const shown = ops.slice(0, MOST_OPS);
  return el(
    'ul',
    { class: 'found-ops' },
    ...shown.map(({ op, name, device, start_ns, end_ns }) => {
      const words = `${name}, ${placeLabel(device)}, ${formatDuration(end_ns - start_ns)}, recorded at ${formatDuration(start_ns)}`;
      if (op === null || !current)
        return el('li', { title: `${words}; not in what is shown now` }, el('span', { class: 'op-unlinked' }, name));
      return el('li', {}, el('button', { class: 'op-link', type: 'button', title: words, onclick: () => goToOp(context, op) }, name));
    }),
    count > shown.length && el('li', { class: 'note' }, `and ${formatCount(count - shown.length)} more`),
  );
}
