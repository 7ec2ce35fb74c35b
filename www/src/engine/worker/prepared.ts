// Work in pieces: what the core prepares because no picture of the timeline needs it, and answers that take long. Between two pieces
// other questions are answered.
import { say } from '../../base/messages';
import { superseded } from '../errors';
import type { Query, ToWorker } from '../messages';
import { current, shown } from './shown';
import { guarded, nextTurn, post } from './thread';

/** What the core prepares in pieces, because no picture of the timeline needs it. */
type Part = 'transfers' | 'kernels';

/** What each question needs of that; it waits for it, and for nothing else. */
const NEEDS: Partial<Record<Query, readonly Part[]>> = {
  op: ['kernels', 'transfers'],
  flow: ['kernels', 'transfers'],
  ops: ['transfers'],
  opsIn: ['transfers'],
  range: ['transfers'],
  doctor: ['transfers'],
  transfers: ['transfers'],
  clocks: ['transfers'],
  violations: ['transfers'],
  network: ['kernels', 'transfers'],
  highlights: ['kernels', 'transfers'],
  memory: ['transfers'],
  memoryAlive: ['transfers'],
  memoryWhy: ['transfers'],
  memoryLanes: ['transfers'],
  memoryPicture: ['transfers'],
  criticalPath: ['kernels', 'transfers'],
  scheduling: ['kernels', 'transfers'],
  why: ['kernels', 'transfers'],
  traffic: ['transfers'],
  trafficLinks: ['transfers'],
  picture: ['kernels', 'transfers'],
};

export function needsOf({ query, parameters }: Extract<ToWorker, { kind: 'query' }>): readonly Part[] {
  if (query === 'colorBy' && parameters[0] === 'slack') return ['kernels', 'transfers'];
  if (query === 'beginSaving' && parameters[0] !== 'session') return ['transfers'];
  return NEEDS[query] ?? [];
}

interface InPieces {
  /** Does one piece of the work, and gives the answer with the last. */
  one: () => string | undefined;
  /** How many parts of it are done, and of how many. */
  parts: () => Uint32Array;
}

/** Questions whose answers take long. */
export const IN_PIECES: Partial<Record<Query, InPieces>> = {
  network: { one: () => current().networkOne(), parts: () => current().networkParts() },
};

/** The answer to the question `id` piece by piece; between two pieces other questions are answered. */
export async function inPieces({ one, parts }: InPieces, id: number): Promise<string> {
  const before = shown;
  let reported = -1;
  for (;;) {
    const answer = guarded(one, say('doing-network'));
    if (answer !== undefined) return answer;
    const [done = 0, of = 0] = parts();
    if (done !== reported) post({ kind: 'parts', id, parts: { done, of } });
    reported = done;
    await nextTurn();
    if (before !== shown) throw superseded();
  }
}

/** Two that wait share one preparation. */
const preparing = new Map<Part, { of: number; done: Promise<void> }>();

/** Has `parts` followed piece by piece; between two pieces other questions are answered. */
export async function prepared(parts: readonly Part[]): Promise<void> {
  for (const part of parts) {
    let own = preparing.get(part);
    if (own?.of !== shown) preparing.set(part, (own = { of: shown, done: prepare(shown, part) }));
    await own.done;
  }
}

async function prepare(of: number, part: Part): Promise<void> {
  try {
    while (of === shown && guarded(() => current().prepareOne(part), say('doing-flow'))) await nextTurn();
  } catch (thrown) {
    // The next question tries again.
    preparing.delete(part);
    throw thrown;
  }
  if (of !== shown) throw superseded();
}
