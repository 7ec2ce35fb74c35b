// What differs between the open trace, A, and the one that it is compared with, B.
import { say } from '../../base/messages';
import type {
  ComparedFindings,
  ComparedPair,
  ComparePage,
  MarksQuery,
  Mirror,
  MirrorHalf,
  MirrorQuery,
  OpId,
  OtherShown,
  OtherView,
} from '../protocol';
import { closeOther, other, otherIs, showOther } from '../worker/other';
import { current, marksOf } from '../worker/shown';
import { buffersOf, FLOW, parsed, plain, type Answer, type VerbEntries } from './verb';

export const COMPARE = {
  /** What differs, and where the difference comes from: n log n in the ops of both. */
  compare: {
    in_pieces: {
      one: () => current().compareOne(other()),
      parts: () => current().compareParts(),
      doing: say('doing-compare'),
    },
    answer: (): Answer<ComparePage> => {
      for (;;) {
        const answer = current().compareOne(other());
        if (answer !== undefined) return parsed(answer);
      }
    },
  },
  /** What would help in A and in B: both steps are replayed. */
  compareFindings: {
    needs: FLOW,
    in_pieces: {
      one: () => current().compareFindingsOne(other()),
      parts: () => current().compareFindingsParts(),
      doing: say('doing-compare'),
    },
    answer: (): Answer<ComparedFindings> => {
      for (;;) {
        const answer = current().compareFindingsOne(other());
        if (answer !== undefined) return parsed(answer);
      }
    },
  },
  /** The row of the step of A to compare, where nobody chose one; null where there is only one. */
  typicalStep: { answer: (): Answer<number | null> => plain(current().typicalStep() ?? null) },
  /** Makes all that is open B, too: another step of it is shown then. */
  openSibling: { answer: (): Answer<void> => plain(otherIs(current().sibling())) },
  /** Shows something else of B. */
  showOther: { answer: (view: OtherView): Answer<OtherShown> => plain(showOther(view)) },
  /** Forgets B. */
  closeOther: { answer: (): Answer<void> => plain(closeOther()) },
  /** What is drawn of both. Only after `compare`. */
  mirror: {
    answer: (query: MirrorQuery): Answer<Mirror> => {
      const [a, b] = [query.a && half(query.a, false), query.b && half(query.b, true)];
      const transfer = [a, b].flatMap((own) => (own ? [...buffersOf(own), ...buffersOf(own.marks)] : []));
      return { value: { query, a, b }, transfer };
    },
  },
  /** An op, of B or else of A, and its partner. Only after `compare`. */
  comparedPair: { answer: (of_b: boolean, op: OpId) => parsed<ComparedPair>(current().comparedPair(other(), of_b, op)) },
} satisfies VerbEntries;

function half(query: MarksQuery, of_b: boolean): MirrorHalf {
  const marks = marksOf(of_b ? other() : current(), query);
  const both = current().comparedOps(other(), of_b, marks.op);
  return {
    marks,
    partner: Uint32Array.from(marks.op, (_, mark) => both[2 * mark] ?? 0),
    change: Uint8Array.from(marks.op, (_, mark) => both[2 * mark + 1] ?? 0),
  };
}
