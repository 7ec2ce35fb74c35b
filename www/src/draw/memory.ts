// Live bytes: a lane under each device, and the picture of one account with its largest tensors as boxes.
import { STRIP_COLUMN_PX, type MemoryLanes, type MemoryPicture } from '../engine/protocol';
import type { TimeScale } from '../base/time_scale';
import type { Theme } from './theme';

/** Where a lane is, in device pixels. */
export interface MemoryLanePlace {
  account: number;
  y: number;
  height: number;
  peak_bytes: number;
}

/** `factor` and `offset` turn the query's pixels into the canvas's. What is not nothing is at least a pixel tall. */
export function drawMemoryLanes(
  context: CanvasRenderingContext2D,
  { query, columns }: MemoryLanes,
  places: readonly MemoryLanePlace[],
  { factor, offset }: { factor: number; offset: number },
  theme: Theme,
): void {
  const rows = new Map([...query.accounts].map((account, row) => [account, row]));
  const area = new Path2D();
  for (const { account, y, height, peak_bytes } of places) {
    const row = rows.get(account);
    if (row !== undefined)
      addArea(area, columnsOf(columns, row, query.accounts.length), y, height, peak_bytes, factor, offset, context.canvas.width);
  }
  context.fillStyle = theme.accent;
  context.globalAlpha = 0.6;
  context.fill(area);
  context.globalAlpha = 1;
}

const columnsOf = (columns: Float64Array, row: number, rows: number): Float64Array => {
  const count = columns.length / rows;
  return columns.subarray(row * count, (row + 1) * count);
};

function addArea(
  area: Path2D,
  columns: Float64Array,
  y: number,
  height: number,
  peak: number,
  factor: number,
  offset: number,
  width: number,
): void {
  const pitch = STRIP_COLUMN_PX * factor;
  const first = Math.max(0, Math.floor(-offset / pitch));
  const last = Math.min(columns.length, Math.ceil((width - offset) / pitch));
  for (let column = first; column < last; column++) {
    const bytes = columns[column]!;
    if (bytes > 0 && peak > 0) area.rect(column * pitch + offset, y + height, pitch, -Math.max((bytes / peak) * height, 1));
  }
}

/** Under the names of lanes: allocator and peak. */
export function drawLaneName(context: CanvasRenderingContext2D, text: string, y: number, theme: Theme): void {
  context.font = theme.small_font;
  context.textBaseline = 'top';
  const width = context.measureText(text).width;
  context.globalAlpha = 0.8;
  context.fillStyle = theme.band;
  context.fillRect(2, y + 1, width + 6, 13);
  context.globalAlpha = 1;
  context.fillStyle = theme.text;
  context.fillText(text, 5, y + 3);
}

/** What of the picture is distinct, in CSS pixels of a canvas of `width` by `height`. */
export interface MemoryLook {
  width: number;
  height: number;
  scale: TimeScale;
  peak_bytes: number;
  /** The chosen life, or null. */
  chosen: number | null;
  /** The moment that is shown. */
  at_ns: number | null;
}

/** Shades that neighbours differ by. */
const SHADES = [0.35, 0.6, 0.45, 0.75, 0.5, 0.85];

/** The curve as one band, and on its lower part the boxes; a line at the moment that is shown. */
export function drawMemoryPicture(context: CanvasRenderingContext2D, picture: MemoryPicture, look: MemoryLook, theme: Theme): void {
  const { width, height, scale, peak_bytes, chosen, at_ns } = look;
  const room = height - 2;
  const tall = (bytes: number) => (peak_bytes > 0 ? (bytes / peak_bytes) * room : 0);
  const { columns } = picture;
  const pitch = width / Math.max(1, columns.length);
  const band = new Path2D();
  columns.forEach((bytes, column) => {
    if (bytes > 0) band.rect(column * pitch, height, pitch + 0.5, -Math.max(tall(bytes), 1));
  });
  context.fillStyle = theme.muted;
  context.globalAlpha = 0.45;
  context.fill(band);
  for (const piece of picture.pieces) {
    const { life, bytes } = picture.boxes[piece.of] ?? { life: -1, bytes: 0 };
    const left = Math.max(scale.toPx(piece.start_ns), 0);
    const right = Math.min(scale.toPx(piece.end_ns), width);
    const tallness = tall(bytes);
    if (right <= left || tallness < 0.25) continue;
    const top = height - tall(piece.above_bytes) - tallness;
    context.globalAlpha = 1;
    context.fillStyle = theme.background;
    context.fillRect(left, top, right - left, tallness);
    context.globalAlpha = life === chosen ? 1 : (SHADES[piece.of % SHADES.length] ?? 0.5);
    context.fillStyle = life === chosen ? theme.range : theme.accent;
    context.fillRect(left, top, Math.max(right - left, 0.5), Math.max(tallness - (tallness > 3 ? 0.5 : 0), 0.25));
  }
  context.globalAlpha = 1;
  if (at_ns === null) return;
  const x = scale.toPx(at_ns);
  context.fillStyle = theme.text;
  if (x >= 0 && x <= width) context.fillRect(Math.round(x), 0, 1, height);
}

/** The life of the box at a point of that picture, or null. */
export function lifeAt(picture: MemoryPicture, look: MemoryLook, x: number, y: number): number | null {
  const { height, scale, peak_bytes } = look;
  const bytes = ((height - y) / Math.max(1, height - 2)) * peak_bytes;
  const at = scale.toNs(x);
  const found = picture.pieces.find(
    (piece) =>
      piece.start_ns <= at &&
      at < piece.end_ns &&
      piece.above_bytes <= bytes &&
      bytes < piece.above_bytes + (picture.boxes[piece.of]?.bytes ?? 0),
  );
  return found === undefined ? null : (picture.boxes[found.of]?.life ?? null);
}
