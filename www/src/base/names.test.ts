// Short names keep what distinguishes ops and devices.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deviceLabel, frameLabel, kernelLabel, learnKernels, placeLabel, shortened, taskLabel, tensorLabel } from './names';

test('tasks and devices have short names', () => {
  assert.equal(taskLabel('/job:worker/replica:0/task:1'), 'worker 1');
  assert.equal(taskLabel('/job:ps/replica:2/task:0'), 'ps 0, replica 2');
  assert.equal(deviceLabel('/job:worker/replica:0/task:1/device:CPU:0'), 'CPU:0');
  assert.equal(deviceLabel('/device:GPU:0/stream:all'), 'GPU:0 stream:all');
  assert.equal(deviceLabel('/gpu:0/stream:56'), 'GPU:0 stream:56');
  assert.equal(placeLabel('/job:ps/replica:0/task:0/device:CPU:0'), 'ps 0 CPU:0');
  assert.equal(placeLabel('anything'), 'anything');
});

test('frames say the function first, modules what they are', () => {
  assert.equal(frameLabel('torch/nn/modules/module.py(1532): _call_impl'), '_call_impl (module.py:1532)');
  assert.equal(frameLabel('train.py(3): <lambda>'), '<lambda> (train.py:3)');
  assert.equal(frameLabel('nn.Module: BertLayer_0'), 'BertLayer_0');
  assert.equal(frameLabel('nn.Module: '), 'nn.Module: ');
  assert.equal(frameLabel('aten::addmm'), 'aten::addmm');
});

test('kernels have the short names that the core gives them', () => {
  const name = 'void a::add<float>(int*)';
  assert.equal(kernelLabel(name), name);
  learnKernels([[name, 'add<float>']]);
  assert.equal(kernelLabel(name), 'add<float>');
  assert.equal(frameLabel(name), 'add<float>');
  assert.equal(
    shortened(name, (text) => text.length <= 10),
    'add<float>',
  );
  assert.equal(kernelLabel('aten::addmm'), 'aten::addmm');
});

test('a tensor loses the number of its edge and nothing else', () => {
  assert.equal(tensorLabel('edge_12_net/w/read'), 'net/w/read');
  assert.equal(tensorLabel('net/edge_1_x'), 'net/edge_1_x');
  assert.equal(tensorLabel('edge_12_'), 'edge_12_');
});

test('a name loses its first scopes before its last part', () => {
  const within = (width: number) => (text: string) => text.length <= width;
  const name = 'net/mixed_5/b2a/Conv2D';
  assert.equal(shortened(name, within(30)), name);
  assert.equal(shortened(name, within(12)), '…/b2a/Conv2D');
  assert.equal(shortened(name, within(8)), '…/Conv2D');
  assert.equal(shortened(name, within(6)), 'Conv2D');
  assert.equal(shortened(name, within(4)), 'Con…');
  assert.equal(shortened(name, within(3)), null);
});
