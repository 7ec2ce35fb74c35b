// Why the selected op started when it did: asked for once its details are there, and the paths are known or quick to find.
import { say } from '../../base/messages';
import type { OpId } from '../../engine/protocol';
import { attempt } from '../failures';
import { openSelected } from './card';
import { answerTo, request, type Question } from '../figures';
import { Changed } from '../frame';
import { announce, type Context, type State } from '../state';
import { arePathsQuick, PATH, pathOf } from './path';
import { OP_NOT_SHOWN, selectOp } from './select';

export const WHY: Question<'why'> = {
  verb: 'why',
  of: ({ selection }) => (selection?.details ? [selection.details] : null),
  parameters: ({ selection }) => [selection?.details?.op ?? 0],
  outcome: say('why-not-found'),
};

/** Whether it is asked: not where the paths would take long and nobody has asked for them. */
export const isWhyAsked = (state: State): boolean => arePathsQuick(state) || pathOf(state) !== null;

/** Shows why `op` started when it did; without one the selected op, else the one under the pointer. */
export function showWhy(context: Context, op?: OpId): void {
  const { state } = context;
  const about = op ?? state.selection?.op ?? state.hover?.op ?? null;
  if (about === null) {
    announce(context, say('why-select-first'), Changed.notice);
    return;
  }
  if (state.selection?.op !== about) attempt(context, OP_NOT_SHOWN, selectOp(context, about, 'show'));
  // Of a large trace, this asks for what nobody wanted before.
  request(context, PATH);
  openSelected(context);
}

/** Selects what the selected op waited for last. */
export async function goToCause(context: Context): Promise<void> {
  const cause = answerTo(context.state, WHY)?.cause;
  if (cause) await selectOp(context, cause.op, 'show');
  else announce(context, say('why-no-cause'), Changed.notice);
}
