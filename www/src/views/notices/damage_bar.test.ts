// Which words say that files are not whole.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OpenTrace } from '../../state/types';
import { damageWords } from './damage_bar';

const words = (files: Array<[incomplete: boolean, code: string]>): string | null =>
  damageWords({
    summary: { ops: 7, files: files.map(([incomplete, code], place) => ({ name: `${place}.pb`, incomplete, problems: [{ code }] })) },
  } as unknown as OpenTrace);

test('one file that is not whole is named, and several are counted, whatever the first one is', () => {
  assert.equal(words([[false, 'unusual']]), null);
  assert.match(
    String(
      words([
        [false, 'unusual'],
        [true, 'truncated'],
      ]),
    ),
    /1\.pb.*7 ops/,
  );
  const changed = String(words([[true, 'session-changed']]));
  assert.match(changed, /0\.pb/);
  assert.doesNotMatch(changed, /7 ops/);
  assert.match(
    String(
      words([
        [true, 'session-changed'],
        [true, 'truncated'],
      ]),
    ),
    /^2 files.*7 ops/,
  );
});
