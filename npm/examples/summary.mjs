// node summary.mjs FILE...: how the step divides on every device, and what it waited for.
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { openTrace } from 'steplens';

// Files are read slice by slice: none is ever whole in memory.
const files = process.argv.slice(2).map((path) => ({ name: basename(path), bytes: createReadStream(path, { highWaterMark: 1 << 20 }) }));
const trace = await openTrace(files);
const { span_ns, ops, devices } = trace.summary();
console.log(`${(span_ns / 1e6).toFixed(1)} ms, ${ops} ops`);
for (const { name, compute_ns, exposed_communication_ns, idle_ns } of devices) {
  const shares = [compute_ns, exposed_communication_ns, idle_ns].map((part) => `${((part / span_ns) * 100).toFixed(0)} %`);
  console.log(`${name}: ${shares[0]} compute, ${shares[1]} exposed communication, ${shares[2]} idle`);
}
console.log(trace.criticalPath().sentence);
trace.free();
