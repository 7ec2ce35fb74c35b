// Which clock the time axis shows: time since the step's start, or the wall clock in UTC.
import { say } from '../../base/messages';
import { STEP_CLOCK, wallClock, type Clock } from '../../base/clock';
import { Changed } from '../frame';
import { noteView } from './history';
import { announce, type Context, type State } from '../state';

export function clockOf({ trace, wall_clock }: State): Clock {
  return trace && wall_clock ? wallClock(trace.summary.origin_unix_ns) : STEP_CLOCK;
}

export function toggleWallClock(context: Context): void {
  const { state } = context;
  state.wall_clock = !state.wall_clock;
  const text = state.wall_clock ? say('axis-wall-clock') : say('axis-from-start');
  announce(context, text, Changed.view, Changed.notice);
  noteView(context);
}
