// What a verb is: one question about what is open, with all that the worker has to know to answer it.
//
// The files next to this one have the verbs by subject. From them come the types of what the page may ask (`../engine.ts`): `parsed` is given the
// type of `../contract/`, which is made from the one that the core writes.

/** What the core prepares in pieces, because no picture of the timeline needs it. */
export type Part = 'transfers' | 'kernels';

export const TRANSFERS: readonly Part[] = ['transfers'];
export const KERNELS: readonly Part[] = ['kernels'];
/** All of the data flow. */
export const FLOW: readonly Part[] = ['kernels', 'transfers'];

export interface Answer<T> {
  value: T;
  /** Handed over rather than copied. */
  transfer: Transferable[];
}

/** An answer that takes long: between two pieces other verbs are answered. */
export interface Pieces {
  /** Does one piece of the work, and gives the answer with the last. */
  one: () => string | undefined;
  /** How many parts of it are done, and of how many. */
  parts: () => Uint32Array;
  /** What failed where memory runs out. */
  doing: string;
}

export interface VerbEntry {
  /** What has to be prepared; the verb waits for it, and for nothing else. */
  needs?: readonly Part[] | ((...parameters: never[]) => readonly Part[]);
  /** What has to be loaded. */
  load?: (...parameters: never[]) => Promise<void>;
  /** How the worker answers, where it does so piece by piece. */
  in_pieces?: Pieces;
  answer: (...parameters: never[]) => Answer<unknown>;
}

export type VerbEntries = Readonly<Record<string, VerbEntry>>;

export const plain = <T>(value: T): Answer<T> => ({ value, transfer: [] });
export const parsed = <T>(json: string): Answer<T> => plain(JSON.parse(json) as T);
export const bulk = <T extends object>(value: T): Answer<T> => ({ value, transfer: buffersOf(value) });

/** The buffers of an object's typed arrays. */
export const buffersOf = (value: object): ArrayBuffer[] =>
  Object.values(value).flatMap((column: unknown) => (ArrayBuffer.isView(column) ? [column.buffer as ArrayBuffer] : []));
