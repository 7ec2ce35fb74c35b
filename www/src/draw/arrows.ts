// Arrows of the selected op: from its producers, to its consumers. Ends outside the view become stubs to click on.
//
// What leads to the op is dashed with an open head, what leads away is solid with a filled one: no colour is needed.
import { formatCount } from '../base/format';
import { say } from '../base/messages';
import type { Rect } from '../base/geom';
import { shortened } from '../base/names';
import type { OpId } from '../engine/protocol';
import { bundled, nearby, type Arrow, type Bundle, type Point } from './bundles';
import { drawPlate, plateAt } from './shapes';
import type { TextRuler } from './text';
import type { Theme } from './theme';

/** An arrow's end that lies outside, as a place to click. */
export interface Stub {
  rect: Rect;
  leads_to: OpId;
}

/** More than this is a hairball. */
const MOST_BUNDLES = 24;
/** More plates would cover the lanes they are about. */
const MOST_STUBS = 8;
const STUB_WIDTH = 180;
/** How far a stub may be moved to keep clear of others, and in which steps. */
const FURTHEST = 150;
const STEP = 3;

/** Stubs keep clear of `taken`, and of each other. `truncated` says whether the core left out any arrows. */
export function drawArrows(
  context: CanvasRenderingContext2D,
  arrows: readonly Arrow[],
  truncated: boolean,
  area: Rect,
  taken: Rect[],
  ruler: TextRuler,
  theme: Theme,
): Stub[] {
  const { bundles, left_out } = bundled(arrows, area, MOST_BUNDLES);
  const stubs: Stub[] = [];
  // Lines first, so that no line crosses a stub; the nearest last, on top.
  for (const bundle of bundles.toReversed()) curve(context, bundle, area, theme);
  const counted: Bundle[] = [];
  for (const bundle of bundles) {
    const [arrow] = bundle;
    const far = arrow.hop < 0 ? arrow.from : arrow.to;
    const outside = far.x < area.x || far.x > area.x + area.width || far.y < area.y || far.y > area.y + area.height;
    if (!outside || stubs.length >= MOST_STUBS) {
      if (!outside && bundle.length > 1) counted.push(bundle);
      continue;
    }
    const rect = stub(context, bundle, far, area, taken, ruler, theme);
    taken.push(rect);
    stubs.push({ rect, leads_to: arrow.leads_to });
  }
  // A line is seen to be thick without its count; under one, a name could not be read.
  for (const bundle of counted) count(context, bundle, area, taken, theme);
  if (left_out > 0 || truncated) {
    context.font = theme.font;
    const whole = say(truncated ? 'arrows-left-out-at-least' : 'arrows-left-out', {
      count: left_out,
      all: formatCount(arrows.length),
    });
    // Why they are not comes after the colon, where there is room for it.
    const text = context.measureText(whole).width + 14 <= area.width ? whole : (whole.split(/[:：]/)[0] ?? whole);
    const plate = plateAt(context, text, area.x + area.width, area.y + area.height - 22, area.x + area.width);
    drawPlate(context, plate, theme.raised, theme.muted, theme.line);
  }
  return stubs;
}

/** The line below a lane along which data goes from op to op within it, clear of their names. */
const DIP = 6;
const DASH = [5, 3];
/** Further hops are fainter. */
const FAINTEST = 0.45;

function shapeOf({ from, to, lane_height }: Arrow): { level: boolean; edge: number; low: number; reach: number } {
  const edge = lane_height / 2;
  return {
    level: Math.abs(from.y - to.y) < 1,
    edge,
    low: from.y + edge + DIP,
    reach: Math.min(Math.max(Math.abs(to.x - from.x) / 2, 14), 90),
  };
}

