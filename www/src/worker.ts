// Starts the engine in its worker.
import { loaded } from './engine/core_module';
import { serveWorker } from './engine/worker';
import { firstPicture, type Wish } from './state/opened/first_picture';

/** In the single file: the page sends the core. */
export function startWorker(): void {
  serveWorker((core, whole, wish) => firstPicture(core, whole, wish as Wish), null);
}

/** Hosted: the worker loads the core itself, whatever keeps the page busy. */
export function startHostedWorker(): void {
  serveWorker((core, whole, wish) => firstPicture(core, whole, wish as Wish), loaded(new URL('steplens.wasm', location.href).href));
}
