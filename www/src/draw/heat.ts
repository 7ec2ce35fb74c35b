// A picture of cells as an image: painted once for each figure, and then drawn at any zoom. Where cells are smaller than pixels, the image is
// one of which each pixel has the highest level of its cells, so that nothing that stands out is lost.
import type { Rgb } from './color';

/** Levels by cell, from the upper left. */
export interface Levels {
  columns: number;
  rows: number;
  levels: Uint8Array;
}

/** Half as wide: of two neighbours the higher one. */
export function narrowed({ columns, rows, levels }: Levels): Levels {
  const half = Math.ceil(columns / 2);
  const less = new Uint8Array(half * rows);
  for (let row = 0; row < rows; row++) {
    const [from, to] = [row * columns, row * half];
    for (let column = 0; column < half; column++) {
      const a = levels[from + 2 * column]!;
      const b = 2 * column + 1 < columns ? levels[from + 2 * column + 1]! : 0;
      less[to + column] = a > b ? a : b;
    }
  }
  return { columns: half, rows, levels: less };
}

/** Half as tall: of two neighbours the higher one. */
export function lowered({ columns, rows, levels }: Levels): Levels {
  const half = Math.ceil(rows / 2);
  const less = new Uint8Array(columns * half);
  for (let row = 0; row < half; row++) {
    const [first, second, to] = [2 * row * columns, (2 * row + 1) * columns, row * columns];
    const has_second = 2 * row + 1 < rows;
    for (let column = 0; column < columns; column++) {
      const a = levels[first + column]!;
      const b = has_second ? levels[second + column]! : 0;
      less[to + column] = a > b ? a : b;
    }
  }
  return { columns, rows: half, levels: less };
}

/** How often the image is halved so that a cell of it is a pixel or larger. */
export const halvings = (cells: number, pixels: number): number => Math.max(0, Math.ceil(Math.log2(cells / Math.max(pixels, 1))));

/** The colours of levels, as an image has them: level 0 is `none`. */
export function inksOf(ramp: readonly Rgb[], none: Rgb): Uint32Array {
  const inks = new Uint32Array(256);
  const ink = ({ r, g, b }: Rgb) => ((255 << 24) | (Math.round(b) << 16) | (Math.round(g) << 8) | Math.round(r)) >>> 0;
  inks[0] = ink(none);
  const last = ramp.length - 1;
  for (let level = 1; level < 256; level++) {
    const at = ((level - 1) / 254) * last;
    const [under, over] = [ramp[Math.floor(at)] ?? none, ramp[Math.min(Math.floor(at) + 1, last)] ?? none];
    const share = at - Math.floor(at);
    const mix = (a: number, b: number) => a + (b - a) * share;
    inks[level] = ink({ r: mix(under.r, over.r), g: mix(under.g, over.g), b: mix(under.b, over.b) });
  }
  return inks;
}

/** From one image that is made ahead to the next: frames come in between. */
const BETWEEN_MS = 25;

/** The images of a picture, each made when it is first drawn, or ahead of that. */
export class HeatImages {
  readonly #inks: Uint32Array;
  /** By how often its width and its height are halved. */
  readonly #levels = new Map<string, Levels>();
  readonly #images = new Map<string, HTMLCanvasElement>();
  #is_prepared = false;

  constructor(whole: Levels, inks: Uint32Array) {
    this.#inks = inks;
    this.#levels.set('0 0', whole);
  }

  #levelsAt(x: number, y: number): Levels {
    const key = `${x} ${y}`;
    const known = this.#levels.get(key);
    if (known) return known;
    const made = x > 0 ? narrowed(this.#levelsAt(x - 1, y)) : lowered(this.#levelsAt(x, y - 1));
    this.#levels.set(key, made);
    return made;
  }

  #imageAt(x: number, y: number): HTMLCanvasElement {
    const key = `${x} ${y}`;
    const known = this.#images.get(key);
    if (known) return known;
    const { columns, rows, levels } = this.#levelsAt(x, y);
    const image = document.createElement('canvas');
    image.width = Math.max(columns, 1);
    image.height = Math.max(rows, 1);
    const context = image.getContext('2d');
    const pixels = new ImageData(image.width, image.height);
    const inks = new Uint32Array(pixels.data.buffer);
    for (let cell = 0; cell < levels.length; cell++) inks[cell] = this.#inks[levels[cell]!]!;
    context?.putImageData(pixels, 0, 0);
    this.#images.set(key, image);
    return image;
  }

  /** Makes the images that zooming in will want, one after the other between frames: none of these then waits for one. */
  #prepare(across: number, down: number): void {
    this.#is_prepared = true;
    const wanted = Array.from(
      { length: (across + 1) * (down + 1) },
      (_, at) => [at % (across + 1), Math.floor(at / (across + 1))] as const,
    );
    const next = () => {
      const [x, y] = wanted.pop() ?? [0, 0];
      this.#imageAt(x, y);
      if (wanted.length > 0) setTimeout(next, BETWEEN_MS);
    };
    setTimeout(next, BETWEEN_MS);
  }

  /** Draws the cells of `sight` into a box; `ratio` is how many pixels of the screen a CSS pixel has. */
  draw(
    context: CanvasRenderingContext2D,
    sight: { x0: number; x1: number; y0: number; y1: number },
    box: { x: number; y: number; width: number; height: number },
    ratio: number,
  ): void {
    const { columns, rows } = this.#levelsAt(0, 0);
    if (columns === 0 || rows === 0) return;
    const x = Math.min(halvings(sight.x1 - sight.x0, box.width * ratio), Math.floor(Math.log2(columns)));
    const y = Math.min(halvings(sight.y1 - sight.y0, box.height * ratio), Math.floor(Math.log2(rows)));
    const image = this.#imageAt(x, y);
    if (!this.#is_prepared) this.#prepare(x, y);
    const [across, down] = [2 ** x, 2 ** y];
    context.imageSmoothingEnabled = false;
    context.drawImage(
      image,
      sight.x0 / across,
      sight.y0 / down,
      Math.min((sight.x1 - sight.x0) / across, image.width),
      Math.min((sight.y1 - sight.y0) / down, image.height),
      box.x,
      box.y,
      box.width,
      box.height,
    );
  }
}
