// The files of a drop, those within dropped folders among them.
import type { Source } from '../../engine/protocol';

/** So deep are the folders of a profiler's logs, and more. */
const MOST_DEEP = 8;
/** A user who drops a home folder by mistake does not wait for all of it. */
const MOST_FILES = 1000;

/** What of the browsers' entries is used here. */
export interface Entry {
  name: string;
  isFile: boolean;
}
interface FileEntry extends Entry {
  file(give: (file: Blob) => void, fail: (why: unknown) => void): void;
}
interface FolderEntry extends Entry {
  createReader(): { readEntries(give: (entries: Entry[]) => void, fail: (why: unknown) => void): void };
}

/** Call while the drop event is handled: its entries are gone after that. */
export function entriesOf(transfer: DataTransfer): Entry[] {
  return [...transfer.items].flatMap((item) => (item.kind === 'file' ? (item.webkitGetAsEntry() ?? []) : []));
}

/** Files by their paths in natural order, hidden ones within folders left out; what cannot be read is passed over. */
export async function filesIn(entries: Entry[]): Promise<Source[]> {
  const sources: Source[] = [];
  await gather(entries, '', 0, sources);
  return sources;
}

async function gather(entries: Entry[], folder: string, depth: number, sources: Source[]): Promise<void> {
  const sorted = [...entries].sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
  for (const entry of folder === '' ? entries : sorted) {
    if (sources.length >= MOST_FILES) return;
    if (folder !== '' && entry.name.startsWith('.')) continue;
    const name = folder + entry.name;
    if (entry.isFile) {
      const blob = await new Promise<Blob | null>((give) => (entry as FileEntry).file(give, () => give(null)));
      if (blob) sources.push({ name, blob });
    } else if (depth < MOST_DEEP) {
      await gather(await within(entry as FolderEntry), `${name}/`, depth + 1, sources);
    }
  }
}

/** Browsers list the entries of a folder some at a time; an empty list is the end. */
async function within(folder: FolderEntry): Promise<Entry[]> {
  const reader = folder.createReader();
  const all: Entry[] = [];
  for (;;) {
    const some = await new Promise<Entry[]>((give) => reader.readEntries(give, () => give([])));
    if (some.length === 0 || all.length > MOST_FILES) return all;
    all.push(...some);
  }
}
