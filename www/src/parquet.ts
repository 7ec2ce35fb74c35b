// The script with Parquet's own module, which the hosted worker loads for each file: it runs anew, and so has a new memory.
import { initSync, ParquetZip } from 'steplens-parquet-wasm';
import type { Packer } from './engine/worker/packer';

declare global {
  var steplens_parquet: ((module: WebAssembly.Module) => Packer) | undefined;
}

globalThis.steplens_parquet = (module) => {
  initSync({ module });
  return new ParquetZip() as Packer;
};
