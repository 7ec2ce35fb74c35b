// What a flame is asked for.
import type { FlameLayers, FlameMeasure } from '../contract/words';

export interface FlameChoice {
  /** What it is made of; null for what says most. */
  layers: FlameLayers | null;
  measure: FlameMeasure;
  /** The bar that it begins with, by the names from the bottom; empty for all of it. */
  path: readonly string[];
  /** The one name that it is about. */
  name: string | null;
}

export const WHOLE_FLAME: FlameChoice = { layers: null, measure: 'time', path: [], name: null };
