// What TensorFlow and tensorflow-tracer say about the fixtures.

import { readFileSync } from 'node:fs';
import { fixture } from './site.mjs';

const METRICS = JSON.parse(readFileSync(fixture('metrics.json'), 'utf8'));

/** The reference for `ps4w.pb` and so on; undefined where there is none. */
export const metricsOf = (file) => METRICS[file.replace(/\.pb$/, '')];
