// The data flow of the selected op: what it was made from and what was made of it, so many hops far.
import { say } from '../../base/messages';
import { clamp } from '../../base/geom';
import { attempt } from '../failures';
import { Changed } from '../frame';
import { announce, type Context } from '../state';
import type { SelectedFlow } from '../types';

/** Further away there is no picture any more. */
export const MOST_HOPS = 5;

/** Asks for the flow of the selected op; the old arrows go when another op is selected. */
export function requestFlow(context: Context): void {
  const { state, engine, frame } = context;
  const { selection, hops, flow } = state;
  if (!selection || (flow?.op === selection.op && flow.hops === hops)) return;
  const { op } = selection;
  const answered = engine.ask('flow', op, hops).then((answer) => {
    if (state.selection?.op !== op || state.hops !== hops) return;
    state.flow = { op, hops, ...answer };
    frame.invalidate(Changed.selection);
  });
  attempt(context, say('arrows-not-drawn'), answered);
}

/** What is drawn: only that of the op that is selected now. */
export function shownFlow({ state }: Context): SelectedFlow | null {
  return state.flow && state.flow.op === state.selection?.op ? state.flow : null;
}

export function setHops(context: Context, hops: number): void {
  const { state } = context;
  const wanted = clamp(hops, 1, MOST_HOPS);
  if (wanted === state.hops) return;
  state.hops = wanted;
  announce(context, say('arrows-over', { hops: say('ops', { count: wanted }) }), Changed.selection, Changed.notice);
  requestFlow(context);
}
