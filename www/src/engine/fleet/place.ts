// Where a fleet's summary and its traces are, however the page reaches them.

/** What the file is called in a dataset. */
export const OVERVIEW = 'overview.steplens-fleet';

export const isOverview = (name: string): boolean => name.endsWith('.steplens-fleet');

export interface FleetPlace {
  /** What the folder is called; of a file alone, the file. */
  readonly name: string;
  /** The summary. */
  overview(): Promise<Blob>;
  /** A trace by its path below the folder of the traces; null where it is not there. */
  trace(path: string): Promise<Blob | null>;
}

/** A path as its parts; null for one that would lead elsewhere. */
export function partsOf(path: string): readonly string[] | null {
  const parts = path.split('/');
  return parts.some((part) => part === '' || part === '.' || part === '..') ? null : parts;
}
