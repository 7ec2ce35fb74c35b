// How finely the minimap is cut: a slice of time for each column of pixels that the step has on it, as the worker is asked and the canvas draws.
import { say } from '../../base/messages';
import { TimeScale } from '../../base/time_scale';
import type { Ns } from '../../base/time';
import type { StepColumns } from '../../draw/minimap';
import { reportFailure } from '../failures';
import { Changed } from '../frame';
import { latest } from '../latest';
import { wholeStepOf } from '../scope';
import type { Context } from '../state';
import type { OpenTrace } from '../types';

/** `width_px` is in CSS pixels. */
export function columnsOfStep(span_ns: Ns, width_px: number, pixel_ratio: number): StepColumns {
  const scale = new TimeScale(wholeStepOf(span_ns), width_px * pixel_ratio);
  const first = Math.round(scale.toPx(0));
  return { first, count: Math.max(1, Math.round(scale.toPx(span_ns)) - first) };
}

/** The function to call when the minimap may be of another width than its slices were asked for. */
export function minimapRequester(context: Context): () => void {
  const { state, frame, engine } = context;
  let asked: { bins: number; of: OpenTrace } | null = null;
  const request = latest(
    ({ bins }: { bins: number; of: OpenTrace }) => engine.ask('minimap', bins),
    (minimap, { of }) => {
      if (of !== state.trace) return;
      state.minimap = minimap;
      frame.invalidate(Changed.marks);
    },
    (thrown) => {
      // The next frame asks again.
      if (reportFailure(context, say('minimap-not-drawn'), thrown)) asked = null;
    },
  );
  return () => {
    const { trace, minimap, viewport } = state;
    // The marks come first: a trace is shown by them.
    if (!trace || !minimap || state.pending_view || !state.shown || viewport.width === 0) return;
    const bins = columnsOfStep(trace.summary.span_ns, viewport.width, devicePixelRatio).count;
    if (minimap.bins === bins || (asked?.of === trace && asked.bins === bins)) return;
    asked = { bins, of: trace };
    request(asked);
  };
}
