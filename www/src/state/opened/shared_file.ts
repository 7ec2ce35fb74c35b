// The file that Share writes: everything, or with hashes for what is not included, and then searched before it is offered.
import { EngineError } from '../../engine/errors';
import { asOther, exportPage } from '../../engine/export';
import { KINDS, leakIn, redactionRequest, type Kind } from '../../engine/redaction';
import type { Context } from '../state';
import type { OpenTrace } from '../types';
import { redactedNote, writtenIn } from './redacted_view';
import { baseName, piecesOf, withoutEnding, type Written } from './saved_file';
import { encodeView, type ViewNote } from './url';

/** The code of the error that a hidden word is in the finished file; its message is the word. */
export const LEAK = 'redaction-incomplete';

export interface SharedFile {
  blob: Blob;
  name: string;
}

const ENDING = '.steplens.html';
/** For a trace whose own name is hidden. */
const HIDDEN = 'trace';

/** What the file of `trace` is called: by its trace, or by nothing that says which that is. */
export const fileNameOf = (trace: OpenTrace, included: ReadonlySet<Kind>): string =>
  (included.has('files') ? baseName(trace) : HIDDEN) + ENDING;

/** The file; null if it was stopped. `key` is that of all hashes, and `tell` hears how far it is. */
export async function sharedFile(
  { page, engine, state }: Context,
  trace: OpenTrace,
  note: ViewNote,
  included: ReadonlySet<Kind>,
  key: string,
  stop: AbortSignal,
  tell: (written: Written) => void,
): Promise<SharedFile | null> {
  const redaction = included.size === KINDS.length ? null : redactionRequest(included, key);
  const { clocks } = note.view;
  const shown = redaction
    ? redactedNote(note, clocks.length > 0 ? await engine.ask('redactedClocks', redaction, clocks) : [], included.has('notes'))
    : note;
  // Another step of the same trace is in the file already.
  const has_b = state.other !== null && state.other.sources !== null;
  const part = ({ bytes, share }: Written, done: number) => tell({ bytes, share: has_b ? (done + share) / 2 : share });
  const { saving, file } = await engine.ask('beginSharing', { view: encodeView(shown), options: trace.options, redaction, of_b: false });
  const pieces = await piecesOf(engine, saving, stop, (written) => part(written, 0));
  if (!pieces) return null;
  const blobs = [...pieces.blobs];
  if (has_b) {
    const { saving } = await engine.ask('beginSharing', { view: '', options: { communication: [] }, redaction, of_b: true });
    const of_b = await piecesOf(engine, saving, stop, (written) => part(written, 1));
    if (!of_b) return null;
    blobs.push(...(await asOther(of_b.blobs)));
  }
  const blob = await exportPage(page, blobs);
  if (!redaction) return { blob, name: fileNameOf(trace, included) };
  const word = await leakIn(engine, blob, redaction, writtenIn(note));
  if (word !== null) throw new EngineError({ code: LEAK, message: word });
  return { blob, name: (included.has('files') ? withoutEnding(file) : HIDDEN) + ENDING };
}
