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
import { bandAt, bandsInSight, topOf } from '../layout/sight';
import type { Context, State } from '../state';
import { amendPlace, noteView, onSettled } from './history';
import { lanesUsed, layOut, lowestScroll } from './lay_out';
import { NEAR } from './lanes_near';

/** Of the canvas's height: for less than this of lanes that have nothing in view, rows stay as they are. */
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
  const by_lane = is_whole ? null : await engine.ask('lanesInUse', seen.start, seen.end);
  if (state.window !== window || state.lanes !== lanes || state.trace !== trace) return;
  const next = layoutWith(state, by_lane);
  if (next && isWorth(state, next)) take(context, by_lane);
}

function layoutWith({ trace, lanes, rows, viewport }: State, used: Uint8Array | null): Layout | null {
  return trace && layoutOf({ devices: trace.summary.devices, lanes, rows, viewport_height: viewport.height, used });
}

/** Whether something in view has no lane now, or much room goes to lanes that have nothing in it. */
function isWorth(state: State, next: Layout): boolean {
  const { layout } = state;
  let idle_px = 0;
  let missing = false;
  for (const { device, groups } of [...layout.pinned, ...layout.bands]) {
    for (const { first_lane, lanes, pitch } of groups) {
      const wanted = next.by_device[device]?.groups.find((group) => group.first_lane === first_lane)?.lanes ?? lanes;
      missing ||= wanted > lanes;
      idle_px += Math.max(0, lanes - wanted) * pitch;
    }
  }
  // Hills become bars, or bars hills, at the same height.
  missing ||= bandsInSight(state).some(({ device, bars }) => next.by_device[device]?.bars !== bars);
  return missing || idle_px > state.viewport.height * LEAST_GAIN;
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
