// The open trace as a file of another tool: what the core writes, piece by piece, becomes parts of a Blob.
import type { Engine } from '../../engine/engine';
import type { LeftOut, SaveFormat } from '../../engine/protocol';
import type { Context } from '../state';
import type { OpenTrace } from '../types';
import { encodeView, viewNote } from './url';

export interface SavedFile {
  blob: Blob;
  name: string;
  left_out: LeftOut;
}

/** How far it is: bytes that are written, and which share of the rows that is. */
export interface Written {
  bytes: number;
  share: number;
}

/** Endings of what traces are read from. */
const ENDING = /\.(pb|pbtxt|gz|zst|json|steplens|html|txt|pickle|pkl)$/i;

/** What a file of the open trace is called, without its ending. */
export const baseName = ({ summary }: OpenTrace): string => withoutEnding(summary.files[0]?.name ?? '');

export function withoutEnding(file: string): string {
  let name = file.split(/[/\\]/).at(-1) ?? '';
  while (ENDING.test(name) && name.replace(ENDING, '') !== '') name = name.replace(ENDING, '');
  return name || 'trace';
}

/** The file; null if it was stopped. `tell` hears how far it is. */
export async function savedFile(
  { engine, state }: Context,
  trace: OpenTrace,
  format: SaveFormat,
  stop: AbortSignal,
  tell: (written: Written) => void,
): Promise<SavedFile | null> {
  const note = viewNote(state);
  const { saving, ending } = await engine.ask('beginSaving', format, note ? encodeView(note) : '', trace.options.communication);
  const pieces = await piecesOf(engine, saving, stop, tell);
  return pieces && { blob: new Blob(pieces.blobs), name: `${baseName(trace)}.${ending}`, left_out: pieces.left_out };
}

/** All that the core writes of a file that was begun; null if it was stopped. */
export async function piecesOf(
  engine: Engine,
  saving: number,
  stop: AbortSignal,
  tell: (written: Written) => void,
): Promise<{ blobs: Blob[]; left_out: LeftOut } | null> {
  // Browsers keep a Blob where they like, on disk if it is large: the file is never whole in the page's memory.
  const blobs: Blob[] = [];
  let bytes = 0;
  let left_out: LeftOut | null = null;
  while (left_out === null && !stop.aborted) {
    const piece = await engine.ask('saveMore', saving);
    if (piece.bytes.length > 0) blobs.push(new Blob([piece.bytes]));
    bytes += piece.bytes.length;
    left_out = piece.left_out;
    if (!stop.aborted) tell({ bytes, share: piece.of > 0 ? piece.done / piece.of : 0 });
  }
  await engine.ask('endSaving', saving);
  return left_out === null || stop.aborted ? null : { blobs, left_out };
}
