// What the canvas of the mirrored timelines shows.
import { drawHalf, type ChangeInks, type HalfPlace } from '../../../draw/mirror';
import type { TextRuler } from '../../../draw/text';
import type { Rect } from '../../../base/geom';
import { formatPoint } from '../../../base/time';
import { transformBetween, type TimeScale } from '../../../base/time_scale';
import type { MirrorHalf, PairedOp } from '../../../engine/protocol';
import { scaleOf } from '../../../state/shown/marks';
import { chosenPair, HEAD, laneTop, mirrorRows, mirrorScale, shiftOfB, type MirrorRow } from '../../../state/shown/mirror';
import type { State } from '../../../state/state';
import { paletteOf } from '../../../state/ui/theme';
import type { Surface } from '../../shared/canvas';

/** The axis above the rows, in CSS pixels. */
export const AXIS = 18;

function inksOf(): ChangeInks {
  const style = getComputedStyle(document.documentElement);
  const read = (name: string) => style.getPropertyValue(name).trim();
  return {
    same: read('--change-same'),
    slower: read('--change-slower'),
    faster: read('--change-faster'),
    only_a: read('--change-only-a'),
    only_b: read('--change-only-b'),
    label: read('--on-mark'),
  };
}

interface Halves {
  half: MirrorHalf;
  place: HalfPlace;
  of_b: boolean;
  is_ghost: boolean;
}

/** What each half is drawn from: its own marks, or those of the other one where widths are taken from that. */
export function halvesOf(state: State, width: number, height: number): Halves[] {
  const { marks, widths } = state.mirror;
  if (!marks) return [];
  const rows = mirrorRows(state);
  const scale = mirrorScale(state, width);
  const of = (half: MirrorHalf | null, of_b: boolean, own: boolean): Halves[] =>
    half
      ? [
          {
            half,
            of_b,
            is_ghost: own !== of_b,
            place: placeOf(
              half,
              rows,
              of_b,
              own,
              scale,
              widths === 'both' && own ? shiftOfB(state) : 0,
              state.mirror.scroll_y,
              width,
              height,
            ),
          },
        ]
      : [];
  if (widths === 'a') return [...of(marks.a, false, false), ...of(marks.a, true, false)];
  if (widths === 'b') return [...of(marks.b, false, true), ...of(marks.b, true, true)];
  return [...of(marks.a, false, false), ...of(marks.b, true, true)];
}

/** `from_b`: whether the marks are B's. */
function placeOf(
  { marks }: MirrorHalf,
  rows: readonly MirrorRow[],
  of_b: boolean,
  from_b: boolean,
  scale: TimeScale,
  shift: number,
  scroll_y: number,
  width: number,
  height: number,
): HalfPlace {
  const side = from_b ? 1 : 0;
  const lane_of = new Map<number, readonly [top: number, height: number]>();
  for (const row of rows) {
    if (row.y + row.height < scroll_y - height || row.y > scroll_y + 2 * height) continue;
    for (const group of row.lanes[side]) {
      for (let place = 0; place < group.count; place++)
        lane_of.set(group.first + place, [row.y + laneTop(row, of_b, group, place), group.pitch]);
    }
  }
  const { lanes } = marks.query;
  const count = lanes.length + marks.stacks.length / 2;
  const [top, heights] = [new Float32Array(count), new Float32Array(count)];
  lanes.forEach((lane, at) => {
    const found = lane_of.get(lane);
    if (!found) return;
    top[at] = AXIS - scroll_y + found[0];
    heights[at] = found[1];
  });
  for (let stack = 0; stack * 2 < marks.stacks.length; stack++) {
    const [first = 0, end = 0] = [marks.stacks[2 * stack], marks.stacks[2 * stack + 1]];
    const tops = Array.from({ length: end - first }, (_, at) => top[first + at] ?? 0);
    const low = Math.min(...tops);
    top[lanes.length + stack] = low;
    heights[lanes.length + stack] = Math.max(...tops) + (heights[first] ?? 0) - low;
  }
  const own = scaleOf(marks.query);
  const moved = { start: own.start + shift, density: own.density };
  const { factor } = transformBetween(own, scale);
  return { top, height: heights, factor, offset: (moved.start - scale.start) * scale.density, width, bottom: height };
}

export function paint(state: State, canvas: Surface, ruler: TextRuler): void {
  const { context: pen, width, height } = canvas;
  const theme = paletteOf(state);
  const scale = mirrorScale(state, width);
  const rows = mirrorRows(state);
  const { scroll_y } = state.mirror;
  canvas.clear();
  pen.font = theme.small_font;
  gridOf(pen, scale, height, theme.grid);
  for (const row of rows) {
    const y = AXIS - scroll_y + row.y;
    if (y > height || y + row.height < 0) continue;
    pen.fillStyle = theme.line;
    pen.fillRect(0, Math.round(y + row.middle), width, 1);
  }
  const inks = inksOf();
  const shift = shiftOfB(state);
  for (const { half, place, of_b, is_ghost } of halvesOf(state, width, height)) {
    // An op that began before its step is drawn from the start of the step on.
    const start = scale.toPx(of_b && state.mirror.widths === 'both' ? shift : 0);
    pen.save();
    pen.beginPath();
    pen.rect(start, 0, width - start, height);
    pen.clip();
    drawHalf(pen, half, place, { of_b, is_ghost }, inks, ruler);
    pen.restore();
  }
  pen.textBaseline = 'middle';
  for (const row of rows) {
    const y = AXIS - scroll_y + row.y;
    if (y > height || y + row.height < 0) continue;
    nameOfRow(pen, row.name, y + HEAD / 2, theme);
  }
  ends(state, pen, scale, height, theme);
  chosen(state, pen, width, height, theme);
  axis(pen, scale, width, theme);
}

