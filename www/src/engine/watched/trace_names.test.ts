// Which files of a folder are called like traces: those that writers name so, and no others.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isCalledLikeTrace } from './trace_names';

test('what tools call their traces', () => {
  for (const name of [
    'host.xplane.pb',
    'host.trace.json.gz',
    'rank0.170.pt.trace.json',
    'timeline-0.JSON',
    'step.pb',
    'events.out.tfevents.17.host',
    'own.steplens.zst',
  ])
    assert.ok(isCalledLikeTrace(name), name);
  for (const name of ['checkpoint', 'model.ckpt-1.index', 'notes.txt', 'data.csv.gz', '.json', '.hidden.pb', '.gz', 'pb'])
    assert.ok(!isCalledLikeTrace(name), name);
});
