// Arrows of the selected op: from its producers, to its consumers. Ends outside the view become stubs to click on.
import type { Rect } from '../base/geom';
import { shortened } from '../base/names';
import type { OpId } from '../engine/protocol';
import { drawPlate, plateAt } from './shapes';
import type { TextRuler } from './text';
import type { Theme } from './theme';

/** One arrow in CSS pixels of the canvas; `leads_to` is the op at its far end. */
export interface Arrow {
  from: { x: number; y: number };
  to: { x: number; y: number };
  leads_to: OpId;
  name: string;
  /** Towards the selected op, or away from it. */
  incoming: boolean;
}

/** An arrow's end that lies outside, as a place to click. */
export interface Stub {
  rect: Rect;
  leads_to: OpId;
}

/** More plates would cover the lanes they are about. */
const MOST_STUBS = 8;
const STUB_WIDTH = 180;

/** Stubs keep clear of `taken`, and of each other. */
export function drawArrows(context: CanvasRenderingContext2D, arrows: readonly Arrow[], area: Rect, taken: Rect[], ruler: TextRuler, theme: Theme): Stub[] {
  const stubs: Stub[] = [];
  for (const arrow of arrows) {
    curve(context, arrow, theme);
    const far = arrow.incoming ? arrow.from : arrow.to;
    const outside = far.x < area.x || far.x > area.x + area.width || far.y < area.y || far.y > area.y + area.height;
    if (!outside || stubs.length >= MOST_STUBS) continue;
    const rect = stub(context, arrow, far, area, taken, ruler, theme);
    taken.push(rect);
    stubs.push({ rect, leads_to: arrow.leads_to });
  }
  return stubs;
}

function curve(context: CanvasRenderingContext2D, { from, to }: Arrow, theme: Theme): void {
  const reach = Math.min(Math.max(Math.abs(to.x - from.x) / 2, 14), 120);
  const path = () => {
    context.beginPath();
    context.moveTo(from.x, from.y);
    context.bezierCurveTo(from.x + reach, from.y, to.x - reach, to.y, to.x - 1, to.y);
    context.stroke();
  };
  context.lineCap = 'round';
  context.strokeStyle = theme.halo;
  context.lineWidth = 4;
  path();
  context.strokeStyle = theme.text;
  context.lineWidth = 1.5;
  path();
  context.fillStyle = theme.text;
  context.beginPath();
  context.moveTo(to.x, to.y);
  context.lineTo(to.x - 7, to.y - 3.5);
  context.lineTo(to.x - 7, to.y + 3.5);
  context.fill();
  context.beginPath();
  context.arc(from.x, from.y, 2.25, 0, 2 * Math.PI);
  context.fill();
}

function stub(context: CanvasRenderingContext2D, arrow: Arrow, far: { x: number; y: number }, area: Rect, taken: readonly Rect[], ruler: TextRuler, theme: Theme): Rect {
  const sign = far.y < area.y ? '↑ ' : far.y > area.y + area.height ? '↓ ' : far.x < area.x ? '← ' : '→ ';
  const name = shortened(arrow.name, (text) => ruler.width(text) <= STUB_WIDTH) ?? '';
  context.font = theme.font;
  const made = plateAt(context, sign + name, far.x, Math.min(Math.max(far.y - 8, area.y + 4), area.y + area.height - 20), area.x + area.width);
  const { rect } = made;
  // Away from the edge that it sticks to.
  const step = far.y < area.y + area.height / 2 ? 3 : -3;
  const covers = (other: Rect) => other.x < rect.x + rect.width && rect.x < other.x + other.width && other.y < rect.y + rect.height + 2 && rect.y < other.y + other.height + 2;
  while (taken.some(covers) && rect.y > area.y - 20 && rect.y < area.y + area.height) rect.y += step;
  drawPlate(context, made, theme.text, theme.background);
  return rect;
}
