// Dropped folders: order, hidden files, what cannot be read, and folders without end.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filesIn, type Entry } from './dropped';

const file = (name: string, readable = true): Entry =>
  ({
    name,
    isFile: true,
    file: (give: (blob: Blob) => void, fail: (why: unknown) => void) => (readable ? give(new Blob([name])) : fail('gone')),
  }) as Entry;

const folder = (name: string, entries: () => Entry[]): Entry =>
  ({
    name,
    isFile: false,
    createReader() {
      // One at a time, as browsers list at most a hundred.
      const rest = entries();
      return { readEntries: (give: (entries: Entry[]) => void) => give(rest.splice(0, 1)) };
    },
  }) as Entry;

const names = async (entries: Entry[]) => (await filesIn(entries)).map((source) => source.name);

test('folders are opened in natural order, hidden and unreadable files left out', async () => {
  const run = folder('run', () => [
    file('step_10.pb'),
    file('.DS_Store'),
    file('step_9.pb'),
    file('gone.pb', false),
    folder('a', () => [file('b.pb')]),
  ]);
  assert.deepEqual(await names([file('z.pb'), run, file('a.pb')]), ['z.pb', 'run/a/b.pb', 'run/step_9.pb', 'run/step_10.pb', 'a.pb']);
});

test('folders within folders without end, and files without number, come to an end', async () => {
  const endless: Entry = folder('again', () => [endless]);
  assert.deepEqual(await names([endless]), []);
  const many = folder('many', () => Array.from({ length: 2000 }, (_, place) => file(`${place}`)));
  assert.equal((await names([many])).length, 1000);
});
