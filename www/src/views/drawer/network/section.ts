// What a question of the Network tab is, and how its tensors are called.
import { say } from '../../../base/messages';
import { placeLabel } from '../../../base/names';
import type { Network, TensorRow } from '../../../engine/protocol';
import type { Column } from '../../table/columns';

/** One question. Each has a file of its own; `panel.ts` has them in their order. */
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

/** What to call a tensor: its variable, or what made it. */
export const tensorName = ({ tensor, is_gradient }: Pick<TensorRow, 'tensor' | 'is_gradient'>): string =>
  is_gradient ? say('gradient-of', { tensor }) : tensor;

/** From which device a tensor came; unknown where it was not one alone. */
export const SENDER: Column<TensorRow, string> = {
  key: 'source',
  title: say('part-from'),
  width: 136,
  fits: true,
  value: (row) => row.source ?? null,
  cell: (row) => (row.source ? placeLabel(row.source) : '–'),
  whole: (row) => row.source ?? '',
};
