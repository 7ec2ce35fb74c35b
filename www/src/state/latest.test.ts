// Only one request is under way, and the newest of those that wait wins.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { latest } from './latest';

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
  );
  request(1);
  request(2);
  request(3);
  assert.deepEqual(asked, [1]);
  release[0]?.();
  await new Promise((resolve) => setTimeout(resolve, 0));
  assert.deepEqual(asked, [1, 3]);
  release[1]?.();
  await new Promise((resolve) => setTimeout(resolve, 0));
  assert.deepEqual(answers, [10, 30]);
});

test('a failed request does not block the next', async () => {
  const answers: number[] = [];
  const request = latest(
    (query: number) => (query < 0 ? Promise.reject(new Error('gone')) : Promise.resolve(query)),
    (answer) => answers.push(answer),
  );
  request(-1);
  request(2);
  await new Promise((resolve) => setTimeout(resolve, 0));
  assert.deepEqual(answers, [2]);
});
