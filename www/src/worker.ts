// Starts the engine in its worker.
import { say } from './base/messages';
import { loaded } from './engine/core_module';
import { Arriving } from './engine/counted';
import { EngineError, errorBody } from './engine/errors';
import type { Packer } from './engine/worker/packer';
import { serveWorker } from './engine/worker/serve';
import { isUnpacker, startUnpacker } from './engine/worker/unpacking';
import { firstPicture, type PageSetup } from './state/opened/first_picture';

/** The core. */
declare const CORE_FILE: string;
/** How long it is. */
declare const CORE_BYTES: number;
/** The module that packs Parquet, and its script. */
declare const PARQUET_CORE: string;
declare const PARQUET_FILE: string;
declare const self: DedicatedWorkerGlobalScope;

const urlOf = (file: string): string => new URL(file, location.href).href;

/** In the single file: the page sends the core. */
export function startWorker(): void {
  if (isUnpacker()) return startUnpacker();
  serveWorker((core, whole, setup) => firstPicture(core, whole, setup as PageSetup), null, null);
}

/** Hosted: the worker loads the core itself, whatever keeps the page busy. */
export function startHostedWorker(): void {
  if (isUnpacker()) return startUnpacker();
  const arriving = new Arriving(CORE_BYTES);
  const core = loaded(urlOf(CORE_FILE), arriving);
  serveWorker((core, whole, setup) => firstPicture(core, whole, setup as PageSetup), core, parquetPacker, arriving);
}

async function parquetPacker(): Promise<Packer> {
  const module = await loaded(urlOf(PARQUET_CORE));
  const url = urlOf(PARQUET_FILE);
  const incomplete = (got: string) => new EngineError({ code: 'page-incomplete', message: say('error-no-core', { url, got }) });
  try {
    self.importScripts(url);
  } catch (thrown) {
    throw incomplete(errorBody(thrown).message);
  }
  if (!globalThis.steplens_parquet) throw incomplete('');
  return globalThis.steplens_parquet(module);
}
