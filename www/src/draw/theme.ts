// The canvas's colours, read from the style sheet's custom properties so that the theme has one home.
import { CATEGORIES } from '../engine/protocol';
import { mixed, parseHex, shifted, toCss, type Rgb } from './color';

/** Marks carry two bits of category, three of shade and one of search; density adds three. */
export const DENSITY_LEVELS = 8;
export const SHADES = 8;

export interface Theme {
  background: string;
  /** Of what lies over the canvas. */
  raised: string;
  /** Behind the lanes of a device. */
  band: string;
  line: string;
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
  /** The plain colour of each category, in the order of CATEGORIES. */
  categories: string[];
  /** Fill of a mark by `bucketOf`: with no search, and for marks that match one. */
  fills: string[];
  /** The same for marks that do not match the search. */
  faded: string[];
}

/** Which fill a mark has: its style without the search bit, and how densely its ops lie. */
export const bucketOf = (style: number, density: number): number =>
  (style & 31) * DENSITY_LEVELS + LEVEL_OF_DENSITY[density]!;

/** By the square root: among few ops the eye tells one from two, among many it does not tell nine from ten. */
const LEVEL_OF_DENSITY = Uint8Array.from({ length: 256 }, (_, density) =>
  Math.min(Math.floor(Math.sqrt(density / 255) * DENSITY_LEVELS), DENSITY_LEVELS - 1),
);
/** Few levels keep changes of the fill style rare; the lowest is still plain to see. */
const DENSITY_SHARES = Array.from({ length: DENSITY_LEVELS }, (_, level) => 0.4 + (0.6 * level) / (DENSITY_LEVELS - 1));

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

export function readTheme(element: Element): Theme {
  const style = getComputedStyle(element);
  const read = (name: string) => style.getPropertyValue(name).trim();
  const band = parseHex(read('--band'));
  const categories = CATEGORIES.map((category) => read(`--${category}`));
  const plain = categories.flatMap((color) => shadesOf(parseHex(color)));
  // Two bits can say a fourth category; it is drawn like the first.
  const shades = [...plain, ...plain.slice(0, SHADES)];
  const byStyle = Array.from({ length: 32 }, (_, bits) => shades[(bits & 3) * SHADES + (bits >> 2)] ?? band);
  const fills = byStyle.flatMap((color) => DENSITY_SHARES.map((share) => toCss(mixed(color, band, share))));
  const faded = byStyle.flatMap((color) => DENSITY_SHARES.map((share) => toCss(mixed(color, band, 0.22 * share))));
  const family = read('--font');
  return {
    background: read('--background'),
    raised: read('--raised'),
    band: read('--band'),
    line: read('--line'),
    grid: read('--grid'),
    text: read('--text'),
    muted: read('--muted'),
    label: read('--on-mark'),
    label_faded: read('--muted'),
    accent: read('--accent'),
    range: read('--range'),
    halo: read('--halo'),
    note: read('--note'),
    on_note: read('--on-note'),
    font: `11px ${family}`,
    small_font: `10px ${family}`,
    categories,
    fills,
    faded,
  };
}

export function shadesOf(color: Rgb): Rgb[] {
  return SHADE_STEPS.map(({ lightness, hue }) => shifted(color, lightness, hue));
}
