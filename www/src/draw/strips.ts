// Density strips: how many ops of a device are in flight over time, stacked by colour; or only its work, or only its communication. Device pixels.
//
// Each is painted once, when it is first visible, into an image of its own, one pixel to each column; a frame only copies.
// One image for all would be copied whole whenever a strip is painted after another one was drawn.
import { COLORS, STRIP_COLUMN_PX, STRIP_PARTS, type DeviceId, type Marks } from '../engine/protocol';
import { HIDDEN_SHARE, mixed, parseHex, type Rgb } from './color';
import type { Ink, Theme } from './theme';

const PARTS = STRIP_PARTS;

type Of = 'all' | 'work' | 'communication';

const HAS: Readonly<Record<Of, (part: number) => boolean>> = {
  all: () => true,
  work: (part) => part < COLORS,
  communication: (part) => part >= COLORS,
};

/** Where a strip is drawn. */
export interface StripPlace {
  device: DeviceId;
  of: Of;
  /** How many ops in flight fill it from top to bottom; 0 for the most of what is at hand. */
  most: number;
  y: number;
  height: number;
  /** Of it, this many pixels are hidden at the top. */
  covered: number;
}

/** The greatest sum of a device's columns, at one zoom: panning does not change the scale of what stays visible. */
interface Peak {
  zoom: number;
  peak: number;
}

export class Strips {
  /** By device, what is drawn, and height. */
  readonly #images = new Map<string, HTMLCanvasElement>();
  /** By device and what is drawn. */
  readonly #peaks = new Map<string, Peak>();
  #painted: { marks: Marks; theme: Theme } | null = null;

  /** `factor` and `offset` turn the query's pixels into the canvas's. */
  draw(
    context: CanvasRenderingContext2D,
    marks: Marks,
    places: readonly StripPlace[],
    { factor, offset }: { factor: number; offset: number },
    theme: Theme,
  ): void {
    if (places.length === 0 || marks.strips.length === 0) return;
    const columns = Math.ceil(marks.query.width_px / STRIP_COLUMN_PX);
    const rows = new Map([...marks.query.strips].map((device, row) => [device, row]));
    const pitch = STRIP_COLUMN_PX * factor;
    // Only what is visible: scaled copies of what is millions of pixels wide go wrong.
    const first = Math.max(0, Math.floor(-offset / pitch));
    const last = Math.min(columns, Math.ceil((context.canvas.width - offset) / pitch));
    if (last <= first) return;
    context.imageSmoothingEnabled = false;
    for (const place of places) {
      const { device, y, height, covered } = place;
      const row = rows.get(device);
      if (row === undefined || covered >= height) continue;
      const image = this.#imageOf(marks, row, columns, place, theme);
      const left = first * pitch + offset;
      const shown = height - covered;
      context.drawImage(image, first, covered, last - first, shown, left, y + covered, (last - first) * pitch, shown);
    }
  }

  #imageOf(marks: Marks, row: number, columns: number, { device, of, most, height }: StripPlace, theme: Theme): HTMLCanvasElement {
    const now = this.#painted;
    if (now?.marks !== marks || now.theme !== theme) {
      this.#painted = { marks, theme };
      this.#images.clear();
    }
    const key = `${device} ${of} ${height}`;
    const painted = this.#images.get(key);
    if (painted) return painted;
    const image = document.createElement('canvas');
    image.width = columns;
    image.height = height;
    this.#images.set(key, image);
    const strip = new ImageData(columns, height);
    const all = marks.strips.subarray(row * columns * PARTS, (row + 1) * columns * PARTS);
    const in_flight = of === 'all' ? all : all.map((average, at) => (HAS[of](at % PARTS) ? average : 0));
    const peak = most > 0 ? most : this.#peakOf(`${device} ${of}`, marks, in_flight);
    const { inks } = theme.lookOf(marks.color_by);
    const hidden = of === 'communication' && {
      exposed: marks.exposed.subarray(row * columns, (row + 1) * columns),
      inks: inks.map((ink) => hiddenInk(ink, parseHex(theme.band))),
    };
    paintStrip(new Uint32Array(strip.data.buffer), columns, height, in_flight, peak, inks, hidden || null);
    image.getContext('2d')?.putImageData(strip, 0, 0);
    return image;
  }

  #peakOf(key: string, { query }: Marks, of_device: Float32Array): number {
    const zoom = (query.end_ns - query.start_ns) / query.width_px;
    const before = this.#peaks.get(key);
    let peak = before && Math.abs(before.zoom / zoom - 1) < 0.01 ? before.peak : 0;
    for (let at = 0; at < of_device.length; at += PARTS) peak = Math.max(peak, totalAt(of_device, at));
    this.#peaks.set(key, { zoom, peak });
    return peak;
  }
}

/** How many ops of all colours are in flight in the column that begins at `at`. */
function totalAt(in_flight: Float32Array, at: number): number {
  let total = 0;
  for (let part = at; part < at + PARTS; part++) total += in_flight[part]!;
  return total;
}

/** As one number of an image's pixels, on the little-endian machines that browsers run on. */
const pixelOf = ({ r, g, b }: Rgb): number => ((255 << 24) | (Math.round(b) << 16) | (Math.round(g) << 8) | Math.round(r)) >>> 0;

/** Of communication that something hides. */
export const hiddenInk = ({ dark, light, texture }: Ink, band: Rgb): Ink => ({
  dark: mixed(dark, band, HIDDEN_SHARE),
  light: mixed(light, band, HIDDEN_SHARE),
  texture,
});

/** What is hidden of each column. */
export interface Hidden {
  /** The share of each column that is not hidden. */
  exposed: Float32Array;
  inks: readonly Ink[];
}

/**
 * Columns that stand on the strip's lower edge. Their height is the square root of their share of the peak: one op is to
 * be seen next to a hundred. What is not zero is at least one pixel tall. With `hidden`, what is exposed stands at the bottom of its column, and what
 * is hidden, lighter, on top of it.
 */
export function paintStrip(
  pixels: Uint32Array,
  columns: number,
  height: number,
  in_flight: Float32Array,
  peak: number,
  inks: readonly Ink[],
  hidden: Hidden | null = null,
): void {
  if (peak <= 0) return;
  const pixelsOf = (of: readonly Ink[]) => ({ dark: of.map((ink) => pixelOf(ink.dark)), light: of.map((ink) => pixelOf(ink.light)) });
  const plain_pixels = pixelsOf(inks);
  const hidden_pixels = hidden ? pixelsOf(hidden.inks) : plain_pixels;
  for (let column = 0; column < columns; column++) {
    const at = column * PARTS;
    const total = totalAt(in_flight, at);
    if (total <= 0) continue;
    const tall = Math.max(1, Math.min(Math.round(height * Math.sqrt(total / peak)), height));
    // From here on up the column is hidden.
    const hidden_from = hidden ? Math.round(tall * hidden.exposed[column]!) : tall;
    let below = 0;
    let from = 0;
    for (let part = 0; part < PARTS; part++) {
      if (in_flight[at + part]! <= 0) continue;
      below += in_flight[at + part]!;
      const to = Math.min(tall, Math.round((tall * below) / total));
      const color = part % COLORS;
      const texture = inks[color]!.texture;
      let pixel = (height - 1 - from) * columns + column;
      for (let y = from; y < to; y++, pixel -= columns) {
        const { dark, light } = y < hidden_from ? plain_pixels : hidden_pixels;
        pixels[pixel] = texture !== null && texture(column * STRIP_COLUMN_PX, height - 1 - y) ? light[color]! : dark[color]!;
      }
      from = to;
    }
  }
}
