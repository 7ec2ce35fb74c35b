// The canvas's colours, read from the style sheet's custom properties so that the theme has one home.
import { CATEGORIES } from '../engine/protocol';
import { mixed, parseHex, shifted, toCss, type Rgb } from './color';
import { lightOf, textured, TEXTURES, type Fill, type Texture } from './texture';

/** Marks carry three bits of category, three of shade and one of search; density adds four. */
export const DENSITY_LEVELS = 16;

export interface Theme {
  background: string;
  /** Of what lies over the canvas. */
  raised: string;
  /** Behind the lanes of a device. */
  band: string;
  line: string;
  /** Of the headers of tasks. */
  task: string;
  /** The lines of the time grid. */
  grid: string;
  text: string;
  muted: string;
  /** On marks. */
  label: string;
  label_faded: string;
  accent: string;
  range: string;
  halo: string;
  note: string;
  on_note: string;
  font: string;
  small_font: string;
  /** That of the page around the canvas, for measuring its texts without laying them out. */
  page_font: string;
  /** Where nothing ran. */
  idle: string;
  /** The fill of each category, in the order of CATEGORIES. */
  categories: Fill[];
  /** The same for images that are painted pixel by pixel. */
  inks: Ink[];
  /** Fill of a mark by `bucketOf`: with no search, and for marks that match one. */
  fills: Fill[];
  /** The same for marks that do not match the search. */
  faded: Fill[];
}

export interface Ink {
  dark: Rgb;
  light: Rgb;
  /** Which pixels are light; null for none. */
  texture: Texture | null;
}

/** Which fill a mark has: its style without the search bit, and how densely its ops lie. */
export const bucketOf = (style: number, density: number): number => (style & 63) * DENSITY_LEVELS + LEVEL_OF_DENSITY[density]!;

/** In equal steps, so that a stretch is as dark as ops cover it, whatever columns it is sampled by. */
const LEVEL_OF_DENSITY = Uint8Array.from({ length: 256 }, (_, density) => Math.round((density / 255) * (DENSITY_LEVELS - 1)));
/** What is there is seen, however short it is. */
const LEAST_SHARE = 0.35;
const DENSITY_SHARES = Array.from({ length: DENSITY_LEVELS }, (_, level) => Math.max(LEAST_SHARE, level / (DENSITY_LEVELS - 1)));

/** How far apart the shades of one category are: enough to tell neighbours, too little to look like another category. */
const SHADE_STEPS: readonly { lightness: number; hue: number }[] = [
  { lightness: 0, hue: 0 },
  { lightness: -0.055, hue: 8 },
  { lightness: 0.055, hue: -8 },
  { lightness: -0.02, hue: 18 },
  { lightness: 0.03, hue: -16 },
  { lightness: -0.075, hue: -4 },
  { lightness: 0.075, hue: 10 },
  { lightness: -0.04, hue: -12 },
];

/** With `textures`, categories differ by more than colour. */
export function readTheme(element: Element, textures: boolean): Theme {
  const style = getComputedStyle(element);
  return themeOf((name) => style.getPropertyValue(name).trim(), textures);
}

/** `read` gives the value of a custom property. */
export function themeOf(read: (name: string) => string, textures: boolean): Theme {
  const band = parseHex(read('--band'));
  const plain = CATEGORIES.map((category) => parseHex(read(`--${category}`)));
  const textureOf = (category: number) => (textures ? (TEXTURES[category] ?? null) : null);
  const categories = plain.map((color, category) => textured(color, textureOf(category), band, 1));
  const shades = plain.map(shadesOf);
  // Three bits can say an eighth category; it is drawn like the first.
  const fillsOf = (strength: number) =>
    Array.from({ length: 64 }, (_, bits) => (bits & 7) % plain.length).flatMap((category, bits) =>
      DENSITY_SHARES.map((share) => textured(shades[category]?.[bits >> 3] ?? band, textureOf(category), band, strength * share)),
    );
  const family = read('--font');
  return {
    background: read('--background'),
    raised: read('--raised'),
    band: read('--band'),
    line: read('--line'),
    task: read('--task'),
    grid: read('--grid'),
    text: read('--text'),
    muted: read('--muted'),
    label: read('--on-mark'),
    // Nearer to plain text: muted alone is too faint where a range's veil lies under it, too.
    label_faded: toCss(mixed(parseHex(read('--text')), parseHex(read('--muted')), 0.6)),
    accent: read('--accent'),
    range: read('--veil'),
    idle: read('--idle'),
    halo: read('--halo'),
    note: read('--note'),
    on_note: read('--on-note'),
    font: `11px ${family}`,
    small_font: `10px ${family}`,
    page_font: `12.5px ${family}`,
    categories,
    inks: plain.map((color, category) => ({ dark: color, light: lightOf(color), texture: textureOf(category) })),
    fills: fillsOf(1),
    faded: fillsOf(0.22),
  };
}

export function shadesOf(color: Rgb): Rgb[] {
  return SHADE_STEPS.map(({ lightness, hue }) => shifted(color, lightness, hue));
}
