// The file that Share writes: everything, or with hashes for what is not included, and then searched before it is offered.
import { EngineError } from '../../engine/errors';
import { exportPage } from '../../engine/export';
import { KINDS, leakIn, redactionRequest, type Kind } from '../../engine/redaction';
import type { Context } from '../state';
import type { OpenTrace } from '../types';
import { redactedNote, writtenIn } from './redacted_view';
import { encodeView, type ViewNote } from './url';

/** The code of the error that a hidden word is in the finished file; its message is the word. */
export const LEAK = 'redaction-incomplete';

export interface SharedFile {
  blob: Blob;
  name: string;
}

const firstName = ({ summary }: OpenTrace): string => summary.files[0]?.name ?? 'trace';

const named = (name: string): string => `${name.replace(/\.(pb|gz|pbtxt)\b/g, '')}.steplens.html`;

/** What the file of `trace` is called where names of files are included. */
export const fileNameOf = (trace: OpenTrace): string => named(firstName(trace));

/** `key` is that of all hashes. */
export async function sharedFile(
  { version, page, engine }: Context,
  trace: OpenTrace,
  note: ViewNote,
  included: ReadonlySet<Kind>,
  key: string,
): Promise<SharedFile> {
  if (included.size === KINDS.length) {
    // View and patterns are in the note next to it, where exports have always had them.
    const session = await engine.sessionBytes('', []);
    const name = `${firstName(trace)}.steplens`;
    const blob = await exportPage(page, { version, view: encodeView(note), options: trace.options, name, session });
    return { blob, name: fileNameOf(trace) };
  }
  const request = redactionRequest(included, key);
  const { session, file, clocks } = await engine.redacted(request, note.view.clocks);
  const name = file || 'trace';
  const view = encodeView(redactedNote(note, clocks, included.has('notes')));
  const blob = await exportPage(page, { version, view, options: { communication: [] }, name: `${name}.steplens`, session });
  const word = await leakIn(engine, blob, request, writtenIn(note));
  if (word !== null) throw new EngineError({ code: LEAK, message: word });
  return { blob, name: named(name) };
}
