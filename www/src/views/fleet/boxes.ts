// Where things are on the canvas of a fleet: names of tasks, the picture, the series below it; and which cell is where.
import { clamp, type Rect } from '../../base/geom';
import { sightOf } from '../../state/fleet/sight';
import type { At, Fleet } from '../../state/fleet_open';

const AXIS = 20;
const GAP = 10;
/** Wide enough for `worker 1023`, and narrower where there is little room. */
const NAMES = { wide: 112, narrow: 76, below: 560 };
/** The share is of the canvas; where there are few rows the series has what they leave. */
const SERIES = { least: 64, share: 0.24, most: 320, most_share: 0.36 };
/** A row is no taller, in CSS pixels or as a part of the canvas: four tasks are no wall of colour. */
const TALLEST_ROW = { px: 34, share: 1 / 22 };

export interface Boxes {
  axis: Rect;
  names: Rect;
  picture: Rect;
  series: Rect;
}

export function boxesOf(fleet: Fleet, width: number, height: number): Boxes {
  const left = width < NAMES.below ? NAMES.narrow : NAMES.wide;
  const across = Math.max(width - left, 1);
  const { y0, y1 } = sightOf(fleet);
  const for_series = Math.max(height * SERIES.share, SERIES.least);
  const down = clamp(height - AXIS - GAP - for_series, 1, Math.max((y1 - y0) * Math.max(TALLEST_ROW.px, height * TALLEST_ROW.share), 1));
  const below = AXIS + down + GAP;
  return {
    axis: { x: left, y: 0, width: across, height: AXIS },
    names: { x: 0, y: AXIS, width: left, height: down },
    picture: { x: left, y: AXIS, width: across, height: down },
    series: {
      x: left,
      y: below,
      width: across,
      height: Math.max(Math.min(height - below - 4, Math.max(SERIES.most, height * SERIES.most_share)), 1),
    },
  };
}

/** Columns and rows at a point of the canvas, with fractions, also beyond the picture. */
export function placeAt(fleet: Fleet, { picture }: Boxes, x: number, y: number): { column: number; row: number } {
  const { x0, x1, y0, y1 } = sightOf(fleet);
  return {
    column: x0 + ((x - picture.x) / picture.width) * (x1 - x0),
    row: y0 + ((y - picture.y) / picture.height) * (y1 - y0),
  };
}

/** The cell at a point; over the series it is that of the row that is chosen, over names there is none. */
export function cellAt(fleet: Fleet, boxes: Boxes, x: number, y: number): At | null {
  const { picture, names } = boxes;
  const { run } = fleet;
  if (!run || x < picture.x || y < names.y || y >= picture.y + picture.height) return null;
  const { column, row } = placeAt(fleet, boxes, x, y);
  const at = { row: Math.floor(row), column: Math.floor(column) };
  return at.row >= 0 && at.row < run.rows.length && at.column >= 0 && at.column < run.first_steps.length ? at : null;
}

/** Where a cell is on the canvas. */
export function boxOf(fleet: Fleet, { picture }: Boxes, { row, column }: At): Rect {
  const { x0, x1, y0, y1 } = sightOf(fleet);
  const [across, down] = [picture.width / (x1 - x0), picture.height / (y1 - y0)];
  return { x: picture.x + (column - x0) * across, y: picture.y + (row - y0) * down, width: across, height: down };
}
