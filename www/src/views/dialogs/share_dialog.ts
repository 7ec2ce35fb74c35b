// The dialog of Share: what the file will hold and how large it is, before it is written.
//
// The file is made while the dialog is read, so that its size is the true one and saving is at once.
import { listed } from '../../base/joined';
import { say } from '../../base/messages';
import { el, fill, setText } from '../../base/dom';
import { formatBytes } from '../../base/format';
import { formatDuration, formatPoint } from '../../base/time';
import { exportPage } from '../../engine/export';
import { errorBody } from '../../engine/errors';
import { showError } from '../../state/failures';
import { Changed } from '../../state/frame';
import { encodeView, viewNote, type ViewNote } from '../../state/opened/url';
import { lengthOf } from '../../base/time_scale';
import { announce, type Context, type State } from '../../state/state';
import type { OpenTrace } from '../../state/types';
import { download } from '../shared/copy';
import { sheet } from './sheet';

/** So many names of marks are listed. */
const MOST_NAMES = 5;

/** `print` prints a report instead: for those without a keyboard, too. */
export function askToShare(context: Context, print: () => void): void {
  const { state } = context;
  const { trace } = state;
  const note = viewNote(state);
  if (!trace || !note) return;
  const name = fileName(trace);
  const making = made(context, trace, note);
  const size = el('p', { class: 'share-size', 'aria-live': 'polite' }, say('share-measuring', { name }));
  const save = el('button', { class: 'button primary', type: 'submit' }, say('save'));
  const dialog = sheet('share', 'part-sheet');
  const form = el(
    'form',
    {
      class: 'part-form',
      onsubmit: (event) => {
        event.preventDefault();
        save.disabled = true;
        // What fails is said below.
        making.then(
          (blob) => {
            dialog.close();
            download(blob, name);
            announce(context, say('saved-file', { name, size: formatBytes(blob.size) }), Changed.notice);
          },
          () => dialog.close(),
        );
      },
    },
    el('h2', { id: 'share-title' }, say('share-heading')),
    el('p', { class: 'note' }, say('share-what')),
    el('ul', { class: 'share-contents' }, ...contents(state, trace).map((line) => el('li', {}, line))),
    size,
    el(
      'div',
      { class: 'part-actions' },
      el(
        'button',
        {
          class: 'button share-print',
          type: 'button',
          onclick: () => {
            dialog.close();
            print();
          },
        },
        say('print-a-report'),
      ),
      el('button', { class: 'button', type: 'button', onclick: () => dialog.close() }, say('cancel')),
      save,
    ),
  );
  fill(dialog, form);
  dialog.showModal();
  save.focus();
  making.then(
    (blob) => setText(size, say('share-size', { name, size: formatBytes(blob.size) })),
    (thrown: unknown) => {
      dialog.close();
      if (errorBody(thrown).code !== 'superseded') showError(context, say('not-saved'), thrown);
    },
  );
}

const firstName = ({ summary }: OpenTrace): string => summary.files[0]?.name ?? 'trace';

const fileName = (trace: OpenTrace): string => `${firstName(trace).replace(/\.(pb|gz|pbtxt)\b/g, '')}.steplens.html`;

async function made({ version, page, engine }: Context, trace: OpenTrace, note: ViewNote): Promise<Blob> {
  const session = await engine.sessionBytes();
  return exportPage(page, { version, view: encodeView(note), options: trace.options, name: `${firstName(trace)}.steplens`, session });
}

/** A line for each thing that whoever gets the file can see. */
function contents(state: State, { whole, options, summary }: OpenTrace): string[] {
  const files = listed(whole.files.map((file) => file.name));
  const is_part = Boolean(options.devices ?? options.window_unix_ns);
  const figures = { files, devices: say('devices', { count: whole.devices.length }), ops: say('ops', { count: whole.ops }) };
  const { window, range, search, notes } = state;
  const resolution = lengthOf(window) / 1000;
  const view = {
    from: formatPoint(window.start, resolution),
    to: formatPoint(window.end, resolution),
    step: formatDuration(summary.span_ns),
  };
  const names = notes.slice(0, MOST_NAMES).map(({ text }) => text);
  if (notes.length > MOST_NAMES) names.push('…');
  return [
    is_part ? say('share-part', figures) : say('share-all', figures),
    say('share-names'),
    say('share-view', view),
    range && say('share-range', { length: formatDuration(lengthOf(range)) }),
    search.query !== '' && say('share-search', { query: search.query }),
    notes.length > 0 && say('share-marks', { marks: say('marks', { count: notes.length }), names: listed(names) }),
  ].filter((line) => typeof line === 'string');
}
