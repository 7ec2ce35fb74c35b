// Arrows of the selected op: from its producers, to its consumers. Ends outside the view become stubs to click on.
import { clamp, type Rect } from '../base/geom';
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
  /** Of the selected op. */
  lane_height: number;
}

/** An arrow's end that lies outside, as a place to click. */
export interface Stub {
  rect: Rect;
  leads_to: OpId;
}

/** More plates would cover the lanes they are about. */
const MOST_STUBS = 8;
const STUB_WIDTH = 180;
/** How far a stub may be moved to keep clear of others, and in which steps. */
const FURTHEST = 150;
const STEP = 3;

/** Stubs keep clear of `taken`, and of each other. */
export function drawArrows(
  context: CanvasRenderingContext2D,
  arrows: readonly Arrow[],
  area: Rect,
  taken: Rect[],
  ruler: TextRuler,
  theme: Theme,
): Stub[] {
  const stubs: Stub[] = [];
  // Lines first, so that no line crosses a stub.
  for (const arrow of arrows)
    curve(context, { ...arrow, from: nearby(arrow.from, area), to: nearby(arrow.to, area) }, theme);
  for (const arrow of arrows) {
    const far = arrow.incoming ? arrow.from : arrow.to;
    const outside = far.x < area.x || far.x > area.x + area.width || far.y < area.y || far.y > area.y + area.height;
    if (!outside || stubs.length >= MOST_STUBS) continue;
    const rect = stub(context, arrow, far, area, taken, ruler, theme);
    taken.push(rect);
    stubs.push({ rect, leads_to: arrow.leads_to });
  }
  return stubs;
}

/** How far outside an end is drawn that is further away: a line to the far end would hardly show where it leads. */
const BEYOND = 60;

const nearby = ({ x, y }: { x: number; y: number }, area: Rect) => ({
  x: clamp(x, area.x - BEYOND, area.x + area.width + BEYOND),
  y: clamp(y, area.y - BEYOND, area.y + area.height + BEYOND),
});

/** The line below a lane along which data goes from op to op within it, clear of their names. */
const DIP = 6;

function curve(context: CanvasRenderingContext2D, { from, to, lane_height }: Arrow, theme: Theme): void {
  const level = Math.abs(from.y - to.y) < 1;
  const edge = lane_height / 2;
  const path = () => {
    context.beginPath();
    if (level) {
      const low = from.y + edge + DIP;
      context.moveTo(from.x, from.y + edge);
      context.bezierCurveTo(from.x, low, from.x + DIP, low, from.x + 2 * DIP, low);
      context.lineTo(Math.max(to.x - 2 * DIP, from.x + 2 * DIP), low);
      context.bezierCurveTo(to.x - DIP, low, to.x, low, to.x, to.y + edge + 1);
    } else {
      const reach = Math.min(Math.max(Math.abs(to.x - from.x) / 2, 14), 90);
      context.moveTo(from.x, from.y);
      context.bezierCurveTo(from.x + reach, from.y, to.x - reach, to.y, to.x - 1, to.y);
    }
    context.stroke();
  };
  context.lineCap = 'round';
  context.strokeStyle = theme.halo;
  context.lineWidth = 3.5;
  path();
  context.strokeStyle = theme.text;
  context.lineWidth = 1.5;
  path();
  context.fillStyle = theme.text;
  const tip = level ? { x: to.x, y: to.y + edge } : to;
  context.beginPath();
  context.moveTo(tip.x, tip.y);
  context.lineTo(tip.x + (level ? -3.5 : -7), tip.y + (level ? 7 : -3.5));
  context.lineTo(tip.x + (level ? 3.5 : -7), tip.y + (level ? 7 : 3.5));
  context.fill();
  context.beginPath();
  context.arc(from.x, level ? from.y + edge : from.y, 2.25, 0, 2 * Math.PI);
  context.fill();
}

function stub(
  context: CanvasRenderingContext2D,
  arrow: Arrow,
  far: { x: number; y: number },
  area: Rect,
  taken: readonly Rect[],
  ruler: TextRuler,
  theme: Theme,
): Rect {
  const sign = far.y < area.y ? '↑ ' : far.y > area.y + area.height ? '↓ ' : far.x < area.x ? '← ' : '→ ';
  const name = shortened(arrow.name, (text) => ruler.width(text) <= STUB_WIDTH) ?? '';
  context.font = theme.font;
  const made = plateAt(
    context,
    sign + name,
    far.x,
    Math.min(Math.max(far.y - 8, area.y + 4), area.y + area.height - 20),
    area.x + area.width,
  );
  const { rect } = made;
  const covers = (other: Rect) =>
    other.x < rect.x + rect.width &&
    rect.x < other.x + other.width &&
    other.y < rect.y + rect.height + 2 &&
    rect.y < other.y + other.height + 2;
  const wanted = rect.y;
  const free = () => rect.y >= area.y && rect.y + rect.height <= area.y + area.height && !taken.some(covers);
  // The nearest free place below, else above; where there is none, the wanted one.
  const places = [1, -1].flatMap((direction) =>
    Array.from({ length: FURTHEST / STEP }, (_, index) => wanted + direction * index * STEP),
  );
  rect.y =
    places.find((y) => {
      rect.y = y;
      return free();
    }) ?? wanted;
  drawPlate(context, made, theme.raised, theme.text, theme.muted);
  return rect;
}
