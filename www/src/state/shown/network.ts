// The figures of the network: asked for when their tab is opened, and again for each step or view.
import { say } from '../../base/messages';
import type { Network } from '../../engine/protocol';
import { figuresOf } from '../figures';
import type { Figures } from '../types';
import { Changed } from '../frame';
import { noteView } from './history';
import type { Context, State } from '../state';

export function requestNetwork(context: Context): Figures<Network> | null {
  const { state, engine } = context;
  if (!state.trace) return null;
  state.network = figuresOf(context, state.network, state.trace, {
    question: (tell) => engine.follow(tell, 'network'),
    outcome: say('network-not-analysed'),
    changed: Changed.network,
  });
  return state.network;
}

/** Asks again after that has failed. */
export function retryNetwork({ state, frame }: Context): void {
  state.network = null;
  frame.invalidate(Changed.network);
}

/** The figures of what is shown; null while they are not there. */
export const networkOf = ({ network, trace }: State): Network | null => (network && network.of === trace ? network.answer : null);

export function chooseSection(context: Context, id: string): void {
  context.state.network_section = id;
  context.frame.invalidate(Changed.network);
  noteView(context);
}
