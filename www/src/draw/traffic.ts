// What is in transit over time: bandwidth as an area, transfers in flight as a line over it. Each has the scale of its own greatest column.
import { STRIP_COLUMN_PX } from '../engine/protocol';
import type { Traffic } from '../engine/protocol';
import { drawPlate, plateAt } from './shapes';
import type { Theme } from './theme';

/** The greatest of the columns at hand, at one zoom: panning does not change the scale of what stays visible. */
export class TrafficScale {
  #of = '';
  #peaks: [number, number] = [0, 0];

  of({ query, columns }: Traffic): [number, number] {
    const zoom = (query.end_ns - query.start_ns) / query.width_px;
    const { source, destination, between } = query.route;
    const of = `${zoom.toPrecision(2)} ${between} ${source} ${destination}`;
    if (of !== this.#of) this.#peaks = [0, 0];
    this.#of = of;
    for (let at = 0; at < columns.length; at++) this.#peaks[at & 1] = Math.max(this.#peaks[at & 1]!, columns[at]!);
    return this.#peaks;
  }
}

/** `factor` and `offset` turn the query's pixels into the canvas's; `top` is left free above the highest column. */
export function drawTraffic(
  context: CanvasRenderingContext2D,
  { columns }: Traffic,
  [most_bytes, most_in_flight]: [number, number],
  { factor, offset }: { factor: number; offset: number },
  top: number,
  theme: Theme,
): void {
  const { width, height } = context.canvas;
  const pitch = STRIP_COLUMN_PX * factor;
  const first = Math.max(0, Math.floor(-offset / pitch));
  const last = Math.min(columns.length / 2, Math.ceil((width - offset) / pitch));
  const room = height - top;
  const area = new Path2D();
  const line = new Path2D();
  for (let column = first; column < last; column++) {
    const bytes = columns[2 * column]!;
    const in_flight = columns[2 * column + 1]!;
    const x = column * pitch + offset;
    // What is not nothing is seen.
    if (bytes > 0) area.rect(x, height, pitch, -Math.max((bytes / most_bytes) * room, 1));
    const y = height - 1 - (most_in_flight > 0 ? (in_flight / most_in_flight) * (room - 1) : 0);
    if (column === first) line.moveTo(x, y);
    else line.lineTo(x, y);
    line.lineTo(x + pitch, y);
  }
  context.fillStyle = theme.own_looks['transit'] ?? theme.text;
  context.fill(area);
  context.strokeStyle = theme.text;
  context.globalAlpha = 0.55;
  context.lineWidth = Math.max(1, devicePixelRatio);
  context.stroke(line);
  context.globalAlpha = 1;
}

/** How many transfers are in transit over the whole step, as a line; `height` is in the canvas's pixels. */
export function drawInFlight(context: CanvasRenderingContext2D, { columns, query }: Traffic, height: number, theme: Theme): void {
  const most = columns.reduce((most, value, at) => (at & 1 ? Math.max(most, value) : most), 0);
  if (most === 0) return;
  const pitch = (STRIP_COLUMN_PX * context.canvas.width) / query.width_px;
  const line = new Path2D();
  for (let column = 0; column < columns.length / 2; column++) {
    const y = height - 1 - (columns[2 * column + 1]! / most) * (height - 3);
    if (column === 0) line.moveTo(0, y);
    else line.lineTo(column * pitch, y);
    line.lineTo((column + 1) * pitch, y);
  }
  context.save();
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.lineWidth = Math.max(1, devicePixelRatio);
  context.strokeStyle = theme.text;
  context.globalAlpha = 0.7;
  context.stroke(line);
  context.restore();
}

/** `text` next to the peak at `x`, in CSS pixels. */
export function drawPeak(context: CanvasRenderingContext2D, text: string, x: number, width: number, theme: Theme): void {
  context.font = theme.small_font;
  const plate = plateAt(context, text, 0, 1, width);
  const plate_x = x + 8 + plate.rect.width > width ? x - plate.rect.width - 8 : x + 8;
  plate.rect = { ...plate.rect, x: Math.max(2, plate_x), height: 14 };
  context.globalAlpha = 0.85;
  drawPlate(context, { ...plate, text: '' }, theme.background, theme.text, 'transparent');
  context.globalAlpha = 1;
  drawPlate(context, plate, 'transparent', theme.text, 'transparent');
}
