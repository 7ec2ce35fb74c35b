// Rows for what is in view: a lane that nothing in or near the window needs is left out.
//
// The core is asked once the view has come to rest, and rows change only where something would be missing or much is gained:
// what moves under the hand would be worse than a lane too many.
import { say } from '../../base/messages';
import { contains, grown } from '../../base/time_scale';
import { wholeStep } from '../scope';
import { attempt } from '../failures';
import { Changed } from '../frame';
import { layoutOf, type Layout } from '../layout/layout';
import { bandAt, topOf } from '../layout/sight';
import type { Context, State } from '../state';
import { amendPlace, noteView, onSettled } from './history';
import { lanesUsed, layOut, lowestScroll } from './lay_out';
import { NEAR } from './lanes_near';

/** Of the canvas's height: rows that would become lower by less than this stay as they are. */
const LEAST_GAIN = 0.06;

export function keepRowsFitting(context: Context): void {
  onSettled(context, () => {
    if (context.state.trace) attempt(context, say('ops-not-drawn'), fitRows(context));
  });
}

async function fitRows(context: Context): Promise<void> {
  const { state, engine } = context;
  const { window, lanes, trace } = state;
  const seen = grown(window, NEAR);
  const is_whole = contains(window, wholeStep(state));
  if (is_whole && lanesUsed(state) === null) return;
  const by_lane = is_whole ? null : await engine.lanesInUse(seen.start, seen.end);
  if (state.window !== window || state.lanes !== lanes || state.trace !== trace) return;
  const next = layoutWith(state, by_lane);
  if (next && isWorth(state, by_lane, next)) take(context, by_lane);
}

function layoutWith({ trace, lanes, rows, viewport }: State, used: Uint8Array | null): Layout | null {
  return trace && layoutOf({ devices: trace.summary.devices, lanes, rows, viewport_height: viewport.height, used });
}

/** Whether something in view has no lane now, or rows become much lower or taller. */
function isWorth(state: State, wanted: Uint8Array | null, next: Layout): boolean {
  const shown = lanesUsed(state);
  const now = layoutWith(state, shown);
  if (!now) return false;
  const missing = now.bands.concat(now.pinned).some(({ device, groups }) =>
    groups.some(({ first_lane, lanes }) => {
      const group = next.by_device[device]?.groups.find((other) => other.first_lane === first_lane);
      return group !== undefined && group.lanes > lanes;
    }),
  );
  const gain = Math.abs(now.height - next.height) > state.viewport.height * LEAST_GAIN || now.size !== next.size;
  return missing || (gain && wanted !== shown);
}

/** The row at the top of the canvas stays there. */
function take(context: Context, by_lane: Uint8Array | null): void {
  const { state, frame } = context;
  const anchor = bandAt(state, state.layout.pinned_height);
  const above = anchor ? topOf(state, anchor) : 0;
  const { scroll_y } = state;
  state.lanes_used = by_lane && { of: state.lanes, by_lane };
  layOut(context);
  const moved = anchor && state.layout.by_device[anchor.device];
  if (moved && !moved.pinned && scroll_y > 0) {
    state.scroll_y = Math.min(Math.max(0, moved.y - Math.max(above, state.layout.pinned_height - moved.height + 1)), lowestScroll(state));
  }
  frame.invalidate(Changed.view);
  if (state.scroll_y === scroll_y) return;
  // It is the same place, and the address is to lead to it.
  amendPlace(context);
  noteView(context);
}