type Palette = ReturnType<typeof paletteOf>;

function nameOfRow(pen: CanvasRenderingContext2D, name: string, y: number, theme: Palette): void {
  pen.font = theme.font;
  pen.textAlign = 'left';
  const room = pen.measureText(name).width + 8;
  pen.fillStyle = theme.background;
  pen.globalAlpha = 0.8;
  pen.fillRect(0, y - HEAD / 2 + 1, room, HEAD - 2);
  pen.globalAlpha = 1;
  pen.fillStyle = theme.muted;
  pen.fillText(name, 4, y);
  pen.font = theme.small_font;
}

const tickStep = (length: number, width: number): number => {
  const least = (length / width) * 90;
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least) ?? 10 * power;
};

function ticksOf(scale: TimeScale): { step: number; at: number[] } {
  const step = tickStep(scale.end - scale.start, scale.width);
  const at: number[] = [];
  for (let tick = Math.ceil(scale.start / step) * step; tick <= scale.end && at.length < 200; tick += step) at.push(tick);
  return { step, at };
}

function gridOf(pen: CanvasRenderingContext2D, scale: TimeScale, height: number, color: string): void {
  pen.fillStyle = color;
  for (const tick of ticksOf(scale).at) pen.fillRect(Math.round(scale.toPx(tick)), AXIS, 1, height - AXIS);
}

function axis(pen: CanvasRenderingContext2D, scale: TimeScale, width: number, theme: Palette): void {
  const { step, at } = ticksOf(scale);
  pen.fillStyle = theme.band;
  pen.fillRect(0, 0, width, AXIS);
  pen.fillStyle = theme.muted;
  pen.font = theme.small_font;
  pen.textAlign = 'left';
  pen.textBaseline = 'middle';
  for (const tick of at) {
    const x = Math.round(scale.toPx(tick));
    pen.fillRect(x, AXIS - 4, 1, 4);
    const text = formatPoint(tick, step);
    if (x + 4 + pen.measureText(text).width <= width) pen.fillText(text, x + 4, AXIS / 2);
  }
}

/** Where each step ends. */
function ends(state: State, pen: CanvasRenderingContext2D, scale: TimeScale, height: number, theme: Palette): void {
  const [a, b] = [state.trace?.summary.span_ns ?? 0, (state.other?.summary.span_ns ?? 0) + shiftOfB(state)];
  const { widths } = state.mirror;
  pen.fillStyle = theme.text;
  pen.globalAlpha = 0.55;
  for (const [at, is_drawn] of [
    [a, widths !== 'b'],
    [b, widths !== 'a'],
  ] as const) {
    if (is_drawn) pen.fillRect(Math.round(scale.toPx(at)), AXIS, 1, height - AXIS);
  }
  pen.globalAlpha = 1;
}

/** Where an op of the chosen pair is; null where that is out of sight. */
function boxOfOp(state: State, own: PairedOp | null, of_b: boolean, width: number): Rect | null {
  if (!own || (state.mirror.widths !== 'both' && (state.mirror.widths === 'b') !== of_b)) return null;
  const row = mirrorRows(state).find(({ a, b }) => (of_b ? b : a) === own.device);
  if (!row) return null;
  const group = row.lanes[of_b ? 1 : 0].find(({ first, count }) => own.lane >= first && own.lane < first + count);
  if (!group) return null;
  const scale = mirrorScale(state, width);
  const shift = of_b && state.mirror.widths === 'both' ? shiftOfB(state) : 0;
  const [left, right] = [scale.toPx(own.start_ns + shift), scale.toPx(own.end_ns + shift)];
  return {
    x: left,
    y: AXIS - state.mirror.scroll_y + row.y + laneTop(row, of_b, group, own.lane - group.first),
    width: Math.max(right - left, 2),
    height: group.pitch,
  };
}

function chosen(state: State, pen: CanvasRenderingContext2D, width: number, height: number, theme: Palette): void {
  const pair = chosenPair(state);
  if (!pair) return;
  const [a, b] = [boxOfOp(state, pair.a, false, width), boxOfOp(state, pair.b, true, width)];
  pen.strokeStyle = theme.accent;
  pen.lineWidth = 1.5;
  if (a && b) {
    const [from, to] = [a.y + a.height, b.y];
    pen.beginPath();
    // Between their ends lies how much longer or later the partner is.
    for (const [x, other] of [
      [a.x, b.x],
      [a.x + a.width, b.x + b.width],
    ] as const) {
      pen.moveTo(x, from);
      pen.lineTo(other, to);
    }
    pen.stroke();
  }
  pen.lineWidth = 2;
  for (const box of [a, b]) if (box && box.y < height) pen.strokeRect(box.x, box.y - 1, box.width, box.height + 1);
  pen.lineWidth = 1;
}
