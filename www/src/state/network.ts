// The figures of the network: asked for when they are looked at first, and anew for each thing that is looked at.
import type { Network } from '../engine/protocol';
import { Changed } from './frame';
import { noteView } from './history';
import type { Context, OpenTrace, State } from './state';

export interface NetworkFigures {
  figures: Network;
  /** What they are of. */
  of: OpenTrace;
}

/** What was asked about last, so that it is asked once. */
let asked: OpenTrace | null = null;

export function requestNetwork({ state, engine, frame }: Context): void {
  const { trace } = state;
  if (!trace || asked === trace) return;
  asked = trace;
  void engine
    .network()
    .then((figures) => {
      if (state.trace !== trace) return;
      state.network = { figures, of: trace };
      frame.invalidate(Changed.network);
    })
    // A question about a trace that was replaced meanwhile has no answer, and needs none.
    .catch(() => undefined);
}

/** The figures of what is looked at; null while they are not there. */
export const networkOf = ({ network, trace }: State): Network | null =>
  network && network.of === trace ? network.figures : null;

export function chooseSection(context: Context, id: string): void {
  context.state.network_section = id;
  context.frame.invalidate(Changed.network);
  noteView(context);
}
