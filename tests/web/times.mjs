// A reporter for Node's test runner: how long each file and each test took, as `cargo xtask test` reads it.

import { basename } from 'node:path';

export default async function* times(events) {
  for await (const { type, data } of events) {
    const seconds = (data?.details?.duration_ms ?? 0) / 1000;
    const line = (file, test) => `${JSON.stringify({ file: basename(file), test, seconds })}\n`;
    // The runner calls the whole of a file by its path.
    if (type === 'test:complete' && data.name === data.file) yield line(data.file, '');
    if ((type === 'test:pass' || type === 'test:fail') && data.nesting === 0 && data.file && data.name !== data.file) yield line(data.file, data.name);
  }
}
