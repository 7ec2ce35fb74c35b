// The dialog that opens a part of files: their devices with a box each, and a window of time.
import { listed } from '../../base/joined';
import { say } from '../../base/messages';
import { el, fill, setText } from '../../base/dom';
import { formatCount } from '../../base/format';
import { placeLabel } from '../../base/names';
import { formatDuration, ns } from '../../base/time';
import type { Window } from '../../base/time_scale';
import { choicesOfTrace, choicesOfUnopened, openPart, type Choice } from '../../state/opened/part';
import type { Context } from '../../state/state';
import { sheet } from './sheet';

/** More boxes than this help nobody, and a hostile file may have any number of devices. */
const MAX_BOXES = 2_000;
const NS_PER_MS = 1e6;

/** Asks which part of the open trace, or of the files that did not open, to open. */
export async function askForPart(context: Context, of: 'trace' | 'unopened'): Promise<void> {
  const choice = await (of === 'trace' ? choicesOfTrace(context) : choicesOfUnopened(context));
  if (choice) show(context, choice);
}

function show(context: Context, choice: Choice): void {
  const { found } = choice;
  const boxes = found.devices.slice(0, MAX_BOXES).map((_, place) => el('input', { type: 'checkbox', checked: choice.chosen[place] }));
  const rows = boxes.map((box, place) => {
    const { name = '', ops = 0 } = found.devices[place] ?? {};
    return el(
      'label',
      { class: 'part-device', title: name },
      box,
      el('span', { class: 'part-device-name' }, placeLabel(name)),
      el('span', { class: 'figure' }, say('ops', { count: ops })),
    );
  });
  const from = msField(say('part-from'), choice.window?.start ?? 0);
  const to = msField(say('part-to'), choice.window?.end ?? found.span_ns);
  const summary = el('p', { class: 'note', 'aria-live': 'polite' });
  const open = el('button', { class: 'button primary', type: 'submit' }, say('open-this-subset'));
  const whole = el('button', { class: 'button', type: 'button' }, say('open-everything'));

  /** Null where the two fields make no window. */
  const windowNow = (): Window | null => {
    const [start, end] = [from.valueAsNumber, to.valueAsNumber].map((ms) => Math.round(ms * NS_PER_MS));
    return start !== undefined && end !== undefined && end > start ? { start: ns(start), end: ns(end) } : null;
  };
  const chosenNow = (): boolean[] => found.devices.map((_, place) => boxes[place]?.checked ?? false);
  const check = () => {
    const chosen = chosenNow();
    const ops = found.devices.reduce((sum, device, place) => sum + (chosen[place] ? device.ops : 0), 0);
    const has_window = windowNow() !== null;
    open.disabled = ops === 0 || !has_window;
    setText(
      summary,
      has_window
        ? say('subset-holds', {
            devices: say('devices', { count: chosen.filter(Boolean).length }),
            shown: formatCount(ops),
            all: say('ops', { count: sumOf(choice) }),
          })
        : say('subset-bad-window'),
    );
  };
  const setAll = (checked: boolean) => {
    for (const box of boxes) box.checked = checked;
    check();
  };
  const form = el(
    'form',
    {
      class: 'part-form',
      oninput: check,
      onsubmit: (event) => {
        event.preventDefault();
        const window = windowNow();
        if (!window) return;
        dialog.close();
        const is_all = window.start <= 0 && window.end >= found.span_ns;
        openPart(context, choice, chosenNow(), is_all ? null : window);
      },
    },
    el('h2', { id: 'part-title' }, say('open-a-subset')),
    el('p', { class: 'note' }, listed(choice.sources.map((source) => source.name))),
    el(
      'fieldset',
      {},
      el('legend', {}, say('devices-title')),
      el(
        'div',
        { class: 'part-all' },
        el('button', { class: 'chip', type: 'button', onclick: () => setAll(true) }, say('choose-all')),
        el('button', { class: 'chip', type: 'button', onclick: () => setAll(false) }, say('choose-none')),
        found.devices.length > MAX_BOXES &&
          el('span', { class: 'note' }, say('first-of', { shown: formatCount(MAX_BOXES), all: formatCount(found.devices.length) })),
      ),
      el('div', { class: 'part-devices', tabindex: 0, role: 'group', 'aria-label': say('devices-in-files') }, ...rows),
    ),
    el(
      'fieldset',
      {},
      el('legend', {}, say('time-title')),
      el(
        'div',
        { class: 'part-time' },
        el('label', {}, `${say('part-from')} `, from, ' ms'),
        el('label', {}, `${say('part-to')} `, to, ' ms'),
        el('span', { class: 'note', title: say('time-from-first-start') }, say('of-length', { length: formatDuration(found.span_ns) })),
      ),
      el('p', { class: 'note' }, say('subset-window-note')),
    ),
    summary,
    el(
      'div',
      { class: 'part-actions' },
      el('button', { class: 'button', type: 'button', onclick: () => dialog.close() }, say('cancel')),
      whole,
      open,
    ),
  );
  whole.addEventListener('click', () => {
    dialog.close();
    openPart(
      context,
      choice,
      found.devices.map(() => true),
      null,
    );
  });
  const dialog = sheet('part', 'part-sheet');
  fill(dialog, form);
  check();
  dialog.showModal();
}

const sumOf = ({ found }: Choice): number => found.devices.reduce((sum, device) => sum + device.ops, 0);

function msField(label: string, time_ns: number): HTMLInputElement {
  const field = el('input', { type: 'number', class: 'part-ms', 'aria-label': say('label-in-ms', { label }) });
  field.step = 'any';
  field.required = true;
  field.value = String(time_ns / NS_PER_MS);
  return field;
}
