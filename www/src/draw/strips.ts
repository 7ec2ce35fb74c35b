// Density strips: how many ops of a device are in flight over time, stacked by colour; or only its work, or only its communication. Device pixels.
//
// A strip is cut into tiles. Each tile is painted once, when it is first visible, into an image of its own, one pixel to each column; a frame
// only copies. Marks reach further than the view: most of what they bring is never painted.
import { COLORS, STRIP_COLUMN_PX, STRIP_PARTS, type DeviceId, type Marks } from '../engine/protocol';
import { HIDDEN_SHARE, mixed, parseHex, shifted, type Rgb } from './color';
import { HATCHED } from './texture';
import type { Ink, Theme } from './theme';

const PARTS = STRIP_PARTS;
/** Columns of a tile: a few for each strip of a window, and little that is painted unseen at its edges. */
const TILE = 256;

type Of = 'all' | 'work' | 'communication';

/** The parts of a column that a strip shows: from the first to before the second. */
const SHOWS: Readonly<Record<Of, readonly [number, number]>> = {
  all: [0, PARTS],
  work: [0, COLORS],
  communication: [COLORS, PARTS],
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
  /** By device, what is drawn, height and tile. */
  readonly #tiles = new Map<string, HTMLCanvasElement>();
  /** By device and what is drawn. */
  readonly #flights = new Map<string, Flight>();
  /** By device and what is drawn. */
  readonly #peaks = new Map<string, Peak>();
  /** Images whose tiles are out of date. */
  readonly #free: HTMLCanvasElement[] = [];
  #painted: ({ marks: Marks; theme: Theme } & Paint) | null = null;

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
    this.#renew(marks, theme);
    context.imageSmoothingEnabled = false;
    for (const place of places) {
      const row = rows.get(place.device);
      if (row === undefined || place.covered >= place.height) continue;
      const shown = place.height - place.covered;
      for (let tile = Math.floor(first / TILE); tile * TILE < last; tile++) {
        const from = Math.max(tile * TILE, first);
        const to = Math.min((tile + 1) * TILE, last);
        // On whole pixels, so that no line is seen where two tiles meet.
        const left = Math.round(from * pitch + offset);
        const right = Math.round(to * pitch + offset);
        const image = this.#tileOf(marks, row, { first: tile * TILE, count: Math.min(TILE, columns - tile * TILE) }, place, theme);
        context.drawImage(image, from - tile * TILE, place.covered, to - from, shown, left, place.y + place.covered, right - left, shown);
      }
    }
  }

  /** Forgets what was painted of other marks, or in other colours. */
  #renew(marks: Marks, theme: Theme): void {
    if (this.#painted?.marks === marks && this.#painted.theme === theme) return;
    const { inks } = theme.lookOf(marks.color_by);
    this.#painted = { marks, theme, ...paintOf(inks, theme) };
    this.#free.push(...this.#tiles.values());
    this.#tiles.clear();
    this.#flights.clear();
  }

  #tileOf(marks: Marks, row: number, columns: Columns, { device, of, most, height }: StripPlace, theme: Theme): HTMLCanvasElement {
    const key = `${device} ${of} ${height} ${columns.first}`;
    const painted = this.#tiles.get(key);
    if (painted) return painted;
    const image = this.#free.pop() ?? document.createElement('canvas');
    if (image.width !== columns.count) image.width = columns.count;
    if (image.height !== height) image.height = height;
    this.#tiles.set(key, image);
    const flight = this.#flightOf(marks, row, device, of);
    const peak = most > 0 ? most : this.#peakOf(`${device} ${of}`, marks, flight);
    const n_columns = flight.totals.length;
    const exposed = of === 'communication' ? marks.exposed.subarray(row * n_columns, (row + 1) * n_columns) : null;
    const tile = new ImageData(columns.count, height);
    const { plain, exposed: bare, hidden } = this.#painted ?? paintOf(theme.inks, theme);
    paintStrip(
      new Uint32Array(tile.data.buffer),
      columns,
      height,
      flight,
      peak,
      exposed ? bare : plain,
      exposed && { exposed, pixels: hidden },
    );
    image.getContext('2d')?.putImageData(tile, 0, 0);
    return image;
  }

  #flightOf(marks: Marks, row: number, device: DeviceId, of: Of): Flight {
    const key = `${device} ${of}`;
    const known = this.#flights.get(key);
    if (known) return known;
    const columns = Math.ceil(marks.query.width_px / STRIP_COLUMN_PX);
    const flight = flightOf(marks.strips.subarray(row * columns * PARTS, (row + 1) * columns * PARTS), SHOWS[of]);
    this.#flights.set(key, flight);
    return flight;
  }

  #peakOf(key: string, { query }: Marks, { totals }: Flight): number {
    const zoom = (query.end_ns - query.start_ns) / query.width_px;
    const before = this.#peaks.get(key);
    let peak = before && Math.abs(before.zoom / zoom - 1) < 0.01 ? before.peak : 0;
    for (const total of totals) if (total > peak) peak = total;
    this.#peaks.set(key, { zoom, peak });
    return peak;
  }
}

