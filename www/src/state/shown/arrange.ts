// Arranges the lanes as the rows ask for: packed, or by thread, op type or name scope.
//
// What is chosen is part of the rows, so that the address and the view history bring it back; what is stays until the
// core has answered.
import { say } from '../../base/messages';
import type { Arrangement, LaneGroup } from '../../engine/protocol';
import { attempt, reportFailure } from '../failures';
import { Changed } from '../frame';
import { layOut } from './lay_out';
import { latest } from '../latest';
import { OP_NOT_SHOWN, selectOp, setRange } from './select';
import { announce, type Context } from '../state';
import type { OpenTrace } from '../types';
import { showLane } from './view';

export const ARRANGEMENT_WORDS: Readonly<Record<Arrangement, string>> = {
  packed: say('lanes-packed'),
  thread: say('lanes-by-thread'),
  op_type: say('lanes-by-op-type'),
  scope: say('lanes-by-scope'),
};

/** From now on, lanes are arranged as chosen. */
export function keepArranged(context: Context): void {
  const { state, frame, engine } = context;
  /** What was asked of the core last, and of which trace; null where that is not known. */
  let asked: { by: Arrangement | null; of: OpenTrace | null } = { by: null, of: null };
  const ask = latest(
    ({ by }: { by: Arrangement; of: OpenTrace }) => engine.ask('arrange', by),
    (groups: LaneGroup[][], { by }) => take(context, by, groups),
    (thrown) => {
      if (reportFailure(context, say('not-arranged'), thrown)) return;
      // Another trace was opened meanwhile, and it may be that one that the core has arranged.
      asked = { by: null, of: state.trace };
      follow();
    },
  );
  const follow = () => {
    const { trace, rows, lanes } = state;
    if (!trace) return;
    if (asked.of !== trace) asked = { by: lanes.by, of: trace };
    if (asked.by === rows.arranged_by) return;
    asked = { by: rows.arranged_by, of: trace };
    ask({ by: rows.arranged_by, of: trace });
  };
  frame.onDom([Changed.layout, Changed.trace], follow);
}

function take(context: Context, by: Arrangement, groups: LaneGroup[][]): void {
  const { state } = context;
  state.lanes = { by, groups };
  // Marks are of lanes, and these have other numbers now.
  state.marks = null;
  if (state.range_lanes) setRange(context, state.range);
  layOut(context);
  announce(context, say('lanes-arranged', { how: ARRANGEMENT_WORDS[by] }), Changed.marks, Changed.notice);
  if (state.selection) attempt(context, OP_NOT_SHOWN, keepInSight(context, state.selection.op));
}

/** The selected op has moved to another lane. */
async function keepInSight(context: Context, op: number): Promise<void> {
  await selectOp(context, op, 'stay', 'stay');
  const details = context.state.selection?.details;
  if (details?.op === op) showLane(context, details.lane);
}
