// What is asked about two traces: A, which is open, and B, which it is compared with.
import type { LaneGroup } from '../contract/lanes';
import type { StepList } from '../contract/steps';
import type { Summary } from '../contract/summary';
import type { Arrangement } from '../contract/words';
import type { Marks, MarksQuery } from './picture';
import type { View } from './view';

/** What of B is to be shown. `typical` is the step of median length; a step that B has not becomes that one, too. */
export interface OtherView extends Omit<View, 'step'> {
  step: number | null | 'typical';
  arranged_by: Arrangement;
}

/** What of B is shown. */
export interface OtherShown {
  summary: Summary;
  /** Null for all that was opened. */
  step: number | null;
  steps: StepList;
  /** By DeviceId. */
  lanes: LaneGroup[][];
}

/** How an op differs from its partner, by the number that marks have. */
export const CHANGES = ['same', 'slower', 'faster', 'alone'] as const;

/** The marks of a window of each trace; null for none of it. */
export interface MirrorQuery {
  a: MarksQuery | null;
  b: MarksQuery | null;
}

export interface MirrorHalf {
  marks: Marks;
  /** By mark, the partner of its op, or NONE. */
  partner: Uint32Array;
  /** By mark, an index into CHANGES. */
  change: Uint8Array;
}

export interface Mirror {
  query: MirrorQuery;
  a: MirrorHalf | null;
  b: MirrorHalf | null;
}
