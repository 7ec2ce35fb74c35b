// Which step is shown first: the one that the core says is usual; and which is the first: a step that the file numbers, and no stretch of time before it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Step, StepList } from '../../engine/protocol';
import { countOfSteps, firstStep, placeOfStep, rowOfStep, usualStep } from './steps';

const listOf = (...steps: Pick<Step, 'ops' | 'number' | 'name'>[]): StepList => ({ steps }) as unknown as StepList;

test('the first numbered step with ops comes before what ran before the first step', () => {
  const before = { ops: 113, number: null, name: 'before the first step' };
  assert.equal(firstStep(listOf(before, { ops: 0, number: 0, name: '' }, { ops: 1018, number: 1, name: '' })), 2);
  assert.equal(firstStep(listOf({ ops: 0, number: null, name: '' }, before)), 1);
  assert.equal(firstStep(listOf({ ops: 0, number: 4, name: '' })), null);
});

test('the step that is usual is shown, where the core says one', () => {
  const list = listOf({ ops: 3, number: 0, name: '' }, { ops: 1018, number: 1, name: '' }, { ops: 1018, number: 2, name: '' });
  assert.equal(usualStep({ ...list, first: 1 }), 1);
  assert.equal(usualStep({ ...list, first: null }), 0);
});

test('what ran before the first step is listed, and is none', () => {
  const before = { ops: 3, number: null, name: 'before the first step', called: null, is_before: true };
  const step = (number: number) => ({ ops: 9, number, name: '', called: number, is_before: false });
  const list = listOf(before, step(5), step(6));
  assert.equal(countOfSteps(list), 2);
  assert.deepEqual(
    [0, 1, 2].map((row) => placeOfStep(list, row)),
    ['Before the first step', 'Step 5, one of 2', 'Step 6, one of 2'],
  );
  assert.deepEqual(
    [4, 5, 6].map((number) => rowOfStep(list, number)),
    [-1, 1, 2],
  );
});
