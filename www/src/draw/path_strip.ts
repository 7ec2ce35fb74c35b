// The observed critical path as a strip: what the step waited for, moment by moment.
import { lowerBound } from '../base/geom';
import type { TimeScale } from '../base/time_scale';
import { CATEGORIES } from '../engine/protocol';
import { mixed, parseHex } from './color';
import { hatched, type Fill } from './texture';
import type { Theme } from './theme';

/** Segments that touch, in order. */
export interface Tiles {
  readonly start_ns: readonly number[];
  readonly end_ns: readonly number[];
  /** Of each, what it is. */
  readonly kind: readonly number[];
}

/** In pixels. */
export interface StripRun {
  left: number;
  right: number;
  kind: number;
}

/** From this width on a gap parts a segment from the next, and has a label if that fits. */
const PARTED_PX = 5;
const LABEL_PAD_PX = 5;

/**
 * At most two runs a pixel: a segment of a pixel or more as it is, and where they are shorter what there was at some moment of each pixel.
 * So the share of a colour is that of time, and it costs pixels, not segments. Pixels stand still in time while the view moves.
 */
export function stripRuns({ start_ns, end_ns, kind }: Tiles, scale: TimeScale): StripRun[] {
  const count = start_ns.length;
  const startOf = (place: number) => start_ns[place] ?? Infinity;
  // Starts are whole nanoseconds; a thousandth more makes up for what pixels lose in rounding.
  const at = (time: number, from: number) => Math.max(lowerBound(from, count, Math.floor(time + 1e-3) + 1, startOf) - 1, from);
  const pixel = Math.max(scale.lengthOf(1), 1);
  const runs: StripRun[] = [];
  /** The first pixel that is not drawn yet, of those that several segments share. */
  let free = -Infinity;
  for (let place = at(scale.start, 0); place < count && startOf(place) < scale.end;) {
    const end = end_ns[place] ?? 0;
    if (end - startOf(place) >= pixel) {
      runs.push({ left: scale.toPx(startOf(place)), right: scale.toPx(end), kind: kind[place] ?? 0 });
      place++;
      continue;
    }
    const column = Math.max(Math.floor(startOf(place) / pixel), free);
    free = column + 1;
    const shown = at((column + partOf(column)) * pixel, place);
    runs.push({ left: scale.toPx(column * pixel), right: scale.toPx(free * pixel), kind: kind[shown] ?? 0 });
    place = Math.max(at(free * pixel, place), place + 1);
  }
  return runs;
}

/** Where in a pixel its moment is: spread evenly, so that what repeats itself is not met at the same place each time. */
const partOf = (column: number): number => (((column * 0.618034) % 1) + 1) % 1;

/**
 * Where each kind is: lefts and rights, one after the other. Short runs of one kind that touch are one; a longer run ends a pixel early.
 * A frame sets each colour once.
 */
function byKind(runs: readonly StripRun[], kinds: number): number[][] {
  const edges: number[][] = Array.from({ length: kinds }, () => []);
  let before: StripRun | null = null;
  for (const run of runs) {
    const own = edges[run.kind];
    if (!own) continue;
    const is_long = run.right - run.left >= PARTED_PX;
    const touches = before !== null && before.kind === run.kind && run.left - before.right < 0.01;
    if (touches && !is_long) own[own.length - 1] = run.right;
    else own.push(run.left, is_long ? run.right - 1 : run.right);
    before = is_long ? null : run;
  }
  return edges;
}

const unknown = new WeakMap<Theme, Fill>();

/** Of the share of the text's colour in its lines. */
const LINES_SHARE = 0.3;

function unknownOf(theme: Theme): Fill {
  const known = unknown.get(theme) ?? hatched(parseHex(theme.idle), mixed(parseHex(theme.text), parseHex(theme.idle), LINES_SHARE));
  unknown.set(theme, known);
  return known;
}

/** `looks` and `labels` are by kind; a look is the name of a category, one of the path’s own, or `unknown`. */
export function drawStrip(
  context: CanvasRenderingContext2D,
  runs: readonly StripRun[],
  { looks, labels }: { looks: readonly string[]; labels: readonly string[] },
  { y, height, width }: { y: number; height: number; width: number },
  widthOf: (text: string) => number,
  theme: Theme,
): void {
  const fills = looks.map(
    (look): Fill => theme.own_looks[look] ?? theme.categories[CATEGORIES.findIndex((category) => category === look)] ?? unknownOf(theme),
  );
  byKind(runs, fills.length).forEach((edges, kind) => {
    context.fillStyle = fills[kind] ?? theme.idle;
    for (let at = 0; at < edges.length; at += 2) {
      const [from, to] = [Math.max(edges[at] ?? 0, -10), Math.min(edges[at + 1] ?? 0, width + 10)];
      context.fillRect(from, y, to - from, height);
    }
  });
  context.font = theme.small_font;
  context.textBaseline = 'middle';
  for (const { left, right, kind } of runs) {
    const [from, to] = [Math.max(left, 0), Math.min(right, width)];
    const label = labels[kind] ?? '';
    if (to - from < widthOf(label) + 2 * LABEL_PAD_PX) continue;
    context.fillStyle = looks[kind] === 'unknown' ? theme.text : theme.label;
    context.fillText(label, from + LABEL_PAD_PX, y + height / 2 + 0.5);
  }
}
