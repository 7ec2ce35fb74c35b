// A reporter for Node's test runner: the files to run again because a test failed in them, one a line.

import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * A test that a shared module defines is of the file that names it, or what stands before its colon (a look, a width), or else of all files
 * that import the module.
 */
function testFilesOf(file, test) {
  if (file.endsWith('.test.mjs')) return [file];
  const imports = `'./${basename(file)}'`;
  const folder = dirname(file);
  const files = readdirSync(folder).filter((name) => name.endsWith('.test.mjs')).map((name) => join(folder, name));
  const importing = files.filter((other) => readFileSync(other, 'utf8').includes(imports));
  const [about] = test.split(':');
  const naming = importing.filter((other) => [test, `'${about}'`].some((words) => readFileSync(other, 'utf8').includes(words)));
  return naming.length > 0 ? naming : importing;
}

export default async function* failedFiles(events) {
  const files = new Set();
  for await (const { type, data } of events)
    if (type === 'test:fail' && data.file) for (const file of testFilesOf(data.file, data.name)) files.add(file);
  for (const file of files) yield `${file}\n`;
}
