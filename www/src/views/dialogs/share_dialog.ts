// The dialog of Share: what the file will hold and how large it is, before it is written.
//
// Texts are hidden unless the user includes their kind. The file is made while the dialog is read, so that its size is the true one and
// saving is at once; it is made again when a box changes. Who waits for it sees how far it is, and stops it with Esc.
import { listed } from '../../base/joined';
import { say } from '../../base/messages';
import { el, fill, setText } from '../../base/dom';
import { formatBytes } from '../../base/format';
import { formatDuration, formatEnds } from '../../base/time';
import { errorBody } from '../../engine/errors';
import { KINDS, newKey, redactionRequest, type Kind } from '../../engine/redaction';
import { showError } from '../../state/failures';
import { fileNameOf, LEAK, sharedFile, type SharedFile } from '../../state/opened/shared_file';
import { nameOfOther } from '../../state/opened/compare';
import { writtenIn } from '../../state/opened/redacted_view';
import { viewNote } from '../../state/opened/url';
import { lengthOf } from '../../base/time_scale';
import { inView } from '../../state/scope';
import { saySaved } from '../../state/shown/saved';
import type { Context, State } from '../../state/state';
import type { OpenTrace } from '../../state/types';
import { keepIncludes, keptIncludes } from '../../state/ui/preferences';
import { download } from '../shared/copy';
import { showPartDialog } from './part';
import { saveWays } from './save_ways';
import { kindBoxes } from './share_kinds';
import { sheet } from './sheet';

/** So many names of marks are listed. */
const MOST_NAMES = 5;
/** Who clicks several boxes waits once. */
const REST_MS = 300;

/** `print` prints a report instead: for those without a keyboard, too. */
export function askToShare(context: Context, print: () => void): void {
  const { engine, state } = context;
  const { trace } = state;
  const note = viewNote(state);
  if (!trace || !note) return;
  const key = newKey();
  const dialog = sheet('share', 'part-sheet');
  const size = el('p', { class: 'share-size', 'aria-live': 'polite' });
  const list = el('ul', { class: 'share-contents' });
  const save = el('button', { class: 'button primary', type: 'submit' }, say('save'));
  const bar = el('progress', { class: 'save-progress', 'aria-label': say('save-progress'), hidden: true });
  bar.max = 1;
  const cancel = el('button', { class: 'button', type: 'button' }, say('cancel'));
  let coming: Promise<SharedFile | null> | null = null;
  let making = new AbortController();
  let is_awaited = false;
  let timer = 0;

  /** Whoever presses Save waits for the file. */
  const wait = (for_file: boolean) => {
    is_awaited = for_file;
    save.disabled = for_file;
    bar.hidden = !for_file;
  };
  /** Ends what is being made, of which nothing is needed any more. */
  const drop = () => {
    making.abort();
    coming = null;
    clearTimeout(timer);
  };

  const failed = (thrown: unknown) => {
    const { code, message } = errorBody(thrown);
    wait(false);
    if (code === LEAK) {
      setText(size, say('error-redaction', { word: message }));
      save.disabled = true;
      return;
    }
    dialog.close();
    if (code !== 'superseded') showError(context, say('not-saved'), thrown);
  };
  const make = (): Promise<SharedFile | null> => {
    making = new AbortController();
    const own = sharedFile(context, trace, note, boxes.included(), key, making.signal, ({ share }) => (bar.value = share));
    own.then(
      (file) => {
        if (coming === own && file) setText(size, say('share-size', { name: file.name, size: formatBytes(file.blob.size) }));
      },
      (thrown: unknown) => {
        if (coming === own) failed(thrown);
      },
    );
    return own;
  };
  const look = () => {
    const included = boxes.included();
    drop();
    wait(false);
    fill(list, ...contents(state, trace, included).map((line) => el('li', {}, line)));
    setText(size, say('share-measuring', { name: fileNameOf(trace, included) }));
    engine.ask('redactionShown', redactionRequest(included, key)).then((shown) => boxes.show(shown, writtenIn(note)), failed);
    timer = window.setTimeout(() => {
      if (dialog.open) coming ??= make();
    }, REST_MS);
  };
  const boxes = kindBoxes(new Set(keptIncludes()), () => {
    keepIncludes([...boxes.included()]);
    look();
  });
  const submit = (event: Event) => {
    event.preventDefault();
    if (is_awaited) return;
    clearTimeout(timer);
    const own = (coming ??= make());
    wait(true);
    cancel.focus();
    // What fails is said by `make`.
    own.then(
      (file) => {
        if (!file || coming !== own) return;
        const { blob, name } = file;
        dialog.close();
        download(blob, name);
        saySaved(context, file);
      },
      () => undefined,
    );
  };
  /** Stops what the user waits for; false if that is nothing. */
  const halt = (): boolean => {
    if (!is_awaited) return false;
    drop();
    wait(false);
    setText(size, say('save-stopped'));
    save.focus();
    return true;
  };
  cancel.onclick = () => {
    if (!halt()) dialog.close();
  };
  // Esc stops a file that is waited for before it closes the dialog.
  dialog.oncancel = (event) => {
    if (halt()) event.preventDefault();
  };
  dialog.onclose = drop;
  const openLess = () => {
    dialog.close();
    showPartDialog(context, 'trace');
  };
  const printInstead = () => {
    dialog.close();
    print();
  };
  fill(
    dialog,
    el(
      'form',
      { class: 'part-form', onsubmit: submit },
      el('h2', { id: 'share-title' }, say('share-heading')),
      saveWays(context, 'page', dialog),
      boxes.element,
      el('p', { class: 'note' }, say('share-what')),
      list,
      el(
        'p',
        { class: 'note' },
        say('share-less'),
        ' ',
        el('button', { class: 'chip', type: 'button', onclick: openLess }, say('open-a-subset-more')),
      ),
      size,
      bar,
      el(
        'div',
        { class: 'part-actions' },
        el('button', { class: 'button share-print', type: 'button', onclick: printInstead }, say('print-a-report')),
        cancel,
        save,
      ),
    ),
  );
  look();
  dialog.showModal();
  save.focus();
}

/** A line for each thing that whoever gets the file can see. */
function contents(state: State, { whole, options, summary }: OpenTrace, included: ReadonlySet<Kind>): string[] {
  const files = included.has('files') ? listed(whole.files.map((file) => file.name)) : say('share-files', { count: whole.files.length });
  const is_part = Boolean(options.devices ?? options.window_unix_ns);
  const figures = { files, devices: say('devices', { count: whole.working_devices }), ops: say('ops', { count: whole.ops }) };
  const { range, search, notes } = state;
  const seen = inView(state);
  const view = { ...formatEnds(seen.start, seen.end), step: formatDuration(summary.span_ns) };
  const names = notes.slice(0, MOST_NAMES).map(({ text }) => text);
  if (notes.length > MOST_NAMES) names.push('…');
  const marks = say('marks', { count: notes.length });
  return [
    is_part ? say('share-part', figures) : say('share-all', figures),
    state.other?.sources &&
      (included.has('files') ? say('share-compared', { name: nameOfOther(state.other) }) : say('share-compared-unnamed')),
    included.size === KINDS.length && say('share-names'),
    say('share-view', view),
    range && say('share-range', { length: formatDuration(lengthOf(range)) }),
    search.query !== '' && included.has('notes') && say('share-search', { query: search.query }),
    notes.length > 0 &&
      (included.has('notes') ? say('share-marks', { marks, names: listed(names) }) : say('share-marks-unnamed', { marks })),
  ].filter((line) => typeof line === 'string');
}
