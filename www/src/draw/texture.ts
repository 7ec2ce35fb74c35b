// Textures that tell categories apart without colour: compute is plain, input has upright lines, copy is dotted, communication is
// hatched, launches have lines, allocations are chequered, waiting is hatched the other way, and ranges have thin lines.
import { mixed, toCss, type Rgb } from './color';

/** What a context may be filled with. */
export type Fill = string | CanvasPattern;

/** After so many pixels a texture repeats itself. */
export const TEXTURE_PX = 8;

/** Whether a pixel of the tile is light. */
export type Texture = (x: number, y: number) => boolean;

/** Lines from the lower left to the upper right. */
export const HATCHED: Texture = (x, y) => (x + TEXTURE_PX - (y % TEXTURE_PX)) % TEXTURE_PX < 3;

/** In the order of CATEGORIES; null is plain. */
export const TEXTURES: readonly (Texture | null)[] = [
  null,
  (x) => x % TEXTURE_PX < 2,
  (x, y) => x % 4 < 2 && (y + (x < 4 ? 0 : 2)) % 4 < 2,
  (x, y) => (x + y) % TEXTURE_PX < 3,
  (_, y) => y % TEXTURE_PX < 2,
  (x, y) => x < 4 === y < 4,
  HATCHED,
  (_, y) => y % 4 < 1,
];

/** Thin lines of `line` on `ground`: what was not recorded. */
export function hatched(ground: Rgb, line: Rgb): Fill {
  const tile = document.createElement('canvas');
  tile.width = tile.height = TEXTURE_PX;
  const context = tile.getContext('2d');
  if (!context) return toCss(ground);
  context.fillStyle = toCss(ground);
  context.fillRect(0, 0, TEXTURE_PX, TEXTURE_PX);
  context.fillStyle = toCss(line);
  for (let y = 0; y < TEXTURE_PX; y++) for (let x = 0; x < TEXTURE_PX; x++) if ((x + y) % TEXTURE_PX < 2) context.fillRect(x, y, 1, 1);
  return context.createPattern(tile, 'repeat') ?? toCss(ground);
}

const WHITE: Rgb = { r: 255, g: 255, b: 255 };
/** Light on the category's colour, so that the dark labels stay legible on both. */
const LIGHT_SHARE = 0.62;

/** The light pixels of a texture in `color`. */
export const lightOf = (color: Rgb): Rgb => mixed(WHITE, color, LIGHT_SHARE);

/** Makes a fill of `color` with the texture, with `share` of both over `ground`. Its pixels are the canvas's own. */
export function textured(color: Rgb, texture: Texture | null, ground: Rgb, share: number): Fill {
  const dark = mixed(color, ground, share);
  if (!texture) return toCss(dark);
  const light = mixed(lightOf(color), ground, share);
  const tile = document.createElement('canvas');
  tile.width = tile.height = TEXTURE_PX;
  const context = tile.getContext('2d');
  if (!context) return toCss(dark);
  context.fillStyle = toCss(dark);
  context.fillRect(0, 0, TEXTURE_PX, TEXTURE_PX);
  context.fillStyle = toCss(light);
  for (let y = 0; y < TEXTURE_PX; y++) for (let x = 0; x < TEXTURE_PX; x++) if (texture(x, y)) context.fillRect(x, y, 1, 1);
  return context.createPattern(tile, 'repeat') ?? toCss(dark);
}
