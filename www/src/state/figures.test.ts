// What is asked once: again for something else, after a failure that the user tries again, and after an answer that came too late.
import assert from 'node:assert/strict';
import test from 'node:test';
import { EngineError, superseded } from '../engine/errors';
import { answerTo, askAgain, figuresOf, ofShown, request, type Question } from './figures';
import { initialState, type Context } from './state';
import type { OpenTrace } from './types';

const THREADS: Question<'hasThreads'> = { verb: 'hasThreads', of: ofShown, parameters: () => [], outcome: 'Not known' };

const settled = () => new Promise((resolve) => setTimeout(resolve));

/** A context whose core answers with `answers`, one after the other, and what was asked and painted. */
function asked(...answers: (boolean | Error)[]) {
  const log: string[] = [];
  const state = { ...initialState(), trace: {} as OpenTrace };
  const follow = async (_: unknown, verb: string) => {
    log.push(`ask ${verb}`);
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const frame = { invalidate: () => undefined, answered: (verb: string) => void log.push(`paint ${verb}`) };
  const context = { state, engine: { follow }, frame, version: '' } as unknown as Context;
  return { context, state, log };
}

test('it is asked once for what is shown, and again for another', async () => {
  const { context, state, log } = asked(true, false);
  request(context, THREADS);
  request(context, THREADS);
  assert.equal(answerTo(state, THREADS), null);
  await settled();
  assert.equal(answerTo(state, THREADS), true);
  state.trace = {} as OpenTrace;
  assert.equal(figuresOf(state, THREADS), null, 'the answer is of what was shown before');
  request(context, THREADS);
  await settled();
  assert.equal(answerTo(state, THREADS), false);
  assert.deepEqual(log, ['ask hasThreads', 'paint hasThreads', 'ask hasThreads', 'paint hasThreads']);
});

test('where it failed, it is asked again by hand only', async () => {
  const said: unknown[] = [];
  console.error = (words: unknown) => void said.push(words);
  Object.defineProperty(globalThis, 'navigator', { value: { userAgent: '' }, configurable: true });
  const { context, state, log } = asked(new EngineError({ code: 'internal', message: 'no' }), true);
  request(context, THREADS);
  await settled();
  assert.equal(figuresOf(state, THREADS)?.has_failed, true);
  assert.equal(said.length, 1);
  request(context, THREADS);
  assert.deepEqual(log, ['ask hasThreads', 'paint hasThreads']);
  askAgain(context, 'hasThreads');
  request(context, THREADS);
  await settled();
  assert.equal(answerTo(state, THREADS), true);
});

test('what was superseded is asked again', async () => {
  const { context, state, log } = asked(superseded(), true);
  request(context, THREADS);
  await settled();
  assert.equal(figuresOf(state, THREADS), null);
  request(context, THREADS);
  await settled();
  assert.equal(answerTo(state, THREADS), true);
  assert.equal(log.filter((line) => line.startsWith('ask')).length, 2);
});

test('nothing is asked where nothing is shown', () => {
  const { context, state, log } = asked();
  state.trace = null as unknown as OpenTrace;
  assert.equal(request(context, THREADS), null);
  assert.deepEqual(log, []);
});
