// The browser's own storage for recent traces: a table of what they are, and one of their bytes. Nothing of it leaves the machine.
import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import type { OpenOptions } from './protocol';

/** What is known of a recent trace without its bytes. */
export interface RecentTrace {
  id: string;
  name: string;
  ops: number;
  /** What its views are about: a fragment with this key is one of this trace. */
  key: string;
  /** Milliseconds since 1970. */
  opened_ms: number;
  /** Its last view, as a fragment. */
  view: string;
  options: OpenOptions;
  /** Of the session that is kept; 0 where none is. */
  bytes: number;
}

interface Tables extends DBSchema {
  traces: { key: string; value: RecentTrace };
  sessions: { key: string; value: Blob };
}

/** More than this is not kept; the oldest traces go first. */
export const MOST_RECENT = 20;
export const MOST_RECENT_BYTES = 512 * 1024 * 1024;

/** The ids of the traces that go, so that one of `bytes` has room. */
export function toDrop(traces: readonly RecentTrace[], bytes: number): string[] {
  const newest_first = [...traces].sort((a, b) => b.opened_ms - a.opened_ms);
  let room = MOST_RECENT_BYTES - bytes;
  return newest_first
    .filter((trace, index) => {
      room -= trace.bytes;
      return room < 0 || index >= MOST_RECENT - 1;
    })
    .map(({ id }) => id);
}

export class RecentStore {
  #opened: Promise<IDBPDatabase<Tables>> | null = null;

  #database(): Promise<IDBPDatabase<Tables>> {
    this.#opened ??= openDB<Tables>('steplens', 1, {
      upgrade(database) {
        database.createObjectStore('traces', { keyPath: 'id' });
        database.createObjectStore('sessions');
      },
      // Another tab has a newer page that changes the tables, or the user clears them: the next question opens them anew.
      blocking: (_from, _to, event) => {
        (event.target as IDBDatabase).close();
        this.#opened = null;
      },
      terminated: () => {
        this.#opened = null;
      },
    });
    return this.#opened;
  }

  /** Newest first. */
  async list(): Promise<RecentTrace[]> {
    const traces = await (await this.#database()).getAll('traces');
    return traces.sort((a, b) => b.opened_ms - a.opened_ms);
  }

  async session(id: string): Promise<Blob | undefined> {
    return (await this.#database()).get('sessions', id);
  }

  /** Keeps a trace and drops what has no room any more, in one transaction: a tab that is closed meanwhile leaves no half of it. */
  async put(trace: RecentTrace, session: Blob | null): Promise<void> {
    const transaction = (await this.#database()).transaction(['traces', 'sessions'], 'readwrite');
    const [traces, sessions] = [transaction.objectStore('traces'), transaction.objectStore('sessions')];
    const others = (await traces.getAll()).filter(({ id }) => id !== trace.id);
    const dropped = toDrop(others, trace.bytes).flatMap((id) => [traces.delete(id), sessions.delete(id)]);
    const put = [traces.put(trace), ...(session ? [sessions.put(session, trace.id)] : [])];
    await Promise.all([...dropped, ...put, transaction.done]);
  }

  /** Changes what is known of a trace that is kept; does nothing where it is not. */
  async update(id: string, change: Partial<Omit<RecentTrace, 'id'>>): Promise<void> {
    const transaction = (await this.#database()).transaction('traces', 'readwrite');
    const trace = await transaction.store.get(id);
    if (trace) await transaction.store.put({ ...trace, ...change });
    await transaction.done;
  }

  async remove(id: string): Promise<void> {
    const transaction = (await this.#database()).transaction(['traces', 'sessions'], 'readwrite');
    await Promise.all([transaction.objectStore('traces').delete(id), transaction.objectStore('sessions').delete(id), transaction.done]);
  }

  async clear(): Promise<void> {
    const transaction = (await this.#database()).transaction(['traces', 'sessions'], 'readwrite');
    await Promise.all([transaction.objectStore('traces').clear(), transaction.objectStore('sessions').clear(), transaction.done]);
  }
}
