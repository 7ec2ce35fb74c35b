// What the worker asks its core, without waiting, to make the first picture.
import type { Ns } from '../../base/time';
import type { Colors } from '../contract/colors';
import type { LaneGroup } from '../contract/lanes';
import type { StepList } from '../contract/steps';
import type { Summary } from '../contract/summary';
import type { Arrangement, ColorBy, StepRule } from '../contract/words';
import type { Marks, MarksQuery, Minimap } from './picture';
import type { View } from './view';

export interface Core {
  showView(view: View): Summary;
  steps(rule: StepRule): StepList;
  arrange(by: Arrangement): LaneGroup[][];
  colorBy(by: ColorBy): Colors;
  lanesInUse(start_ns: Ns, end_ns: Ns): Uint8Array;
  marks(query: MarksQuery): Marks;
  minimap(bins: number): Minimap;
  /** Whether the core can read it as a regular expression. */
  isPattern(text: string): boolean;
  /** The fragment of the view that the opened session holds; '' without one. */
  viewKept(): string;
  /** The patterns for communication that were asked for, else those that the opened session holds. */
  communicationShown(): string[];
}
