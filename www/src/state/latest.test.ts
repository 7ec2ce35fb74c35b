// Only one request is under way, the newest of those that wait wins, and nothing that is thrown is lost.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { latest } from './latest';

const turn = () => new Promise((resolve) => setTimeout(resolve, 0));
const never = (thrown: unknown) => assert.fail(`nothing fails here: ${String(thrown)}`);

test('requests in between are dropped, the last one is asked', async () => {
  const asked: number[] = [];
  const answers: number[] = [];
  const release: (() => void)[] = [];
  const request = latest(
    (query: number) => {
      asked.push(query);
      return new Promise<number>((resolve) => release.push(() => resolve(query * 10)));
    },
    (answer) => answers.push(answer),
    never,
  );
  request(1);
  request(2);
  request(3);
  assert.deepEqual(asked, [1]);
  release[0]?.();
  await turn();
  assert.deepEqual(asked, [1, 3]);
  release[1]?.();
  await turn();
  assert.deepEqual(answers, [10, 30]);
});

test('a failed request is heard of and does not block the next', async () => {
  const answers: number[] = [];
  const failures: unknown[] = [];
  const gone = new Error('gone');
  const request = latest(
    (query: number) => (query < 0 ? Promise.reject(gone) : Promise.resolve(query)),
    (answer) => answers.push(answer),
    (thrown) => failures.push(thrown),
  );
  request(-1);
  request(2);
  await turn();
  assert.deepEqual(answers, [2]);
  assert.deepEqual(failures, [gone]);
});

test('what fails on an answer is heard of and does not block the next', async () => {
  const answers: number[] = [];
  const failures: unknown[] = [];
  const request = latest(
    (query: number) => {
      if (query === 0) throw new RangeError('asked for nothing');
      return Promise.resolve(query);
    },
    (answer) => {
      if (answer < 0) throw new TypeError('cannot be painted');
      answers.push(answer);
    },
    (thrown) => failures.push(thrown),
  );
  for (const query of [-1, 0, 2]) {
    request(query);
    await turn();
  }
  assert.deepEqual(answers, [2]);
  assert.deepEqual(
    failures.map((thrown) => (thrown as Error).message),
    ['cannot be painted', 'asked for nothing'],
  );
});