function curve(context: CanvasRenderingContext2D, bundle: Bundle, area: Rect, theme: Theme): void {
  const [first] = bundle;
  const arrow = { ...first, from: nearby(first.from, area), to: nearby(first.to, area) };
  const { from, to } = arrow;
  const { level, edge, low, reach } = shapeOf(arrow);
  const incoming = arrow.hop < 0;
  const path = () => {
    context.beginPath();
    if (level) {
      context.moveTo(from.x, from.y + edge);
      context.bezierCurveTo(from.x, low, from.x + DIP, low, from.x + 2 * DIP, low);
      context.lineTo(Math.max(to.x - 2 * DIP, from.x + 2 * DIP), low);
      context.bezierCurveTo(to.x - DIP, low, to.x, low, to.x, to.y + edge + 1);
    } else {
      context.moveTo(from.x, from.y);
      context.bezierCurveTo(from.x + reach, from.y, to.x - reach, to.y, to.x - 1, to.y);
    }
    context.stroke();
  };
  const width = 1.5 + Math.min(Math.log2(bundle.length), 4) * 0.6;
  context.save();
  context.globalAlpha = Math.max(1 - 0.17 * (Math.abs(arrow.hop) - 1), FAINTEST);
  context.lineCap = 'round';
  context.strokeStyle = theme.halo;
  context.lineWidth = width + 2;
  path();
  context.strokeStyle = context.fillStyle = theme.text;
  context.lineWidth = width;
  context.lineCap = incoming ? 'butt' : 'round';
  if (incoming) context.setLineDash(DASH);
  path();
  context.setLineDash([]);
  head(context, level ? { x: to.x, y: to.y + edge } : to, level, incoming, width + 2);
  context.beginPath();
  context.arc(from.x, level ? from.y + edge : from.y, 0.75 + width, 0, 2 * Math.PI);
  context.fill();
  context.restore();
}

/** Pointing up to a lane from below it, or right. */
function head(context: CanvasRenderingContext2D, tip: Point, up: boolean, open: boolean, half: number): void {
  const length = 2 * half;
  context.beginPath();
  context.moveTo(tip.x + (up ? -half : -length), tip.y + (up ? length : -half));
  context.lineTo(tip.x, tip.y);
  context.lineTo(tip.x + (up ? half : -length), tip.y + (up ? length : half));
  if (!open) {
    context.fill();
    return;
  }
  context.lineWidth = 1.5;
  context.stroke();
}

const isOver = (one: Rect, other: Rect, gap = 0): boolean =>
  other.x < one.x + one.width &&
  one.x < other.x + other.width &&
  other.y < one.y + one.height + gap &&
  one.y < other.y + other.height + gap;

/** How many a bundle is of, on the middle of its line, where nothing else is written. */
function count(context: CanvasRenderingContext2D, bundle: Bundle, area: Rect, taken: Rect[], theme: Theme): void {
  const [arrow] = bundle;
  const [from, to] = [nearby(arrow.from, area), nearby(arrow.to, area)];
  const { level, low } = shapeOf(arrow);
  context.font = theme.small_font;
  // A curve with level ends passes midway between them.
  const y = level ? low : (from.y + to.y) / 2;
  const plate = plateAt(context, `×${bundle.length}`, (from.x + to.x) / 2, y - 8, area.x + area.width);
  if (taken.some((other) => isOver(plate.rect, other))) return;
  taken.push(plate.rect);
  drawPlate(context, plate, theme.raised, theme.text, theme.line);
}

function stub(
  context: CanvasRenderingContext2D,
  [arrow, ...others]: Bundle,
  far: Point,
  area: Rect,
  taken: readonly Rect[],
  ruler: TextRuler,
  theme: Theme,
): Rect {
  const sign = far.y < area.y ? '↑ ' : far.y > area.y + area.height ? '↓ ' : far.x < area.x ? '← ' : '→ ';
  const name = shortened(arrow.name, (text) => ruler.width(text) <= STUB_WIDTH) ?? '';
  const more = others.length > 0 ? ` ${say('and-more', { count: others.length })}` : '';
  context.font = theme.font;
  const made = plateAt(
    context,
    sign + name + more,
    far.x,
    Math.min(Math.max(far.y - 8, area.y + 4), area.y + area.height - 20),
    area.x + area.width,
  );
  const { rect } = made;
  const covers = (other: Rect) => isOver(rect, other, 2);
  const wanted = rect.y;
  const free = () => rect.y >= area.y && rect.y + rect.height <= area.y + area.height && !taken.some(covers);
  // The nearest free place below, else above; where there is none, the wanted one.
  const places = [1, -1].flatMap((direction) => Array.from({ length: FURTHEST / STEP }, (_, index) => wanted + direction * index * STEP));
  rect.y =
    places.find((y) => {
      rect.y = y;
      return free();
    }) ?? wanted;
  drawPlate(context, made, theme.raised, theme.text, theme.muted);
  return rect;
}
