// The canvases that the pointer acts on, and what a point of them hits apart from ops: the plate and the edges of the range, and flags of marks.
import { holds } from '../../base/geom';
import { noteWithId } from '../../state/opened/notes';
import { timeScale } from '../../state/shown/view';
import type { Context } from '../../state/state';
import type { Note } from '../../state/types';
import type { Drawn } from './drawn';
import type { Point } from './gestures';

export interface Surface {
  context: Context;
  canvases: Record<'lanes' | 'axis' | 'traffic' | 'strip', HTMLCanvasElement>;
  drawn: Drawn;
}

/** A point, and the canvas that it is on. */
export interface Pointed {
  on: HTMLCanvasElement;
  point: Point;
}

/** How near to an edge of the range a drag moves the edge. */
const EDGE_PX = { mouse: 5, touch: 14 };

export type Kind = keyof typeof EDGE_PX;
export const kindOf = (event: PointerEvent): Kind => (event.pointerType === 'touch' ? 'touch' : 'mouse');

export const canvasOf = (event: PointerEvent): HTMLCanvasElement => event.currentTarget as HTMLCanvasElement;

export function pointOf({ canvases }: Surface, event: MouseEvent): Point {
  const box = canvases.lanes.getBoundingClientRect();
  return { x: event.clientX - box.left, y: event.clientY - box.top, free: event.altKey };
}

/** What counts on the axis is x: above the lanes, y is less than 0. */
export function onPlate({ canvases, drawn }: Surface, { on, point }: Pointed): boolean {
  const plate = drawn.range_plate;
  return on === canvases.axis && plate !== null && point.x >= plate.x && point.x < plate.x + plate.width;
}

/** The end of the range that stays when the edge at `x` is dragged; null where there is no edge. */
export function fixedEnd({ context }: Surface, x: number, kind: Kind): number | null {
  const { state } = context;
  if (!state.range) return null;
  const scale = timeScale(state);
  const { start, end } = state.range;
  const [to_start, to_end] = [start, end].map((at) => Math.abs(scale.toPx(at) - x)) as [number, number];
  if (Math.min(to_start, to_end) > EDGE_PX[kind]) return null;
  return to_start < to_end ? end : start;
}

export function flagAt({ context, canvases, drawn }: Surface, { on, point }: Pointed): Note | undefined {
  const flag = drawn.flags.find(({ rect }) => on === canvases.axis && point.x >= rect.x - 1 && point.x < rect.x + rect.width + 1);
  return noteWithId(context.state, flag?.id ?? null);
}

/** What the pointer looks like where no gesture goes on, as CSS names it. */
export function cursorAt(surface: Surface, keys: { readonly space: boolean; readonly shift: boolean }, pointed: Pointed): string {
  const { context, canvases, drawn } = surface;
  const { on, point } = pointed;
  if (keys.space) return 'grab';
  if (keys.shift) return 'crosshair';
  if (onPlate(surface, pointed)) return 'grab';
  if (fixedEnd(surface, point.x, 'mouse') !== null) return 'ew-resize';
  if (flagAt(surface, pointed)) return 'pointer';
  if (on === canvases.strip) return 'pointer';
  if (on !== canvases.lanes) return 'crosshair';
  const on_stub = drawn.stubs.some(({ rect }) => holds(rect, point.x, point.y));
  return on_stub || context.state.hover ? 'pointer' : 'default';
}
