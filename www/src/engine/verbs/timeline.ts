// What the canvases draw, and which op is where.
import type { LaneId, MarksQuery, Ns, OpId } from '../protocol';
import { core, current, edgeNear } from '../worker/shown';
import { bulk, plain, type Answer, type VerbEntries } from './verb';

export const TIMELINE = {
  marks: { answer: (query: MarksQuery) => bulk(core.marks(query)) },
  minimap: { answer: (bins: number) => bulk(core.minimap(bins)) },
  /** By lane, 1 if an op of it meets the window, else 0: logarithmic in the ops of each lane. */
  lanesInUse: { answer: (start_ns: Ns, end_ns: Ns) => plain(core.lanesInUse(start_ns, end_ns)) },
  /** The op under a point, for a click: the last op of the lane that starts at or before `at_ns` and covers it within `slack_ns`. */
  opAt: { answer: (lane: LaneId, at_ns: Ns, slack_ns: Ns): Answer<OpId | null> => plain(current().opAt(lane, at_ns, slack_ns) ?? null) },
  /** The longest op that covers `at_ns` in `count` lanes from `first` on; else the nearest within `slack_ns` of it. */
  longestAt: {
    answer: (first: LaneId, count: number, at_ns: Ns, slack_ns: Ns): Answer<OpId | null> =>
      plain(current().longestAt(first, count, at_ns, slack_ns) ?? null),
  },
  /** The start or end of an op in `lanes` that is nearest to `at_ns`, and at most `slack_ns` away. */
  edgeNear: { answer: (lanes: Uint32Array, at_ns: Ns, slack_ns: Ns) => plain(edgeNear(lanes, at_ns, slack_ns)) },
  /** The next (+1) or previous (-1) op in the lane of `op`. */
  neighbour: { answer: (op: OpId, step: 1 | -1): Answer<OpId | null> => plain(current().neighbour(op, step) ?? null) },
} satisfies VerbEntries;
