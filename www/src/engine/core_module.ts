// The core as a compiled module. A hosted worker loads it itself; the single file unpacks it, once, and hands it to its workers.
import { say } from '../base/messages';
import { counted, type Arriving } from './counted';
import { EngineError, errorBody } from './errors';

/** The only type of a response that browsers compile while it arrives. */
const WASM_TYPE = 'application/wasm';

/**
 * Whether an earlier visit has kept this file. Then it is soon there, and the browser has kept compiled code for it, which it gives for
 * a response of its own only: none whose bytes were counted.
 */
const isKept = async (url: string): Promise<boolean> => !('caches' in globalThis) || (await caches.match(url)) !== undefined;

/** Loads the core from `url`; on a first visit `arriving` says how far it is. */
export async function loaded(url: string, arriving: Arriving | null = null): Promise<WebAssembly.Module> {
  let got;
  try {
    const [response, is_kept] = await Promise.all([fetch(url), arriving === null || isKept(url)]);
    if (response.ok) return await compiled(arriving === null || is_kept ? response : counted(response, arriving));
    got = say('got-status', { status: String(response.status) });
  } catch (thrown) {
    got = errorBody(thrown).message;
  }
  throw new EngineError({ code: 'page-incomplete', message: say('error-no-core', { url, got }) });
}

/** Compiles a response as it arrives, which is also what browsers keep compiled code for; or, where its type forbids that, whole. */
export async function compiled(response: Response): Promise<WebAssembly.Module> {
  // The type may have parameters, but browsers then refuse it.
  if ('compileStreaming' in WebAssembly && response.headers.get('Content-Type')?.toLowerCase() === WASM_TYPE)
    return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}
