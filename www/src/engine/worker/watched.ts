// The watched folder: its reader in the core.
import { newRequest, WatchedFolder } from 'steplens-wasm';
import { REQUEST_STANDS_S, type ReadBytes, type WantedBytes, type WatchedFile, type WatchRequest } from '../requests/watched';

let folder: WatchedFolder | null = null;

export function watched(): WatchedFolder {
  folder ??= new WatchedFolder();
  return folder;
}

/** Begins a look at these files, and says what is to be read. */
export function beginLook(files: readonly WatchedFile[]): WantedBytes[] {
  const column = (of: (file: WatchedFile) => number) => Float64Array.from(files, of);
  watched().begin(
    files.map(({ path }) => path),
    column(({ bytes }) => bytes),
    column(({ changed }) => changed),
  );
  return wanted();
}

/** Takes what was read, and says what else is to be. */
export function takeRead(pieces: readonly ReadBytes[]): WantedBytes[] {
  for (const piece of pieces) {
    if ('bytes' in piece) watched().read(piece.path, piece.from, piece.bytes);
    else watched().unread(piece.path, piece.why ?? undefined);
  }
  return wanted();
}

function wanted(): WantedBytes[] {
  const flat = watched().wants();
  const wants: WantedBytes[] = [];
  for (let at = 0; at + 2 < flat.length; at += 3)
    wants.push({ path: flat[at] ?? '', from: Number(flat[at + 1]), to: Number(flat[at + 2]) });
  return wants;
}

/** The id and the text of the file of a new request; null for one that nobody can be asked. */
export function requestFile({ kind, n, count, processes }: WatchRequest): { id: string; text: string } | null {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  const [id, text] = newRequest(kind, n, count, [...processes], Date.now(), random, REQUEST_STANDS_S) ?? [];
  return id === undefined || text === undefined ? null : { id, text };
}
