// Every text on the canvas has a contrast of at least 4.5 to what is behind it, in both themes, as the style sheet has them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { CATEGORIES, COLOR_BIES } from '../engine/protocol';
import { contrast, mixed, parseHex, type Rgb } from './color';
import { lightOf, type Fill } from './texture';
import { DENSITY_LEVELS, shadesOf, themeOf, type Theme } from './theme';

const LEAST = 4.5;
const SHEET = readFileSync('style/theme.css', 'utf8');

/** The custom properties of the rule with this selector. */
function properties(selector: string): Map<string, string> {
  const start = SHEET.indexOf(`${selector} {`);
  assert.ok(start >= 0, `theme.css has no rule for ${selector}`);
  const rule = SHEET.slice(start, SHEET.indexOf('}', start));
  return new Map([...rule.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => [name, value]));
}

const light = properties(':root');
const dark = new Map([...light, ...properties(":root[data-theme='dark']")]);
const THEMES: [string, Map<string, string>][] = [
  ['light', light],
  ['dark', dark],
];

/** A colour of eight digits over `under`. */
function over(color: string, under: Rgb): Rgb {
  const alpha = color.length === 9 ? Number.parseInt(color.slice(7), 16) / 255 : 1;
  return mixed(parseHex(color.slice(0, 7)), under, alpha);
}

function legible(what: string, ink: Rgb, ground: Rgb): void {
  const found = contrast(ink, ground);
  assert.ok(found >= LEAST, `${what}: a contrast of ${found.toFixed(2)}`);
}

test('who chooses the dark theme and whose system does see the same', () => {
  assert.deepEqual([...properties(':root:not([data-theme])')], [...properties(":root[data-theme='dark']")]);
});

for (const [name, sheet] of THEMES) {
  const value = (property: string) => sheet.get(property) ?? '';
  const theme: Theme = themeOf(value, false);
  const color = (key: 'background' | 'raised' | 'band' | 'text' | 'muted' | 'accent' | 'label' | 'label_faded') => parseHex(theme[key]);
  /** A label on what is behind it, as it is and under the veil outside of a selected range. */
  const label = (what: string, ink: Rgb, ground: Rgb) => {
    legible(what, ink, ground);
    legible(`${what}, outside of the range`, ink, over(theme.range, ground));
  };
  /** Ops with a name are drawn at full density. */
  const full = (fills: readonly Fill[]) => fills.filter((_, bucket) => bucket % DENSITY_LEVELS === DENSITY_LEVELS - 1) as string[];

  test(`labels are legible on every fill of the ${name} theme`, () => {
    for (const { fills, faded, dimmed } of COLOR_BIES.map(theme.lookOf)) {
      for (const fill of full(dimmed)) label(`a label on the dimmed ${fill}`, color('label'), parseHex(fill));
      for (const fill of full(fills)) label(`a label on ${fill}`, color('label'), parseHex(fill));
      for (const fill of full(faded)) label(`a label on the faded ${fill}`, color('label_faded'), parseHex(fill));
    }
    for (const look of Object.values(theme.own_looks)) label(`a label on ${look}`, color('label'), parseHex(look));
    for (const category of CATEGORIES)
      for (const shade of shadesOf(parseHex(value(`--${category}`)))) {
        label(`a label on the light pixels of ${category}`, color('label'), lightOf(shade));
        const faded = (pixel: Rgb) => mixed(pixel, color('band'), 0.22);
        label(`a faded label on the light pixels of ${category}`, color('label_faded'), faded(lightOf(shade)));
      }
  });

  test(`the axis, plates and names of devices are legible in the ${name} theme`, () => {
    legible('the axis', color('muted'), color('background'));
    legible('the plate of the range', color('background'), color('accent'));
    legible('the plate of the pointer', color('background'), color('text'));
    legible('the flag of a note', parseHex(theme.on_note), parseHex(theme.note));
    legible('the name at the end of an arrow', color('text'), color('raised'));
    legible('the name of a group of lanes', color('muted'), color('band'));
  });

  test(`words on every surface of the page are legible in the ${name} theme`, () => {
    for (const surface of ['--background', '--chrome', '--raised', '--hover', '--band', '--task'])
      for (const ink of ['--text', '--muted', '--accent', '--warning', '--danger'])
        legible(`${ink} on ${surface}`, parseHex(value(ink)), parseHex(value(surface)));
    legible('the main button', parseHex(value('--on-accent')), parseHex(value('--accent')));
    legible('an error', parseHex(value('--danger')), parseHex(value('--danger-surface')));
  });
}
