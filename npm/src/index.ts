// The package in browsers: the core is a file of the package, and is compiled while it arrives.
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

function loaded(): Promise<WebAssembly.Module> {
  core ??= fetch(address).then(async (response) => {
    if (!response.ok) throw new Error(`the core of steplens: ${String(address)} gave status ${response.status}`);
    const is_wasm = response.headers.get('Content-Type') === 'application/wasm';
    return is_wasm ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
  });
  // What failed may be tried again.
  core.catch(() => (core = null));
  return core;
}

export const openTrace = (files: TraceFile | readonly TraceFile[], options?: OpenOptions): Promise<Trace> =>
  openWith(loaded(), files, options);

/** The version of Steplens. */
export const version = (): Promise<string> => versionWith(loaded());
