// A name is cut only where its room is taken: next to a mark that is too narrow for it, an empty lane has room.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Marks } from '../engine/protocol';
import { batchOf } from './batch';
import { drawLabels, type Placement } from './marks';
import { TextRuler } from './text';
import type { Theme } from './theme';

/** Every letter is this wide. */
const LETTER = 6;

interface Drawn {
  text: string;
  x: number;
}

/** What is written for marks [x0, x1, name] of one row, on a canvas of this width. */
function written(width: number, of: readonly [number, number, string][], routes: Readonly<Record<number, string>> = {}): Drawn[] {
  const drawn: Drawn[] = [];
  const context = {
    save() {},
    restore() {},
    scale() {},
    measureText: (text: string) => ({ width: [...text].length * LETTER }),
    fillText: (text: string, x: number) => drawn.push({ text, x }),
  } as unknown as CanvasRenderingContext2D;
  const column = (at: 0 | 1) => Float32Array.from(of, (mark) => mark[at]);
  const marks = {
    query: { lanes: Uint32Array.of(0), strips: Uint32Array.of() },
    row: new Uint32Array(of.length),
    x0: column(0),
    x1: column(1),
    style: new Uint8Array(of.length),
    density: new Uint8Array(of.length).fill(255),
    count: new Uint32Array(of.length).fill(1),
    op: Uint32Array.from(of, (_, at) => at),
    text: Uint32Array.from(of, (_, at) => at),
    names: of.map(([, , name]) => name),
    stacks: Uint32Array.of(),
    light: 'off',
    color_by: 'category',
    column_px: 1,
  } as unknown as Marks;
  const place: Placement = {
    top: Float32Array.of(0),
    height: Float32Array.of(20),
    factor: 1,
    offset: 0,
    texture_x: 0,
    texture_y: 0,
    canvas_width: width,
    canvas_height: 100,
    pixel_ratio: 1,
  };
  drawLabels(context, batchOf(marks, false), place, new TextRuler(context, () => ''), {} as Theme, (op) => routes[op] ?? '');
  return drawn;
}

test('a name that fits is in its mark, and one that does not is next to it where that is empty', () => {
  assert.deepEqual(written(400, [[0, 80, 'MatMul']]), [{ text: 'MatMul', x: 4 }]);
  assert.deepEqual(written(400, [[0, 30, 'BatchNorm']]), [{ text: 'BatchNorm', x: 34 }]);
});

test('where the next mark, or the end of the canvas, leaves no room, the name is cut in its mark', () => {
  const cut = written(400, [
    [0, 50, 'BatchNorm'],
    [52, 120, 'Relu'],
  ]);
  assert.deepEqual(cut, [
    { text: 'BatchN…', x: 4 },
    { text: 'Relu', x: 56 },
  ]);
  assert.deepEqual(written(60, [[0, 50, 'BatchNorm']]), [{ text: 'BatchN…', x: 4 }]);
});

test('a transfer says its tensor and which way it goes, where both have room', () => {
  assert.deepEqual(written(400, [[0, 200, 'net/w/read']], { 0: ' ← ps 0' }), [{ text: 'net/w/read ← ps 0', x: 4 }]);
  assert.deepEqual(written(90, [[0, 88, 'net/w/read']], { 0: ' ← ps 0' }), [{ text: '…/read ← ps 0', x: 4 }]);
  assert.deepEqual(written(50, [[0, 48, 'net/w/read']], { 0: ' ← ps 0' }), [{ text: '…/read', x: 4 }]);
});
