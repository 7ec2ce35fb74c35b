// The canvas's colours, read from the style sheet's custom properties so that the theme has one home.
import { CATEGORIES, COLORS, REST, type ColorBy } from '../engine/protocol';
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
  /** What a step waits for where no category is that, by the name of its custom property. */
  own_looks: Readonly<Record<string, string>>;
  /** From little to much. */
  ramp: readonly Rgb[];
  /** The fill of each category, in the order of CATEGORIES. */
  categories: Fill[];
  /** The same for images that are painted pixel by pixel. */
  inks: Ink[];
  /** How marks look, by what their colours stand for. */
  lookOf: (by: ColorBy) => Look;
}

/** How marks look whose colours stand for the same. */
export interface Look {
  /** Fill of a mark by `bucketOf`: with no search, and for marks that match one. */
  fills: Fill[];
  /** The same for marks that do not match the search, or are not lit. */
  faded: Fill[];
  /** The same for marks that stand back a little. */
  dimmed: Fill[];
  /** By colour, for images that are painted pixel by pixel. */
  inks: Ink[];
}

/** Looks of the critical path that are those of no category. */
export const OWN_LOOKS = ['transit', 'queued', 'before'] as const;

/**
 * The looks of phases, by the colours that the core gives them. Input and communication look as in the minimap and on the critical path, which show
 * categories, and the others look like no category there.
 */
const PHASES: readonly string[] = ['hue-2', 'hue-1', 'hue-0', 'hue-4', 'input', 'hue-6', 'communication', 'hue-5', 'rest'];

/** The custom property of each colour of marks; those of lengths of time are steps of one ramp, and no slack is the strongest. */
export const colorNames = (by: ColorBy): readonly string[] => {
  if (by === 'category') return CATEGORIES;
  if (by === 'phase') return PHASES;
  const hue = by === 'duration' || by === 'slack' ? 'ramp' : 'hue';
  return Array.from({ length: COLORS }, (_, color) => (color === REST ? 'rest' : `${hue}-${by === 'slack' ? REST - 1 - color : color}`));
};

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

/** How much of its colour is left of what does not match. */
export const FADED_SHARE = 0.22;

/** How much of it is grey for what stands back a little. */
export const DIMMED_SHARE = 0.7;

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
  const dim = parseHex(read('--dim'));
  const plain = CATEGORIES.map((category) => parseHex(read(`--${category}`)));
  const textureOf = (category: number) => (textures ? (TEXTURES[category] ?? null) : null);
  const categories = plain.map((color, category) => textured(color, textureOf(category), band, 1));
  const ofCategories = (): Look => {
    const shades = plain.map(shadesOf);
    const fills = Array.from({ length: 64 }, (_, bits): Ink => {
      const category = bits & 7;
      const dark = shades[category]?.[bits >> 3] ?? band;
      return { dark, light: lightOf(dark), texture: textureOf(category) };
    });
    return look(fills, inks);
  };
  const inks = plain.map((color, category): Ink => ({ dark: color, light: lightOf(color), texture: textureOf(category) }));
  const look = (marks: readonly Ink[], own: Ink[]): Look => {
    const fillsOf = (strength: number, gray = 0) =>
      marks.flatMap(({ dark, texture }) =>
        DENSITY_SHARES.map((share) => textured(mixed(dim, dark, gray), texture, band, strength * share)),
      );
    return { fills: fillsOf(1), faded: fillsOf(FADED_SHARE), dimmed: fillsOf(1, DIMMED_SHARE), inks: own };
  };
  const ofColors = (by: ColorBy): Look => {
    const own = colorNames(by).map((name, color): Ink => {
      const dark = parseHex(read(`--${name}`));
      // Steps of a ramp differ in lightness already.
      const category = CATEGORIES.findIndex((own) => own === name);
      const texture = name.startsWith('hue') ? (color + 1) % TEXTURES.length : category;
      return { dark, light: lightOf(dark), texture: texture < 0 ? null : textureOf(texture) };
    });
    // As the style of a mark has them: a range has the same colours, and a bit more.
    const marks = Array.from({ length: 64 }, (_, bits) => own[bits & 15] ?? own[REST]!);
    return look(marks, own);
  };
  const looks = new Map<ColorBy, Look>();
  const lookOf = (by: ColorBy): Look => {
    const known = looks.get(by) ?? (by === 'category' ? ofCategories() : ofColors(by));
    looks.set(by, known);
    return known;
  };
  const font = (px: number) => [`${(px * parseFloat(read('--letters'))) / 10}px`, read('--font')].join(' ');
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
    own_looks: Object.fromEntries(OWN_LOOKS.map((name) => [name, read(`--${name}`)])),
    ramp: ['heat-least', 'heat-little', ...Array.from({ length: 8 }, (_, step) => `ramp-${step}`)].map((name) =>
      parseHex(read(`--${name}`)),
    ),
    halo: read('--halo'),
    note: read('--note'),
    on_note: read('--on-note'),
    font: font(11),
    small_font: font(10),
    page_font: font(12.5),
    categories,
    inks,
    lookOf,
  };
}

export function shadesOf(color: Rgb): Rgb[] {
  return SHADE_STEPS.map(({ lightness, hue }) => shifted(color, lightness, hue));
}
