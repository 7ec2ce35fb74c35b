// Strips stand on their lower edge, are as tall as their share of the peak asks for, and show everything that is there.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flightOf, paintStrip, pixelsOf } from './strips';

/** Only their red is compared. */
const INKS = [1, 7, 2, 3, 7, 7, 7, 7, 7].map((r) => ({
  dark: { r, g: 0, b: 0 },
  light: { r: 9, g: 0, b: 0 },
  texture: r === 3 ? (_: number, y: number) => y % 2 === 1 : null,
}));
const HEIGHT = 16;

/** The column's pixels from the bottom up; columns are compute, copy and communication. */
function columnsOf(in_flight: readonly [number, number, number][], peak: number, textures = false): number[][] {
  const pixels = new Uint32Array(in_flight.length * HEIGHT);
  paintStrip(
    pixels,
    { first: 0, count: in_flight.length },
    HEIGHT,
    flightOf(
      Float32Array.from(
        in_flight.flatMap(([compute, copy, communication]) => [compute, 0, copy, 0, 0, 0, 0, 0, 0, 0, 0, 0, communication, 0, 0, 0, 0, 0]),
      ),
    ),
    peak,
    pixelsOf(textures ? INKS : INKS.map((ink) => ({ ...ink, texture: null }))),
  );
  return in_flight.map((_, column) =>
    Array.from({ length: HEIGHT }, (_, y) => (pixels[(HEIGHT - 1 - y) * in_flight.length + column] ?? 0) & 255),
  );
}

test('the peak fills the strip, and where nothing runs there is nothing', () => {
  const [full, empty] = columnsOf(
    [
      [4, 0, 0],
      [0, 0, 0],
    ],
    4,
  );
  assert.deepEqual(
    full,
    Array.from({ length: HEIGHT }, () => 1),
  );
  assert.ok(empty?.every((pixel) => pixel === 0));
});

test('a quarter of the peak is half as tall, and whatever is not zero is seen', () => {
  const [quarter, little] = columnsOf(
    [
      [1, 0, 0],
      [0, 0, 1e-6],
    ],
    4,
  );
  assert.equal(quarter?.filter((pixel) => pixel === 1).length, HEIGHT / 2);
  assert.deepEqual(
    little?.filter((pixel) => pixel !== 0),
    [3],
  );
});

test('categories are stacked in their shares', () => {
  const [mixed] = columnsOf([[2, 1, 1]], 4);
  const count = (color: number) => mixed?.filter((pixel) => pixel === color).length;
  assert.deepEqual([count(1), count(2), count(3)], [8, 4, 4]);
  assert.deepEqual([mixed?.[0], mixed?.[HEIGHT - 1]], [1, 3]);
});

test('with textures, every pixel of a category is one of its two colours', () => {
  const [hatched] = columnsOf([[0, 0, 1]], 1, true);
  assert.deepEqual(hatched?.slice(0, 4), [9, 3, 9, 3]);
});

test('a tile of a strip is what the whole strip has there', () => {
  const [columns, first, count] = [40, 13, 17];
  const in_flight = Float32Array.from({ length: columns * 18 }, (_, at) => ((at * 7919) % 23 < 4 ? (at % 5) + 0.5 : 0));
  const exposed = Float32Array.from({ length: columns }, (_, column) => (column % 4) / 3);
  for (const shows of [
    [0, 18],
    [0, 9],
    [9, 18],
  ] as const) {
    const flight = flightOf(in_flight, shows);
    const peak = Math.max(...flight.totals);
    const hidden = { exposed, pixels: pixelsOf(INKS.map((ink) => ({ ...ink, dark: { r: 5, g: 5, b: 5 } }))) };
    const paint = (of: { first: number; count: number }) => {
      const pixels = new Uint32Array(of.count * HEIGHT);
      paintStrip(pixels, of, HEIGHT, flight, peak, pixelsOf(INKS), hidden);
      return pixels;
    };
    const whole = paint({ first: 0, count: columns });
    const tile = paint({ first, count });
    for (let y = 0; y < HEIGHT; y++) {
      const of_whole = [...whole.subarray(y * columns + first, y * columns + first + count)];
      assert.deepEqual([...tile.subarray(y * count, (y + 1) * count)], of_whole);
    }
  }
});

test('a strip of communication leaves out the work', () => {
  const flight = flightOf(Float32Array.from([2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0]), [9, 18]);
  assert.deepEqual([[...flight.totals], flight.parts], [[1], [12]]);
});
