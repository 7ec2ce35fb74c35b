// The core in its parts: which questions need the later one, and when it comes.
import start_verbs from 'steplens-start-verbs';
import { addLater } from 'steplens-wasm';

/** Loads a file of the core. */
export type LoadCore = () => Promise<WebAssembly.Module>;

/** The questions that the start of the core answers. */
export const AT_START: ReadonlySet<string> = new Set(start_verbs.split('\n'));
/** Null where the core is whole. */
let loadLater: LoadCore | null = null;
/** The later part of the core is being added, or was. */
let adding: Promise<void> | null = null;

export function laterFrom(load: LoadCore | null): void {
  loadLater = load;
}

/** Waits until the core is whole. After a failure the next question tries again. */
export function wholeCore(): Promise<void> {
  if (!loadLater) return Promise.resolve();
  adding ??= loadLater().then(addLater, (thrown: unknown) => {
    adding = null;
    throw thrown;
  });
  return adding;
}

/** Begins to load what the next questions need. Where that fails, they say so. */
export function loadAhead(): void {
  wholeCore().catch(() => {
    // The question that needs it tries again, and fails with the reason.
  });
}
