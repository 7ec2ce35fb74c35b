// Goes to a note; to one of another step by showing that step.
import { Changed } from '../frame';
import { allSteps } from '../scope';
import { leavePlace } from '../shown/history';
import { frameWindow, panBy } from '../shown/view';
import type { Context } from '../state';
import type { Note } from '../types';
import { showView } from './show_view';
import { stepAtTime } from './steps';

/** Brings a note into sight: a stretch fills the window, a moment goes to its middle. */
export function goToNote(context: Context, note: Note): void {
  const { state, frame } = context;
  state.chosen_note = note.id;
  frame.invalidate(Changed.notes);
  const { start_ns: start, end_ns: end } = note;
  const { trace, steps } = state;
  // A mark of another step is gone to by showing that step.
  if (trace && steps && (start > trace.summary.span_ns || end < 0)) {
    const at = start - allSteps(trace).start;
    const step = stepAtTime(steps, at);
    if (step !== null) showView(context, { step });
    return;
  }
  if (end > start) {
    frameWindow(context, { start, end });
    return;
  }
  leavePlace(context);
  panBy(context, start - (state.window.start + state.window.end) / 2);
}
