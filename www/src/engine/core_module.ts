// The core as a compiled module. A hosted worker loads it itself; the single file unpacks it, once, and hands it to its workers.
import { say } from '../base/messages';
import { EngineError, errorBody } from './errors';

/** The only type of a response that browsers compile while it arrives. */
const WASM_TYPE = 'application/wasm';

/** Loads the core from `url`. */
export async function loaded(url: string): Promise<WebAssembly.Module> {
  let got;
  try {
    const response = await fetch(url);
    if (response.ok) return await compiled(response);
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
