// The dialog that saves the open trace for other tools: the choice of a format, then how far its file is.
import { say } from '../../base/messages';
import { el, fill, setText } from '../../base/dom';
import { formatBytes, formatShare } from '../../base/format';
import { ONLY_HOSTED, SAVE_FORMATS, SESSION, type LeftOut } from '../../engine/protocol';
import { showError } from '../../state/failures';
import { countOfSteps } from '../../state/opened/steps';
import { savedFile, type SavedFile, type Written } from '../../state/opened/saved_file';
import { saySaved } from '../../state/shown/saved';
import type { Context } from '../../state/state';
import { download } from '../shared/copy';
import { saveWays } from './save_ways';
import { sheet } from './sheet';

export function askToSave(context: Context): void {
  const { trace } = context.state;
  if (!trace) return;
  const dialog = sheet('save', 'part-sheet');
  // What was chosen last, while the page is open.
  const last = dialog.querySelector<HTMLInputElement>('input:checked')?.value;
  const is_hosted = context.page.fileUrl('') !== null;
  const formats = SAVE_FORMATS.filter(({ word }) => is_hosted || word !== ONLY_HOSTED);
  let chosen: (typeof SAVE_FORMATS)[number] = formats.find(({ word }) => word === last) ?? SAVE_FORMATS[0];
  let saving: AbortController | null = null;

  const boxes = formats.map((format) =>
    el('input', { type: 'radio', name: 'save-format', value: format.word, checked: format === chosen }),
  );
  const choice = el(
    'fieldset',
    {},
    el('legend', {}, say('save-format')),
    ...formats.map((format, place) =>
      el(
        'label',
        { class: 'save-format' },
        boxes[place],
        el('span', { class: 'save-format-name' }, say(format.name)),
        el('span', { class: 'note' }, say(format.about)),
      ),
    ),
  );
  const holds = el('p', { class: 'note', 'aria-live': 'polite' });
  const bar = el('progress', { class: 'save-progress', 'aria-label': say('save-progress'), hidden: true });
  bar.max = 1;
  const far = el('p', { class: 'note figure', hidden: true });
  const status = el('p', { class: 'save-status', role: 'status' });
  const stop = el('button', { class: 'button', type: 'button' }, say('cancel'));
  const save = el('button', { class: 'button primary', type: 'submit' }, say('save'));

  const look = () => {
    chosen = formats.find((_, place) => boxes[place]?.checked) ?? chosen;
    const { state } = context;
    const { step } = trace.view;
    const called = step === null ? null : state.steps ? (state.steps.steps[step]?.called ?? null) : step + 1;
    fill(
      holds,
      chosen.word === SESSION
        ? say('save-holds-all')
        : called === null
          ? say('save-holds-shown')
          : say('save-holds-step', { number: String(called), all: String(state.steps ? countOfSteps(state.steps) : called) }),
      ...(chosen.in_order_of_file ? [' ', say('save-no-order'), ' ', command(chosen.word)] : []),
    );
  };
  const show = (is_saving: boolean, said: string) => {
    choice.disabled = is_saving;
    save.disabled = is_saving;
    bar.hidden = !is_saving;
    far.hidden = !is_saving;
    setText(status, said);
  };
  const tell = ({ bytes, share }: Written) => {
    bar.value = share;
    setText(far, say('save-far', { share: formatShare(share), size: formatBytes(bytes) }));
  };
  const finish = ({ blob, name, left_out }: SavedFile) => {
    download(blob, name);
    const lines = notesOf(left_out);
    if (lines.length === 0) {
      dialog.close();
      saySaved(context, { blob, name });
      return;
    }
    show(false, say('saved-to-downloads', { saved: say('saved-file', { name, size: formatBytes(blob.size) }) }));
    setText(stop, say('close'));
    status.append(el('ul', { class: 'share-contents' }, ...lines.map((line) => el('li', {}, line))));
    stop.focus();
  };
  const fail = (thrown: unknown) => {
    dialog.close();
    showError(context, say('not-saved'), thrown);
  };
  const submit = (event: Event) => {
    event.preventDefault();
    if (saving) return;
    const own = (saving = new AbortController());
    show(true, say('save-begun', { name: say(chosen.name) }));
    tell({ bytes: 0, share: 0 });
    stop.focus();
    savedFile(context, trace, chosen.word, own.signal, tell).then(
      (file) => {
        if (saving !== own) return;
        saving = null;
        if (file) finish(file);
      },
      (thrown: unknown) => {
        if (saving !== own) return;
        saving = null;
        fail(thrown);
      },
    );
  };
  /** Stops what is being written; false if nothing is. */
  const halt = (): boolean => {
    if (!saving) return false;
    saving.abort();
    saving = null;
    show(false, say('save-stopped'));
    save.focus();
    return true;
  };
  stop.onclick = () => {
    if (!halt()) dialog.close();
  };
  // Esc stops a file that is being written before it closes the dialog.
  dialog.oncancel = (event) => {
    if (halt()) event.preventDefault();
  };
  // A browser may close it all the same.
  dialog.onclose = () => void halt();
  fill(
    dialog,
    el(
      'form',
      { class: 'part-form', onsubmit: submit, onchange: look },
      el('h2', { id: 'save-title' }, say('save-heading')),
      saveWays(context, 'tools', dialog),
      choice,
      holds,
      el('p', { class: 'note' }, say('save-names')),
      ...(is_hosted ? [] : [el('p', { class: 'note' }, say('save-elsewhere'), ' ', command(ONLY_HOSTED))]),
      status,
      bar,
      far,
      el('div', { class: 'part-actions' }, stop, save),
    ),
  );
  look();
  dialog.showModal();
  boxes.find((box) => box.checked)?.focus();
}

/** What to type for a format. */
// eslint-disable-next-line words/from-catalogue -- a command
const command = (format: string): HTMLElement => el('code', {}, `steplens export --format ${format}`);

/** A line for each kind of thing that the format could not hold. */
function notesOf({ arrows, inputs, categories, calls, devices, runs, cut }: LeftOut): string[] {
  return [
    arrows > 0 && say('save-lost-arrows', { transfers: say('transfers', { count: arrows }) }),
    inputs > 0 && say('save-lost-inputs', { count: inputs }),
    categories > 0 && say('save-lost-categories', { ops: say('ops', { count: categories }) }),
    calls > 0 && say('save-lost-calls', { ops: say('ops', { count: calls }) }),
    devices > 0 && say('save-lost-devices', { devices: say('devices', { count: devices }) }),
    runs > 0 && say('save-lost-runs', { count: runs }),
    cut > 0 && say('save-lost-cut', { count: cut }),
  ].filter((line) => typeof line === 'string');
}
