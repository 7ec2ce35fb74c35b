// What a click, a double click and a finger that rests do on the timeline.
import { holds } from '../../base/geom';
import { say } from '../../base/messages';
import type { OpId } from '../../engine/protocol';
import { attempt } from '../../state/failures';
import { foldedAt } from '../../state/layout/sight';
import { goToNote } from '../../state/opened/go_to_note';
import { chooseNote } from '../../state/opened/notes';
import { selectInstant } from '../../state/shown/counters';
import { toggleFold } from '../../state/shown/devices';
import { pathOf, segmentAt, segmentOf } from '../../state/shown/path';
import { OP_NOT_SHOWN, clearNearest, selectOp, setRange } from '../../state/shown/select';
import { frameWindow, timeScale } from '../../state/shown/view';
import { flagUnder } from './counter_lanes';
import type { Point } from './gestures';
import { opAt, TOUCH_SLACK, transferAt } from './pick';
import { flagAt, onPlate, type Kind, type Pointed, type Surface } from './surface';

/** Shows what can be done with an op, at a point of the window. */
export type MenuAt = (op: OpId, at: { x: number; y: number }) => void;

/** Two taps this close in time and place are a double tap. */
const DOUBLE_TAP = { ms: 350, px: 30 };

/** When and where a finger tapped the lanes last. */
export interface Tap {
  ms: number;
  point: Point;
}

export const NO_TAP: Tap = { ms: -Infinity, point: { x: 0, y: 0 } };

/** A click at `clicked`, at the time `ms`. The tap that the next one may make a double tap. */
export function click(surface: Surface, { kind, ...clicked }: Pointed & { kind: Kind }, ms: number, last_tap: Tap): Tap {
  const { context, canvases } = surface;
  const { on, point } = clicked;
  if (on === canvases.strip) selectOnPath(surface, point.x);
  else if (on === canvases.lanes) return clickLanes(surface, point, kind, ms, last_tap);
  else {
    const note = flagAt(surface, clicked);
    if (note) chooseNote(context, note);
    else if (!onPlate(surface, clicked) && kind === 'mouse') setRange(context, null);
  }
  return last_tap;
}

function clickLanes(surface: Surface, point: Point, kind: Kind, ms: number, last_tap: Tap): Tap {
  const { context, drawn } = surface;
  const again = ms - last_tap.ms < DOUBLE_TAP.ms && Math.hypot(point.x - last_tap.point.x, point.y - last_tap.point.y) < DOUBLE_TAP.px;
  const stub = drawn.stubs.find(({ rect }) => holds(rect, point.x, point.y));
  const folded = foldedAt(context.state, point.y);
  const flag = flagUnder(context.state, point, kind === 'touch' ? TOUCH_SLACK : undefined);
  if (flag) attempt(context, say('instant-not-shown'), selectInstant(context, flag.instant));
  else if (stub) attempt(context, OP_NOT_SHOWN, selectOp(context, stub.leads_to, 'show'));
  else if (folded !== null) toggleFold(context, folded);
  else if (kind === 'touch' && again) frameAt(surface, point, TOUCH_SLACK);
  else attempt(context, OP_NOT_SHOWN, selectAt(surface, point, kind === 'touch' ? TOUCH_SLACK : undefined));
  return kind === 'touch' && !again ? { ms, point } : { ...last_tap, ms: -Infinity };
}

function selectOnPath({ context }: Surface, x: number): void {
  const path = pathOf(context.state);
  const place = path && segmentAt(path, timeScale(context.state).toNs(x));
  if (path && place !== null) attempt(context, OP_NOT_SHOWN, selectOp(context, segmentOf(path, place).op, 'show'));
}

/** The op at a point: one that is drawn, or the transfer of a band that is. */
const found = ({ context, drawn }: Surface, point: Point, slack?: number): Promise<OpId | null> =>
  transferAt(context, point, slack) ?? opAt(context, drawn, point, slack);

async function selectAt(surface: Surface, point: Point, slack?: number): Promise<void> {
  const op = await found(surface, point, slack);
  if (op !== null) await selectOp(surface.context, op, 'stay');
  else clearNearest(surface.context);
}

/** Zooms to the op at a point. */
export function frameAt(surface: Surface, point: Point, slack?: number): void {
  const { context } = surface;
  const framed = found(surface, point, slack).then((op) => (op === null ? undefined : selectOp(context, op, 'frame')));
  attempt(context, OP_NOT_SHOWN, framed);
}

/** A double click on the axis: goes to the mark there, else zooms to the range. */
export function frameOnAxis(surface: Surface, point: Point): void {
  const { context, canvases } = surface;
  const note = flagAt(surface, { on: canvases.axis, point });
  if (note) goToNote(context, note);
  else if (context.state.range) frameWindow(context, context.state.range);
}

/** Shows the menu of the op under a finger. */
export function menuUnder(surface: Surface, point: Point, at: { x: number; y: number }, menuAtOp: MenuAt): void {
  const shown = found(surface, point, TOUCH_SLACK).then((op) => {
    if (op !== null) menuAtOp(op, at);
  });
  attempt(surface.context, OP_NOT_SHOWN, shown);
}
