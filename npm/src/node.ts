// The package in Node: the core is read from the package.
import { readFile } from 'node:fs/promises';
import { openWith, versionWith, type OpenOptions, type Trace, type TraceFile } from './core.js';

export { SteplensError, Trace, type Answers, type Bytes, type OpenOptions, type TraceFile, type View } from './core.js';
export type { OpColumns } from './columns.js';
export type { Exact } from './integers.js';
export type * from './answers.js';

let core: Promise<WebAssembly.Module> | null = null;
let address: string | URL = new URL('./steplens.wasm', import.meta.url);

/** Where `steplens.wasm` of this package is, if not there: call it before anything else. */
export function setCore(url: string | URL): void {
  address = url;
  core = null;
}

const loaded = (): Promise<WebAssembly.Module> => (core ??= readFile(address).then((bytes) => WebAssembly.compile(bytes)));

export const openTrace = (files: TraceFile | readonly TraceFile[], options?: OpenOptions): Promise<Trace> =>
  openWith(loaded(), files, options);

/** The version of Steplens. */
export const version = (): Promise<string> => versionWith(loaded());
