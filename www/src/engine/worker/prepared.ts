// Work in pieces: what the core prepares because no picture of the timeline needs it, and answers that take long. Between two pieces
// other verbs are answered.
import { say } from '../../base/messages';
import { superseded } from '../errors';
import type { Part, Pieces } from '../verbs/verb';
import { current, shown } from './shown';
import { guarded, nextTurn, post } from './thread';

/** The answer to the question `id`. */
export async function inPieces({ one, parts, doing }: Pieces, id: number): Promise<string> {
  const before = shown;
  let reported = -1;
  for (;;) {
    const answer = guarded(one, doing);
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

/** Has `parts` followed piece by piece. */
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
