// What TensorFlow and tensorflow-tracer say about the fixtures, and how a summary is compared with it.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fixture } from './site.mjs';

const METRICS = JSON.parse(readFileSync(fixture('metrics.json'), 'utf8'));

/** The reference for `ps4w.pb` and so on; undefined where there is none. */
export const metricsOf = (file) => METRICS[file.replace(/\.pb$/, '')];

/** Files with nanoseconds are more exact than the reference, which has whole microseconds for starts and lengths. */
const NANOS_SLACK_US = 2;

export function assertMatches(summary, metrics, file) {
  const near = (ns, us, what) => {
    assert.ok(Math.abs(ns / 1000 - us) <= NANOS_SLACK_US, `${file}: ${what} is ${ns / 1000} us, want ${us} us`);
  };
  const shown = summary.ops;
  assert.equal(shown, metrics.ops, `${file}: ops`);
  near(summary.span_ns, metrics.step_us, 'step');
  near(summary.step.busy_ns, metrics.busy_us, 'busy');
  assert.equal(summary.devices.length, Object.keys(metrics.devices).length, `${file}: devices`);
  for (const device of summary.devices) {
    const want = metrics.devices[device.name];
    assert.ok(want, `${file}: device ${device.name} is not in the reference`);
    assert.equal(device.ops, want.ops, `${file}: ops of ${device.name}`);
    near(device.busy_ns, want.busy_us, `busy of ${device.name}`);
  }
}
