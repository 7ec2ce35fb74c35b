// A folder that the user picked: the File System Access API, which Chromium has.
import { formatCount } from '../../base/format';
import { say } from '../../base/messages';
import { EngineError, errorBody } from '../errors';
import type { WatchedFile, WatchRequest } from '../requests/watched';
import { FOLDERS, isOwnFile, type Place } from './place';
import { isCalledLikeTrace, MOST_TRACES } from './trace_names';

/** What of the API TypeScript does not know. */
interface Permitted {
  requestPermission?(descriptor: { mode: 'readwrite' }): Promise<PermissionState>;
  move?(name: string): Promise<void>;
}

/** The file of a request: its id, and what it holds. */
export type MakeRequest = (request: WatchRequest) => Promise<{ id: string; text: string } | null>;

export function pickedFolder(root: FileSystemDirectoryHandle, makeRequest: MakeRequest): Place {
  /** Traces never change once they have their name, and there may be many: each is read once. */
  const traces = new Map<string, WatchedFile>();

  async function listIn(folder: FileSystemDirectoryHandle, before: string): Promise<WatchedFile[]> {
    const names: FileSystemFileHandle[] = [];
    for await (const entry of folder.values()) {
      if (entry.kind === 'file' && !entry.name.startsWith('.') && (before !== '' || isOwnFile(entry.name))) names.push(entry);
    }
    const files = await Promise.all(
      names.map(async (handle): Promise<WatchedFile | null> => {
        const path = before + handle.name;
        const known = traces.get(path);
        if (known) return known;
        const file = await unlessGone(handle.getFile());
        if (!file) return null;
        const listed = { path, bytes: file.size, changed: file.lastModified };
        if (before === 'traces/') traces.set(path, listed);
        return listed;
      }),
    );
    return files.filter((file) => file !== null);
  }

  async function handleOf(path: string): Promise<File | null> {
    const [first = '', second] = path.split('/');
    if (second === undefined) return unlessGone(root.getFileHandle(first).then((handle) => handle.getFile()));
    return unlessGone(
      root
        .getDirectoryHandle(first)
        .then((folder) => folder.getFileHandle(second))
        .then((handle) => handle.getFile()),
    );
  }

  return {
    name: root.name,
    grows: true,
    async list() {
      const top = listIn(root, '');
      const inner = FOLDERS.map(async (name) => {
        const folder = await unlessGone(root.getDirectoryHandle(name));
        return folder ? listIn(folder, `${name}/`) : [];
      });
      const files = (await Promise.all([top, ...inner])).flat();
      const there = new Set(files.map(({ path }) => path));
      for (const path of traces.keys()) if (!there.has(path)) traces.delete(path);
      return files;
    },
    async read(path, from, to) {
      const file = await handleOf(path);
      return (
        file &&
        unlessGone(
          file
            .slice(from, to)
            .arrayBuffer()
            .then((bytes) => new Uint8Array(bytes)),
        )
      );
    },
    file: handleOf,
    async traces() {
      const files: WatchedFile[] = [];
      let unread = 0;
      let searched = 0;
      const folders = [{ folder: root, before: '' }];
      for (let next = folders.pop(); next; next = folders.pop()) {
        const { folder, before } = next;
        try {
          for await (const entry of folder.values()) {
            const path = before + entry.name;
            if (entry.name.startsWith('.')) continue;
            if (entry.kind === 'directory') folders.push({ folder: entry, before: `${path}/` });
            else if (isCalledLikeTrace(entry.name)) {
              const file = await unlessGone(entry.getFile());
              if (file) files.push({ path, bytes: file.size, changed: file.lastModified });
            }
          }
        } catch (thrown) {
          if (before === '') throw thrown;
          // It may have gone meanwhile, or belong to somebody else: the others are there all the same.
          unread++;
        }
        searched++;
        if (files.length > MOST_TRACES || searched + folders.length > MOST_TRACES)
          throw new EngineError({ code: 'too-many-traces', message: say('watch-too-many-traces', { most: formatCount(MOST_TRACES) }) });
      }
      return { files, unread };
    },
    async trace(path) {
      const parts = path.split('/');
      let folder: FileSystemDirectoryHandle | null = root;
      for (const part of parts.slice(0, -1)) folder = folder && (await unlessGone(folder.getDirectoryHandle(part)));
      return folder && unlessGone(folder.getFileHandle(parts[parts.length - 1] ?? '').then((handle) => handle.getFile()));
    },
    async ask(request) {
      const allowed = (await (root as Permitted).requestPermission?.({ mode: 'readwrite' })) ?? 'granted';
      if (allowed !== 'granted') throw new EngineError({ code: 'not-allowed', message: say('watch-not-allowed') });
      const made = await makeRequest(request);
      if (!made) throw new EngineError({ code: 'bad-request', message: say('watch-bad-request') });
      await write(await root.getDirectoryHandle('requests', { create: true }), made);
      return made.id;
    },
  };
}

/** Whole or not at all where the browser can rename; else the file is empty for a moment, which is no request yet. */
async function write(folder: FileSystemDirectoryHandle, { id, text }: { id: string; text: string }): Promise<void> {
  const name = `${id}.json`;
  const unfinished = `.${id}.part`;
  const handle = await folder.getFileHandle(unfinished, { create: true });
  await fill(handle, text);
  try {
    const { move } = handle as Permitted;
    if (!move) throw new DOMException('', 'NotSupportedError');
    await move.call(handle, name);
  } catch {
    // Not every browser renames files of the user's own folders.
    await fill(await folder.getFileHandle(name, { create: true }), text);
    await folder.removeEntry(unfinished);
  }
}

async function fill(handle: FileSystemFileHandle, text: string): Promise<void> {
  const stream = await handle.createWritable();
  await stream.write(text);
  await stream.close();
}

/** Null for what is not there (any more); files may go while the folder is read. */
async function unlessGone<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch (thrown) {
    const name = thrown instanceof DOMException ? thrown.name : '';
    // A file that changed since it was listed cannot be read: the next look lists it again.
    if (['NotFoundError', 'TypeMismatchError', 'NotReadableError'].includes(name)) return null;
    throw new EngineError({ ...errorBody(thrown), code: 'not-read' });
  }
}
