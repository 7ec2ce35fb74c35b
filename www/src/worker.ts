// Starts the engine in its worker.
import { loaded } from './engine/core_module';
import { serveWorker } from './engine/worker';
import { firstPicture, type PageSetup } from './state/opened/first_picture';

/** In the single file: the page sends the core. */
export function startWorker(): void {
  serveWorker((core, whole, setup) => firstPicture(core, whole, setup as PageSetup), null);
}

/** Hosted: the worker loads the core itself, whatever keeps the page busy. */
export function startHostedWorker(): void {
  serveWorker((core, whole, setup) => firstPicture(core, whole, setup as PageSetup), loaded(new URL('steplens.wasm', location.href).href));
}
