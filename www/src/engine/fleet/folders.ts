// A folder with a dataset, or with the traces that it was made of: picked, dropped, or listed by an input.
import { say } from '../../base/messages';
import { EngineError, errorBody } from '../errors';
import type { Source } from '../requests/opening';
import { isOverview, OVERVIEW, partsOf, type FleetPlace } from './place';

const noOverview = (): EngineError => new EngineError({ code: 'no-fleet-overview', message: say('fleet-no-overview', { file: OVERVIEW }) });

/** What a folder of any kind can do: give a file by the names on the way to it. */
export interface Files {
  readonly name: string;
  /** Null where it is not there. */
  file(parts: readonly string[]): Promise<File | null>;
  /** The names of its folders. */
  folders(): Promise<readonly string[]>;
}

/**
 * A place in a folder. The dataset may be the folder itself or one of those in it: whoever keeps it next to the traces picks the folder
 * that has both.
 */
export function placeIn(files: Files): FleetPlace {
  return {
    name: files.name,
    async overview() {
      const own = await files.file([OVERVIEW]);
      if (own) return own;
      for (const folder of await files.folders()) {
        const within = await files.file([folder, OVERVIEW]);
        if (within) return within;
      }
      throw noOverview();
    },
    async trace(path) {
      const parts = partsOf(path);
      return parts && files.file(parts);
    },
  };
}

/** A folder that the user picked. */
export function pickedFiles(root: FileSystemDirectoryHandle): Files {
  return {
    name: root.name,
    async file(parts) {
      return unlessGone(async () => {
        let folder = root;
        for (const part of parts.slice(0, -1)) folder = await folder.getDirectoryHandle(part);
        return (await folder.getFileHandle(parts[parts.length - 1] ?? '')).getFile();
      });
    },
    async folders() {
      const names: string[] = [];
      for await (const entry of root.values()) if (entry.kind === 'directory') names.push(entry.name);
      return names.sort();
    },
  };
}

/** The files of an `<input webkitdirectory>`. */
export function listedFiles(chosen: readonly File[]): Files {
  const by_path = new Map(chosen.map((file) => [file.webkitRelativePath.split('/').slice(1).join('/'), file]));
  const [first] = chosen;
  return {
    name: first?.webkitRelativePath.split('/')[0] ?? '',
    file: (parts) => Promise.resolve(by_path.get(parts.join('/')) ?? null),
    folders: () =>
      Promise.resolve(
        [...new Set([...by_path.keys()].filter((path) => path.includes('/')).map((path) => path.split('/')[0] ?? ''))].sort(),
      ),
  };
}

/** A folder that was dropped. Every browser has these. */
export function droppedFiles(root: FileSystemDirectoryEntry): Files {
  return {
    name: root.name,
    async file(parts) {
      return unlessGone(
        () =>
          new Promise<File>((give, fail) =>
            root.getFile(parts.join('/'), {}, (entry) => (entry as FileSystemFileEntry).file(give, fail), fail),
          ),
      );
    },
    async folders() {
      const reader = root.createReader();
      const names: string[] = [];
      for (;;) {
        const some = await new Promise<FileSystemEntry[]>((give, fail) => reader.readEntries(give, fail));
        if (some.length === 0) return names.sort();
        names.push(...some.filter((entry) => entry.isDirectory).map((entry) => entry.name));
      }
    },
  };
}

/** The place of a folder that was dropped alone and has a dataset at its top; null for everything else. */
export async function droppedFleet(entries: readonly { isFile: boolean }[]): Promise<FleetPlace | null> {
  const [entry] = entries;
  if (!entry || entry.isFile || entries.length > 1) return null;
  const files = droppedFiles(entry as FileSystemDirectoryEntry);
  return (await files.file([OVERVIEW])) ? placeIn(files) : null;
}

/** The summary alone, with traces that were opened with it. */
export function fileAlone(file: Blob, name: string, others: ReadonlyMap<string, Blob>): FleetPlace {
  return {
    name,
    overview: () => Promise.resolve(file),
    // Nothing says in which folders they were.
    trace: (path) => Promise.resolve(others.get(path.slice(path.lastIndexOf('/') + 1)) ?? null),
  };
}

/** The place of files that were opened together; null where none of them is a summary. */
export function placeAmong(sources: readonly Source[]): FleetPlace | null {
  const found = sources.find(({ name }) => isOverview(name));
  if (!found || !('blob' in found)) return null;
  const others = new Map(
    sources.flatMap((own) => ('blob' in own ? [[own.name.slice(own.name.lastIndexOf('/') + 1), own.blob] as const] : [])),
  );
  return fileAlone(found.blob, found.name, others);
}

/** Null for what is not there (any more). */
async function unlessGone<T>(found: () => Promise<T>): Promise<T | null> {
  try {
    return await found();
  } catch (thrown) {
    const name = thrown instanceof DOMException ? thrown.name : '';
    // A name that this browser takes for none is that of no file here.
    if (['NotFoundError', 'TypeMismatchError'].includes(name) || thrown instanceof TypeError) return null;
    throw new EngineError({ ...errorBody(thrown), code: 'not-read' });
  }
}
