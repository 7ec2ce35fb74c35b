// What a question of the Network tab is.
import type { Network } from '../../engine/protocol';

/** One question. Each is a file of its own beside this one, listed in `panel_network.ts` in the order in which they are asked. */
export interface Section {
  /** Stands in the address. */
  id: string;
  title: string;
  /** The answer in a few words; '' where the trace has nothing to say, which hides the question. */
  said: (network: Network) => string;
  /** What the answer rests on. */
  element: HTMLElement;
  /** New figures are there. */
  show: (network: Network) => void;
}
