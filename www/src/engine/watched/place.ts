// Where a watched folder is: what the page can do with it, however it reaches it.
import type { TracesBelow, WatchedFile, WatchRequest } from '../requests/watched';

export interface Place {
  /** What the folder is called. */
  readonly name: string;
  /** Whether it grows while the page looks; else it is as it was when it was opened. */
  readonly grows: boolean;
  /** The files that are there now. */
  list(): Promise<WatchedFile[]>;
  /** The bytes of a file, fewer where it ends before `to`; null where the file is gone. */
  read(path: string, from: number, to: number): Promise<Uint8Array<ArrayBuffer> | null>;
  /** A whole file; null where it is gone. */
  file(path: string): Promise<Blob | null>;
  /** The traces anywhere below it, as other tools leave them. */
  traces(): Promise<TracesBelow>;
  /** One of them; null where it is gone. */
  trace(path: string): Promise<Blob | null>;
  /** Writes a request, and says its id. Null where the page cannot write here. Called by a click. */
  readonly ask: ((request: WatchRequest) => Promise<string>) | null;
}

/** The folders within a watched folder. */
export const FOLDERS = ['traces', 'requests', 'answers'] as const;

/** Whether a file at the top can be one of a watched folder: others are not even read. */
export const isOwnFile = (name: string): boolean => name === 'steplens.json' || (name.startsWith('runs-') && name.endsWith('.jsonl'));
