// Places in time as people type them are read as they mean them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ns } from './time';
import { typedPlace as typedPlaceOf } from './typed_place';

/** In a step of 200 ms. */
const typedPlace = (text: string) => typedPlaceOf(text, ns(200e6));

test('ranges are typed in any unit, and the first may leave its own out', () => {
  const range = { kind: 'range', start: 20e6, end: 30e6 };
  for (const text of [
    '20ms-30ms',
    '20 ms - 30 ms',
    '20-30ms',
    '20ms to 30ms',
    '20..30 ms',
    ' 0.02s – 30MS ',
    '20000us-30ms',
    '20000µs-30ms',
  ]) {
    assert.deepEqual(typedPlace(text), range, text);
  }
  assert.deepEqual(typedPlace('1,5s-2s'), { kind: 'range', start: 1.5e9, end: 2e9 });
});

test('a moment and a step', () => {
  assert.deepEqual(typedPlace('25ms'), { kind: 'moment', at: 25e6 });
  assert.deepEqual(typedPlace('@ 1.5 s'), { kind: 'moment', at: 1.5e9 });
  assert.deepEqual(typedPlace('step 3'), { kind: 'step', number: 3 });
  assert.deepEqual(typedPlace('Step #12'), { kind: 'step', number: 12 });
});

test('percentages are of the step', () => {
  const range = { kind: 'range', start: 80e6, end: 120e6 };
  for (const text of ['40%-60%', '40 % to 60 %', '40–60 %', '40-60%', '40% .. 60%', '40 % - 60 %', '80ms-60%', '40%-120ms']) {
    assert.deepEqual(typedPlace(text), range, text);
  }
  assert.deepEqual(typedPlace('12,5%'), { kind: 'moment', at: 25e6 });
  for (const text of ['60%-40%', '%', '40', '40%-60']) assert.equal(typedPlace(text), null, text);
});

test('names of ops are no places', () => {
  for (const text of ['MatMul', 'step', 'global_step', 'conv2d-30', '20-30', '30ms-20ms', '20ms-20ms', 'step 3/Adam', '', '20ms MatMul']) {
    assert.equal(typedPlace(text), null, text);
  }
});
