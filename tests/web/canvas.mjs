// What is on the canvas of the lanes, without knowing how the page lays them out.

import { boxOf } from './hands.mjs';

/** A URL fragment that shows [start, end) of the trace with this summary. */
export const fragment = (summary, start_ns, end_ns) => `#k=${summary.ops}.${summary.span_ns}&w=${start_ns},${end_ns}`;

/** The place of the canvas on the page, in CSS pixels. */
export const canvasBox = (page) => boxOf(page, 'canvas.lanes');

/** The canvas as text, for telling whether two show the same. */
export const picture = (page) => page.$eval('canvas.lanes', (canvas) => canvas.toDataURL());

/**
 * The rows of pixels on which every x of `inside` has the colour of a category (`--compute` and so on, in any shade)
 * and every x of `outside` has the background of the lanes; as runs [top, bottom) in CSS pixels.
 */
export function rowsWith(page, { inside, outside, category }) {
  return page.$eval('canvas.lanes', (canvas, inside, outside, category) => {
    const context = canvas.getContext('2d');
    const ratio = canvas.width / canvas.getBoundingClientRect().width;
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    const color = (x, y) => {
      const at = (Math.floor(y) * canvas.width + Math.floor(x * ratio)) * 4;
      return [data[at], data[at + 1], data[at + 2]];
    };
    const styled = (name) => {
      const probe = document.createElement('canvas').getContext('2d');
      probe.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
      probe.fillRect(0, 0, 1, 1);
      return [...probe.getImageData(0, 0, 1, 1).data].slice(0, 3);
    };
    const palette = Object.fromEntries(['band', 'compute', 'copy', 'communication'].map((name) => [name, styled(`--${name}`)]));
    const nearest = (pixel) => {
      const away = ([, color]) => Math.hypot(...color.map((value, index) => value - pixel[index]));
      return Object.entries(palette).reduce((a, b) => (away(b) < away(a) ? b : a))[0];
    };
    const runs = [];
    for (let y = 0; y < canvas.height; y++) {
      const fits = inside.every((x) => nearest(color(x, y)) === category) && outside.every((x) => nearest(color(x, y)) === 'band');
      const last = runs.at(-1);
      if (fits && last?.[1] === y) last[1] = y + 1;
      else if (fits) runs.push([y, y + 1]);
    }
    return runs.map(([top, bottom]) => [top / ratio, bottom / ratio]);
  }, inside, outside, category);
}
