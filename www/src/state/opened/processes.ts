// What the user calls the processes that files are of: naming one opens the files again.
import { say } from '../../base/messages';
import { attempt } from '../failures';
import { newTraceId, openQuietly } from './open';
import type { Context } from '../state';
import type { OpenTrace } from '../types';

/** TensorFlow calls a process of no cluster so. */
const LOCAL = /^\/job:localhost\b/;

/** Whether names would add anything: devices of a cluster have theirs, and a session keeps what it was written with. */
export const canNameProcesses = ({ whole, sources }: OpenTrace): boolean =>
  whole.files.every(({ format }) => !format.startsWith('session')) &&
  (sources.some(({ process }) => process) || whole.devices.some(({ task }) => task === null || LOCAL.test(task)));

export function nameProcess(context: Context, file: number, name: string): void {
  const { trace } = context.state;
  if (!trace || (trace.sources[file]?.process ?? '') === name) return;
  const sources = trace.sources.map((source, at) => (at === file ? { ...source, process: name === '' ? undefined : name } : source));
  attempt(context, say('not-opened'), openQuietly(context, sources, { options: trace.options, id: newTraceId() }));
}
