// Where single ops are on the canvas: found by their pixels, not by how the page lays them out.

import { canvasBox, rowsWith } from './canvas.mjs';
import { RangeQuery } from './core.mjs';

/** How far from an op's end, in CSS pixels, it is surely drawn or surely not: ends may fall on half pixels. */
const NEAR_PX = 3;

/** The points just inside and just outside of some ops, in pixels of a canvas `width` wide that shows `window`. */
export function edges(ops, window, width) {
  const x = (ns) => ((ns - window[0]) / (window[1] - window[0])) * width;
  const shown = (at) => at >= 0 && at < width;
  return {
    inside: ops.flatMap(([start, end]) => [x(start) + NEAR_PX, (x(start) + x(end)) / 2, x(end) - NEAR_PX]).filter(shown),
    outside: ops.flatMap(([start, end]) => [x(start) - NEAR_PX, x(end) + NEAR_PX]).filter(shown),
  };
}

/** The longest op of the first device that is of this category and stands apart in its lane, so that its ends are to be seen. */
export function standsApart(session, summary, category) {
  const types = JSON.parse(session.opTypes(new RangeQuery(0, summary.span_ns, 0))).filter((row) => row.category === category);
  const details = types.flatMap((row) => {
    session.search(`type:${row.op_type}`, false);
    return [...session.searchOps()].map((op) => JSON.parse(session.op(op)));
  });
  const apart = details.filter((op) => {
    const gap = (op.end_ns - op.start_ns) / 10;
    const [before, after] = [-1, 1].map((step) => session.neighbour(op.op, step)).map((id) => (id === undefined ? null : JSON.parse(session.op(id))));
    return op.device === 0 && op.category === category && gap > 0 && (!before || before.end_ns + gap <= op.start_ns) && (!after || after.start_ns - gap >= op.end_ns);
  });
  return apart.reduce((a, b) => (b.end_ns - b.start_ns > a.end_ns - a.start_ns ? b : a));
}

/** A window that holds the op with a tenth of its length on each side. */
export function windowAround(op) {
  const air = (op.end_ns - op.start_ns) / 10;
  return [op.start_ns - air, op.end_ns + air].map(Math.round);
}

/** The middle of an op that stands apart, on a page that shows `windowAround` it. */
export async function placeOf(page, op) {
  const box = await canvasBox(page);
  const [row] = await rowsWith(page, { ...edges([[op.start_ns, op.end_ns]], windowAround(op), box.width), category: op.category });
  if (!row) throw new Error(`no row of pixels shows ${op.name} where it was`);
  return { x: box.x + box.width / 2, y: box.y + (row[0] + row[1]) / 2 };
}
