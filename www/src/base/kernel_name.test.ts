// Names of kernels are as short as the program's, and hostile ones do no harm.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { kernelLabel } from './kernel_name';

test('kernels are called as the program calls them', () => {
  const examples = JSON.parse(readFileSync('../tests/golden/kernel_names.json', 'utf8')) as Record<string, string>;
  for (const [name, short] of Object.entries(examples)) assert.equal(kernelLabel(name), short, name);
});

test('hostile names do no harm', () => {
  const deep = `void a${'<a'.repeat(100_000)}int${'>'.repeat(100_000)}()`;
  assert.equal(kernelLabel(deep), deep);
  assert.ok(kernelLabel(`void a<${'é中<int>, '.repeat(10_000)}int>()`).length < 100);
  for (const name of ['__proto__<int>', 'constructor<int>()', 'void __proto__<constructor, toString>()'])
    assert.equal(typeof kernelLabel(name), 'string');
});
