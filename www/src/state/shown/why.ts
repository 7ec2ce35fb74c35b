// Why the selected op started when it did: asked for once its details are there, and the paths are known or quick to find.
import { say } from '../../base/messages';
import type { OpId, WhyPage } from '../../engine/protocol';
import { attempt } from '../failures';
import { figuresOf } from '../figures';
import { Changed } from '../frame';
import { announce, type Context, type State } from '../state';
import type { Figures } from '../types';
import { arePathsQuick, pathOf, requestPath } from './path';
import { OP_NOT_SHOWN, selectOp } from './select';
import { chooseTab } from './tab';

/** Null while there is nothing to ask about, or the paths would take long and nobody has asked for them. */
export function requestWhy(context: Context): Figures<WhyPage> | null {
  const { state, engine } = context;
  const details = state.selection?.details;
  if (!details || !(arePathsQuick(state) || pathOf(state))) return null;
  state.why = figuresOf(context, state.why, details, {
    question: () => engine.ask('why', details.op),
    outcome: say('why-not-found'),
    changed: Changed.path,
  });
  return state.why;
}

export const whyOf = ({ why, selection }: State): WhyPage | null => (why && why.of === selection?.details ? why.answer : null);

/** Asks again after that has failed. */
export function retryWhy({ state, frame }: Context): void {
  state.why = null;
  frame.invalidate(Changed.path);
}

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
  requestPath(context);
  chooseTab(context, 'selection');
}

/** Selects what the selected op waited for last. */
export async function goToCause(context: Context): Promise<void> {
  const cause = whyOf(context.state)?.cause;
  if (cause) await selectOp(context, cause.op, 'show');
  else announce(context, say('why-no-cause'), Changed.notice);
}
