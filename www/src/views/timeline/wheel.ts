// The wheel, and two fingers on a trackpad, which arrive as one: scroll, move in time, zoom.
import { clamp } from '../../base/geom';
import { stepLaneSize } from '../../state/shown/devices';
import type { Context } from '../../state/state';
import { panByPx, scrollTo, timeScale, zoomAt } from '../../state/shown/view';
import { wheelTurns } from '../keys/bindings';
import type { Point } from './gestures';

const LINE_PX = 18;
/** Lanes change by one size for each of these. */
const LANE_STEP_PX = 60;
/** Below this share of the other direction, a movement is meant to be straight. */
const STRAIGHT = 0.5;

const heldOf = (event: WheelEvent): 'nothing' | 'ctrl' | 'shift' | 'alt' => {
  if (event.ctrlKey || event.metaKey) return 'ctrl';
  if (event.altKey) return 'alt';
  return event.shiftKey ? 'shift' : 'nothing';
};

/** The wheel means the same over the rows' heads as over the lanes. */
export function listenToWheel(context: Context, targets: readonly HTMLElement[], pointOf: (event: MouseEvent) => Point): void {
  const { state } = context;
  let lane_steps = 0;
  const pixels = (delta: number, mode: number) => {
    if (mode === WheelEvent.DOM_DELTA_LINE) return delta * LINE_PX;
    return mode === WheelEvent.DOM_DELTA_PAGE ? delta * state.viewport.height : delta;
  };
  const wheel = (event: WheelEvent) => {
    event.preventDefault();
    const dx = pixels(event.deltaX, event.deltaMode);
    const dy = pixels(event.deltaY, event.deltaMode);
    switch (wheelTurns(heldOf(event), state.gestures)) {
      case 'zoom':
        // Two fingers that go sideways move in time, also where the wheel alone zooms.
        if (Math.abs(dx) > Math.abs(dy)) panByPx(context, dx);
        else zoomAt(context, timeScale(state).toNs(clamp(pointOf(event).x, 0, state.viewport.width)), zoomFactor(dy));
        break;
      case 'time':
        // Some systems turn the wheel sideways themselves while Shift is held.
        panByPx(context, dx || dy);
        break;
      case 'lanes':
        lane_steps = Math.sign(dy) === Math.sign(lane_steps) ? lane_steps + dy : dy;
        if (Math.abs(lane_steps) < LANE_STEP_PX) break;
        lane_steps = 0;
        stepLaneSize(context, dy < 0 ? 1 : -1);
        break;
      case 'scroll':
        if (Math.abs(dx) > Math.abs(dy) * STRAIGHT) panByPx(context, dx);
        if (Math.abs(dy) > Math.abs(dx) * STRAIGHT) scrollTo(context, state.scroll_y + dy);
    }
  };
  for (const target of targets) target.addEventListener('wheel', wheel, { passive: false });
}

/** A pinch on a trackpad arrives as Ctrl+wheel with small steps, a wheel with steps of about 100. */
export const zoomFactor = (dy: number): number => Math.exp(clamp(dy, -120, 120) * (Math.abs(dy) < 20 ? 0.012 : 0.0028));
