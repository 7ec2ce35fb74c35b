// What packs the rows of tables that the core gives, in a module with a memory of its own.

export interface Packer {
  /** Takes whole rows; gives what is packed by now. */
  push(rows: Uint8Array): Uint8Array<ArrayBuffer>;
  /** Gives the rest. */
  finish(): Uint8Array<ArrayBuffer>;
  free(): void;
}

export type LoadPacker = () => Promise<Packer>;
