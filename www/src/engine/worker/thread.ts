// What all of the worker's parts do: speak to the page, let messages be heard, and say why the module stopped.
import { say } from '../../base/messages';
import type { FromWorker } from '../from_worker';

declare const self: DedicatedWorkerGlobalScope;

export function post(message: FromWorker, transfer: Transferable[] = []): void {
  self.postMessage(message, transfer);
}

/** Lets messages that have arrived be heard. Timers would wait four milliseconds each. */
export function nextTurn(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

/** A trap of the module says nothing about why. In practice memory ran out, which is at most 4 GiB for wasm. */
export function guarded<T>(call: () => T, doing: string | (() => string)): T {
  try {
    return call();
  } catch (thrown) {
    if (!(thrown instanceof WebAssembly.RuntimeError)) throw thrown;
    throw {
      code: 'out-of-memory',
      message: say('error-out-of-memory', { doing: typeof doing === 'string' ? doing : doing(), why: thrown.message }),
    };
  }
}
