// A flame: bars on one another, each as wide as its time, with names where there is room. What is around a name is above it, what is in it below.
import type { FlameBar } from '../engine/protocol';
import type { Fill } from './texture';
import type { Theme } from './theme';

export const BAR_PX = 20;
/** Between a bar and its name. */
const AIR_PX = 4;
/** Narrower bars have no gap between them. */
const GAP_FROM_PX = 4;
/** Narrower bars have no name. */
const NAMED_FROM_PX = 24;

/** A bar where it is drawn. */
export interface PlacedBar extends FlameBar {
  /** Its row from the top. */
  row: number;
  /** From its left edge to its right one, as shares of the width. */
  left: number;
  right: number;
  /** The bar that it stands on, as its place in the list; -1 at the bottom. */
  parent: number;
}

export interface PlacedFlame {
  bars: readonly PlacedBar[];
  rows: number;
}

export interface FlameLook {
  width: number;
  height: number;
  /** How far it is scrolled. */
  top: number;
  hovered: number;
  focused: number;
  label: (bar: FlameBar, width: number) => string | null;
  fill: (bar: FlameBar) => Fill | null;
}

/** Where bars are drawn: those of `outside` above the row of the name that they are about. */
export function placed(bars: readonly FlameBar[], outside: readonly FlameBar[], widthOf: (bar: FlameBar) => number): PlacedFlame {
  const above = outside.reduce((most, { depth }) => Math.max(most, depth), 0);
  const rows_below = bars.reduce((most, { depth }) => Math.max(most, depth + 1), 0);
  const placed: PlacedBar[] = [];
  /** `bottom` is the place of the bar at the bottom, if that is there already. */
  const add = (listed: readonly FlameBar[], rowOf: (depth: number) => number, bottom: number | null) => {
    const all = listed.reduce((sum, bar) => sum + (bar.depth === 0 ? widthOf(bar) : 0), 0) || 1;
    const path: number[] = [];
    for (const bar of listed) {
      path.length = bar.depth;
      path.push(bar.depth === 0 && bottom !== null ? bottom : placed.length);
      if (path[bar.depth] !== placed.length) continue;
      const left = bar.at_ns / all;
      placed.push({ ...bar, row: rowOf(bar.depth), left, right: left + widthOf(bar) / all, parent: path[bar.depth - 1] ?? -1 });
    }
  };
  add(bars, (depth) => above + depth, null);
  add(outside, (depth) => above - depth, 0);
  return { bars: placed, rows: above + rows_below };
}

/** The bar at a point, or -1. */
export function barAt({ bars }: PlacedFlame, { width, top }: Pick<FlameLook, 'width' | 'top'>, x: number, y: number): number {
  const row = Math.floor((y + top) / BAR_PX);
  const share = x / width;
  return bars.findIndex((bar) => bar.row === row && bar.left <= share && share < bar.right);
}

export function drawFlame(context: CanvasRenderingContext2D, { bars }: PlacedFlame, look: FlameLook, theme: Theme): void {
  const { width, height, top } = look;
  const first = Math.floor(top / BAR_PX);
  const last = Math.ceil((top + height) / BAR_PX);
  context.textBaseline = 'middle';
  context.font = theme.font;
  bars.forEach((bar, place) => {
    if (bar.row < first || bar.row > last) return;
    const left = bar.left * width;
    const whole = (bar.right - bar.left) * width;
    const shown = Math.max(whole - (whole >= GAP_FROM_PX ? 1 : 0), 0.5);
    const y = bar.row * BAR_PX - top;
    const fill = look.fill(bar);
    context.fillStyle = fill ?? theme.band;
    context.fillRect(left, y, shown, BAR_PX - 1);
    if (fill === null) outline(context, { left, y, width: shown }, theme.line, 1);
    if (place === look.hovered) outline(context, { left, y, width: shown }, theme.text, 1);
    if (place === look.focused) outline(context, { left, y, width: shown }, theme.accent, 2);
    if (whole < NAMED_FROM_PX) return;
    const text = look.label(bar, whole - 2 * AIR_PX);
    if (text === null) return;
    context.fillStyle = fill === null ? theme.text : theme.label;
    context.fillText(text, left + AIR_PX, y + BAR_PX / 2);
  });
}

function outline(
  context: CanvasRenderingContext2D,
  { left, y, width }: { left: number; y: number; width: number },
  color: string,
  thick: number,
): void {
  context.strokeStyle = color;
  context.lineWidth = thick;
  context.strokeRect(left + thick / 2, y + thick / 2, Math.max(width - thick, 1), BAR_PX - 1 - thick);
}
