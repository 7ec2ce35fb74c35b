// The dialog that opens a part of files: their devices with a box each, and a window of time.
import { el, fill, setText } from '../../base/dom';
import { formatCount, plural } from '../../base/format';
import { placeLabel } from '../../base/names';
import { formatDuration, ns } from '../../base/time';
import type { Window } from '../../base/time_scale';
import { choicesOfTrace, choicesOfUnopened, openPart, type Choice } from '../../state/opened/part';
import type { Context } from '../../state/state';

const DIALOG = 'part';
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
      el('span', { class: 'figure' }, plural(ops, 'op')),
    );
  });
  const from = msField('From', choice.window?.start ?? 0);
  const to = msField('To', choice.window?.end ?? found.span_ns);
  const summary = el('p', { class: 'note', 'aria-live': 'polite' });
  const open = el('button', { class: 'button primary', type: 'submit' }, 'Open this part');
  const whole = el('button', { class: 'button', type: 'button' }, 'Open everything');

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
        ? `${plural(chosen.filter(Boolean).length, 'device')} with ${formatCount(ops)} of ${plural(sumOf(choice), 'op')}, over the whole time`
        : 'The end must come after the start.',
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
    el('h2', { id: 'part-title' }, 'Open a part'),
    el('p', { class: 'note' }, choice.sources.map((source) => source.name).join(', ')),
    el(
      'fieldset',
      {},
      el('legend', {}, 'Devices'),
      el(
        'div',
        { class: 'part-all' },
        el('button', { class: 'chip', type: 'button', onclick: () => setAll(true) }, 'All'),
        el('button', { class: 'chip', type: 'button', onclick: () => setAll(false) }, 'None'),
        found.devices.length > MAX_BOXES &&
          el('span', { class: 'note' }, `the first ${formatCount(MAX_BOXES)} of ${formatCount(found.devices.length)}`),
      ),
      el('div', { class: 'part-devices', tabindex: 0, role: 'group', 'aria-label': 'Devices found in the files' }, ...rows),
    ),
    el(
      'fieldset',
      {},
      el('legend', {}, 'Time'),
      el(
        'div',
        { class: 'part-time' },
        el('label', {}, 'From ', from, ' ms'),
        el('label', {}, 'to ', to, ' ms'),
        el('span', { class: 'note', title: 'Counted from the first start of any op in the files' }, `of ${formatDuration(found.span_ns)}`),
      ),
      el('p', { class: 'note' }, 'Ops that overlap this window are opened, whole. Time counts from the first start in the files.'),
    ),
    summary,
    el(
      'div',
      { class: 'part-actions' },
      el('button', { class: 'button', type: 'button', onclick: () => dialog.close() }, 'Cancel'),
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
  fill(dialogElement(), form);
  const dialog = dialogElement();
  check();
  dialog.showModal();
}

const sumOf = ({ found }: Choice): number => found.devices.reduce((sum, device) => sum + device.ops, 0);

function msField(label: string, time_ns: number): HTMLInputElement {
  const field = el('input', { type: 'number', class: 'part-ms', 'aria-label': `${label}, in milliseconds` });
  field.step = 'any';
  field.required = true;
  field.value = String(time_ns / NS_PER_MS);
  return field;
}

function dialogElement(): HTMLDialogElement {
  return document.getElementById(DIALOG) as HTMLDialogElement;
}

/** The dialog's place in the page; it is filled when it opens. */
export function partDialog(): HTMLElement {
  return el('dialog', { id: DIALOG, class: 'part-sheet', 'aria-labelledby': 'part-title' });
}
