// Which part of the picture is in sight: zooming and moving, within its bounds.
import { clamp } from '../../base/geom';
import type { Fleet, Sight } from '../fleet_open';

/** The fewest rows and columns in sight. */
const LEAST = 4;

export const wholeSight = ({ run }: Fleet): Sight => ({
  x0: 0,
  x1: Math.max(run?.first_steps.length ?? 0, 1),
  y0: 0,
  y1: Math.max(run?.rows.length ?? 0, 1),
});

export const sightOf = (fleet: Fleet): Sight => fleet.sight ?? wholeSight(fleet);

/** One direction: `length` in sight from `start`, of `all`. */
function bounded(start: number, length: number, all: number): [number, number] {
  const long = clamp(length, Math.min(LEAST, all), all);
  const from = clamp(start, 0, all - long);
  return [from, from + long];
}

/** As near to `wanted` as there is; null where that is all of it. */
export function within(fleet: Fleet, wanted: Sight): Sight | null {
  const { x1: columns, y1: rows } = wholeSight(fleet);
  const [x0, x1] = bounded(wanted.x0, wanted.x1 - wanted.x0, columns);
  const [y0, y1] = bounded(wanted.y0, wanted.y1 - wanted.y0, rows);
  return x0 === 0 && y0 === 0 && x1 === columns && y1 === rows ? null : { x0, x1, y0, y1 };
}

export const moved = (sight: Sight, dx: number, dy: number): Sight => ({
  x0: sight.x0 + dx,
  x1: sight.x1 + dx,
  y0: sight.y0 + dy,
  y1: sight.y1 + dy,
});

/** Zoomed so that what is at (x, y), in columns and rows, stays where it is. */
export const zoomed = (sight: Sight, x: number, y: number, by_x: number, by_y: number): Sight => ({
  x0: x - (x - sight.x0) * by_x,
  x1: x + (sight.x1 - x) * by_x,
  y0: y - (y - sight.y0) * by_y,
  y1: y + (sight.y1 - y) * by_y,
});

/** Moved by as little as brings the cell into sight. */
export function holding(sight: Sight, row: number, column: number): Sight {
  const over = (at: number, from: number, to: number) => (at < from ? at - from : at + 1 > to ? at + 1 - to : 0);
  return moved(sight, over(column, sight.x0, sight.x1), over(row, sight.y0, sight.y1));
}
