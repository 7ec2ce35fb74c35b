// Starts the engine in its worker.
import { loaded } from './engine/core_module';
import { serveWorker } from './engine/worker/serve';
import { firstPicture, type PageSetup } from './state/opened/first_picture';

/** The file with the later part of the core. */
declare const LATER_CORE: string;

const urlOf = (file: string): string => new URL(file, location.href).href;

/** In the single file: the page sends the core, which is whole. */
export function startWorker(): void {
  serveWorker((core, whole, setup) => firstPicture(core, whole, setup as PageSetup), null, null);
}

/** Hosted: the worker loads the core itself, whatever keeps the page busy. */
export function startHostedWorker(): void {
  serveWorker(
    (core, whole, setup) => firstPicture(core, whole, setup as PageSetup),
    loaded(urlOf('steplens.wasm')),
    () => loaded(urlOf(LATER_CORE)),
  );
}
