// The critical path in the timeline: everything else stands back, its ops are framed, and arrows lead from each to the next.
import type { Rect } from '../base/geom';
import type { Theme } from './theme';

/** Arrows shorter than this say nothing that the boxes do not. */
const LEAST_ARROW_PX = 10;
/** More than this is a hairball. */
const MOST_ARROWS = 400;
const VEIL = 0.62;
const HEAD_PX = 5;

/** Dims what is drawn so far, but for `lit`. */
export function drawVeil(context: CanvasRenderingContext2D, lit: readonly Rect[], width: number, height: number, theme: Theme): void {
  context.save();
  context.beginPath();
  context.rect(0, 0, width, height);
  for (const { x, y, width, height } of lit) context.rect(x, y, Math.max(width, 1.5), height);
  context.globalAlpha = VEIL;
  context.fillStyle = theme.background;
  // What lies in a box is drawn around twice, and so left out.
  context.fill('evenodd');
  context.restore();
}

/** Arrows along `boxes`, from each to the next. */
export function drawPath(context: CanvasRenderingContext2D, boxes: readonly Rect[], width: number, theme: Theme): void {
  context.save();
  context.strokeStyle = context.fillStyle = theme.text;
  context.lineWidth = 1.25;
  let drawn = 0;
  for (let at = 1; at < boxes.length && drawn < MOST_ARROWS; at++) {
    const before = boxes[at - 1]!;
    const box = boxes[at]!;
    const from = { x: before.x + before.width, y: before.y + before.height / 2 };
    const to = { x: Math.max(box.x, from.x), y: box.y + box.height / 2 };
    const outside = (from.x < 0 && to.x < 0) || (from.x > width && to.x > width);
    if (outside || Math.hypot(to.x - from.x, to.y - from.y) < LEAST_ARROW_PX) continue;
    drawn++;
    context.beginPath();
    context.moveTo(from.x, from.y);
    context.lineTo(to.x, to.y);
    context.stroke();
    const angle = Math.atan2(to.y - from.y, to.x - from.x);
    context.beginPath();
    context.moveTo(to.x, to.y);
    for (const turn of [2.7, -2.7]) context.lineTo(to.x + HEAD_PX * Math.cos(angle + turn), to.y + HEAD_PX * Math.sin(angle + turn));
    context.fill();
  }
  context.restore();
}
