// The critical path in the timeline: everything else stands back, its ops are framed, and arrows lead from each to the next.
import type { Rect } from '../base/geom';
import { CATEGORIES } from '../engine/protocol';
import type { Theme } from './theme';

/** Arrows shorter than this say nothing that the boxes do not. */
const LEAST_ARROW_PX = 10;
const VEIL = 0.62;
const HEAD_PX = 5;
/** Of arrows along ops that are too close for an arrow each. */
const DASH = [3, 3];

interface Point {
  x: number;
  y: number;
}

export interface PathArrow {
  from: Point;
  to: Point;
  /** How many ops lie between the two, which have no arrows of their own. */
  between: number;
}

/** Dims what is drawn so far, but for `lit`. */
export function drawVeil(context: CanvasRenderingContext2D, lit: readonly Rect[], width: number, height: number, theme: Theme): void {
  context.save();
  context.beginPath();
  context.rect(0, 0, width, height);
  for (const { x, y, width, height } of lit) context.rect(x, y, width, height);
  context.globalAlpha = VEIL;
  context.fillStyle = theme.background;
  // What lies in a box is drawn around twice, and so left out.
  context.fill('evenodd');
  context.restore();
}

/** Transfers of the path, in front of the hills that they are in. */
export function drawLitTransfers(context: CanvasRenderingContext2D, lit: readonly Rect[], theme: Theme): void {
  context.fillStyle = theme.categories[CATEGORIES.indexOf('communication')] ?? theme.text;
  for (const { x, y, width, height } of lit) context.fillRect(x, y, width, height);
}

/** Dashed where ops lie between. */
export function drawPath(context: CanvasRenderingContext2D, arrows: readonly PathArrow[], theme: Theme): void {
  context.save();
  context.strokeStyle = context.fillStyle = theme.text;
  context.lineWidth = 1.25;
  const seen = arrows.filter(({ from, to }) => Math.hypot(to.x - from.x, to.y - from.y) >= LEAST_ARROW_PX);
  for (const is_dashed of [false, true]) {
    context.setLineDash(is_dashed ? DASH : []);
    context.beginPath();
    for (const { from, to, between } of seen) {
      if (between > 0 !== is_dashed) continue;
      context.moveTo(from.x, from.y);
      context.lineTo(to.x, to.y);
    }
    context.stroke();
  }
  context.beginPath();
  for (const { from, to } of seen) {
    const angle = Math.atan2(to.y - from.y, to.x - from.x);
    context.moveTo(to.x, to.y);
    for (const turn of [2.7, -2.7]) context.lineTo(to.x + HEAD_PX * Math.cos(angle + turn), to.y + HEAD_PX * Math.sin(angle + turn));
  }
  context.fill();
  context.restore();
}
