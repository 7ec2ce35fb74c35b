// What differs between the open trace, A, and the one that it is compared with, B.
import { cause } from '../frame';
import { say } from '../../base/messages';
import type { ComparePage, View } from '../../engine/protocol';
import { answerTo, type Question } from '../figures';
import type { State } from '../state';

/** What is compared with what, and how both are drawn. */
export const COMPARE_CHANGED = cause('compare');

/** What differs, once A and B are shown alike. */
export const COMPARE: Question<'compare'> = {
  verb: 'compare',
  of: (state) => {
    const { trace, other, pending_view } = state;
    return trace && other && !pending_view && isAlike(trace.view, other.view) ? [trace, other] : null;
  },
  parameters: () => [],
  outcome: say('cmp-failed'),
};

/** What would help in both, once it is known what differs. */
export const COMPARED_FINDINGS: Question<'compareFindings'> = {
  verb: 'compareFindings',
  of: (state) => (comparisonOf(state) ? COMPARE.of(state) : null),
  parameters: () => [],
  outcome: say('cmp-findings-failed'),
};

export const comparisonOf = (state: State): ComparePage | null => answerTo(state, COMPARE);

/** Whether both are shown by the same rules; each has a step of its own. */
export const isAlike = (a: View, b: View): boolean => String(rulesOf(a)) === String(rulesOf(b));
const rulesOf = ({ rule, repairs, op_time, clocks, communication }: View) =>
  JSON.stringify([rule, repairs, op_time, clocks, communication]);
