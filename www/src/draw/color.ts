// Colours as numbers: shades of one hue that the eye sees as equally far apart, and mixtures.
//
// Computed in OKLab (https://bottosson.github.io/posts/oklab/), where equal steps look equal.

export interface Rgb {
  r: number;
  g: number;
  b: number;
}

interface Oklch {
  lightness: number;
  chroma: number;
  hue: number;
}

export function parseHex(text: string): Rgb {
  const value = Number.parseInt(text.trim().replace('#', ''), 16);
  return { r: (value >> 16) & 255, g: (value >> 8) & 255, b: value & 255 };
}

export function toCss({ r, g, b }: Rgb): string {
  return '#' + [r, g, b].map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('');
}

/** `share` of `over`, the rest of `under`. */
export function mixed(over: Rgb, under: Rgb, share: number): Rgb {
  const mix = (a: number, b: number) => a * share + b * (1 - share);
  return { r: mix(over.r, under.r), g: mix(over.g, under.g), b: mix(over.b, under.b) };
}

/** How much is left of communication that compute hides. */
export const HIDDEN_SHARE = 0.45;

/** `color` with its lightness moved by `lightness` (of 1) and its hue by `hue_degrees`. */
export function shifted(color: Rgb, lightness: number, hue_degrees: number): Rgb {
  const from = toOklch(color);
  return fromOklch({ ...from, lightness: from.lightness + lightness, hue: from.hue + (hue_degrees * Math.PI) / 180 });
}

const toLinear = (channel: number): number => {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
};

const fromLinear = (light: number): number => {
  const inside = Math.min(Math.max(light, 0), 1);
  return 255 * (inside <= 0.0031308 ? 12.92 * inside : 1.055 * inside ** (1 / 2.4) - 0.055);
};

function toOklch(color: Rgb): Oklch {
  const r = toLinear(color.r);
  const g = toLinear(color.g);
  const b = toLinear(color.b);
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const a_axis = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const b_axis = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return {
    lightness: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    chroma: Math.hypot(a_axis, b_axis),
    hue: Math.atan2(b_axis, a_axis),
  };
}

function fromOklch({ lightness, chroma, hue }: Oklch): Rgb {
  const a_axis = chroma * Math.cos(hue);
  const b_axis = chroma * Math.sin(hue);
  const l = (lightness + 0.3963377774 * a_axis + 0.2158037573 * b_axis) ** 3;
  const m = (lightness - 0.1055613458 * a_axis - 0.0638541728 * b_axis) ** 3;
  const s = (lightness - 0.0894841775 * a_axis - 1.291485548 * b_axis) ** 3;
  return {
    r: fromLinear(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    g: fromLinear(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    b: fromLinear(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  };
}

/** How bright it looks, 0 to 1. */
export const lightnessOf = (color: Rgb): number => toOklch(color).lightness;

/** How different they look: about 0.02 can just be seen. */
export function distance(one: Rgb, other: Rgb): number {
  const [a, b] = [toOklch(one), toOklch(other)];
  return Math.hypot(
    a.lightness - b.lightness,
    a.chroma * Math.cos(a.hue) - b.chroma * Math.cos(b.hue),
    a.chroma * Math.sin(a.hue) - b.chroma * Math.sin(b.hue),
  );
}

/** WCAG's contrast ratio, 1 to 21. */
export function contrast(one: Rgb, other: Rgb): number {
  const luminance = ({ r, g, b }: Rgb) => 0.2126 * toLinear(r) + 0.7152 * toLinear(g) + 0.0722 * toLinear(b);
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}