/** A run of a strip's columns. */
interface Columns {
  first: number;
  count: number;
}

/** How many ops are in flight in each column of a strip. */
export interface Flight {
  /** `STRIP_PARTS` for each column. */
  in_flight: Float32Array;
  /** The sum of what the strip shows of each column. */
  totals: Float32Array;
  /** The parts that the strip shows and that are anywhere more than 0. */
  parts: readonly number[];
}

export function flightOf(in_flight: Float32Array, [from, to]: readonly [number, number] = SHOWS.all): Flight {
  const totals = new Float32Array(in_flight.length / PARTS);
  const occurs = new Uint8Array(PARTS);
  for (let column = 0, at = 0; column < totals.length; column++, at += PARTS) {
    let total = 0;
    for (let part = from; part < to; part++) {
      const average = in_flight[at + part]!;
      if (average <= 0) continue;
      total += average;
      occurs[part] = 1;
    }
    totals[column] = total;
  }
  return { in_flight, totals, parts: Array.from(occurs.keys()).filter((part) => occurs[part] === 1) };
}

/** As one number of an image's pixels, on the little-endian machines that browsers run on. */
const pixelOf = ({ r, g, b }: Rgb): number => ((255 << 24) | (Math.round(b) << 16) | (Math.round(g) << 8) | Math.round(r)) >>> 0;

/** How much darker the hatching is. */
const DARKER = -0.16;

/** Of communication that nothing hides: hatched, in whatever colour it has. */
export const exposedInk = ({ dark }: Ink): Ink => ({ dark, light: shifted(dark, DARKER, 0), texture: HATCHED });

/** Of communication that something hides. */
export const hiddenInk = ({ dark, light, texture }: Ink, band: Rgb): Ink => ({
  dark: mixed(dark, band, HIDDEN_SHARE),
  light: mixed(light, band, HIDDEN_SHARE),
  texture,
});

/** What strips are painted with: ops, and transfers that nothing hides, and those that something hides. */
interface Paint {
  plain: Pixels;
  exposed: Pixels;
  hidden: Pixels;
}

function paintOf(inks: readonly Ink[], theme: Theme): Paint {
  const band = parseHex(theme.band);
  return { plain: pixelsOf(inks), exposed: pixelsOf(inks.map(exposedInk)), hidden: pixelsOf(inks.map((ink) => hiddenInk(ink, band))) };
}

/** Inks as an image's pixels, by colour. */
export interface Pixels {
  dark: readonly number[];
  light: readonly number[];
  texture: readonly Ink['texture'][];
}

export const pixelsOf = (inks: readonly Ink[]): Pixels => ({
  dark: inks.map((ink) => pixelOf(ink.dark)),
  light: inks.map((ink) => pixelOf(ink.light)),
  texture: inks.map((ink) => ink.texture),
});

/** What is hidden of each column. */
export interface Hidden {
  /** The share of each column of the strip that is not hidden. */
  exposed: Float32Array;
  pixels: Pixels;
}

/**
 * Columns that stand on the strip's lower edge. Their height is the square root of their share of the peak: one op is to
 * be seen next to a hundred. What is not zero is at least one pixel tall. With `hidden`, what is exposed stands at the bottom of its column, and what
 * is hidden, lighter, on top of it.
 */
export function paintStrip(
  image: Uint32Array,
  columns: Columns,
  height: number,
  { in_flight, totals, parts }: Flight,
  peak: number,
  plain: Pixels,
  hidden: Hidden | null = null,
): void {
  if (peak <= 0) return;
  const { first, count } = columns;
  for (let column = first; column < first + count; column++) {
    const total = totals[column]!;
    if (total <= 0) continue;
    const tall = Math.max(1, Math.min(Math.round(height * Math.sqrt(total / peak)), height));
    // From here on up the column is hidden.
    const hidden_from = hidden ? Math.round(tall * hidden.exposed[column]!) : tall;
    let below = 0;
    let from = 0;
    for (const part of parts) {
      const average = in_flight[column * PARTS + part]!;
      if (average <= 0) continue;
      below += average;
      const to = Math.min(tall, Math.round((tall * below) / total));
      const color = part % COLORS;
      const texture = plain.texture[color] ?? null;
      let pixel = (height - 1 - from) * count + column - first;
      for (let y = from; y < to; y++, pixel -= count) {
        const { dark, light } = hidden && y >= hidden_from ? hidden.pixels : plain;
        image[pixel] = texture !== null && texture(column * STRIP_COLUMN_PX, height - 1 - y) ? light[color]! : dark[color]!;
      }
      from = to;
    }
  }
}
