// Colours of op types and the like are distinct for people of any colour vision, and a ramp goes one way for all of them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { CATEGORIES, COLOR_BIES } from '../engine/protocol';
import { distance, lightnessOf, parseHex, type Rgb } from './color';
import { colorNames, OWN_LOOKS } from './theme';

const SHEET = readFileSync('style/theme.css', 'utf8');
/** Where a property stands several times, the dark theme's is last. */
const colorsOf = (name: string): string[] => [...SHEET.matchAll(new RegExp(`--${name}: (#[0-9a-f]{6});`, 'g'))].map(([, hex = '']) => hex);

/** Machado, Oliveira, Fernandes 2009, severity 1, on linear light. */
const VISIONS = {
  normal: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
} as const;

const toLinear = (channel: number) => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4);
const fromLinear = (light: number) => (light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055);

function seen(hex: string, [a, b, c, d, e, f, g, h, i]: (typeof VISIONS)[keyof typeof VISIONS]): Rgb {
  const color = parseHex(hex);
  const [x, y, z] = [toLinear(color.r / 255), toLinear(color.g / 255), toLinear(color.b / 255)];
  const channel = (light: number) => 255 * fromLinear(Math.min(Math.max(light, 0), 1));
  return { r: channel(a * x + b * y + c * z), g: channel(d * x + e * y + f * z), b: channel(g * x + h * y + i * z) };
}

for (const [name, vision] of Object.entries(VISIONS)) {
  test(`hues differ for ${name} vision`, () => {
    const hues = colorNames('op_type').map((own) => colorsOf(own)[0] ?? '');
    assert.equal(new Set(hues).size, 9);
    hues.forEach((one, at) => {
      for (const other of hues.slice(at + 1)) {
        const found = distance(seen(one, vision), seen(other, vision));
        assert.ok(found >= 0.08, `${one} and ${other} are ${found.toFixed(3)} apart`);
      }
    });
  });

  test(`what a step waits for looks like no category for ${name} vision`, () => {
    const others = [...CATEGORIES, 'idle'].flatMap(colorsOf);
    const own = OWN_LOOKS.map((look) => colorsOf(look)[0] ?? '');
    own.forEach((one, at) => {
      for (const other of [...others, ...own.slice(at + 1)]) {
        const found = distance(seen(one, vision), seen(other, vision));
        assert.ok(found >= 0.09, `${one} and ${other} are ${found.toFixed(3)} apart`);
      }
    });
  });

  test(`phases differ from each other, from input, communication and compute for ${name} vision`, () => {
    const own = colorNames('phase');
    const phases = [0, 3, 7].map((color) => colorsOf(own[color] ?? '')[0] ?? '');
    const others = ['input', 'communication', 'compute', 'rest'].map((other) => colorsOf(other)[0] ?? '');
    phases.forEach((one, at) => {
      for (const other of [...others, ...phases.slice(at + 1)]) {
        const found = distance(seen(one, vision), seen(other, vision));
        assert.ok(found >= 0.08, `${one} and ${other} are ${found.toFixed(3)} apart`);
      }
    });
  });

  test(`ramps go one way for ${name} vision`, () => {
    for (const theme of [0, 1]) {
      const ramp = colorNames('duration')
        .slice(0, 8)
        .map((own) => lightnessOf(seen(colorsOf(own)[theme] ?? '', vision)));
      const steps = ramp.slice(1).map((lightness, at) => lightness - (ramp[at] ?? 0));
      assert.ok(
        steps.every((step) => step * (theme === 0 ? -1 : 1) > 0.01),
        `${theme}: ${steps.map((step) => step.toFixed(3)).join(' ')}`,
      );
    }
  });
}

test('every colour has a property, and the least slack the strongest', () => {
  for (const by of COLOR_BIES) for (const name of colorNames(by)) assert.ok(SHEET.includes(`--${name}: #`), name);
  assert.deepEqual([colorNames('slack')[0], colorNames('duration')[7]], ['ramp-7', 'ramp-7']);
});
