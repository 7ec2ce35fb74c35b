// What crosses between the page and the core: the shapes of every request and answer, by subject.
//
// The Rust side of this contract is crates/steplens-wasm/src/session.rs and crates/steplens-formats/src/json/.
// Times are numbers of nanoseconds from the trace's origin (exact in a double for 104 days); ids are u32 indices.
// Nothing here is a view into wasm memory: typed arrays are copies that the worker transfers.

export type { Ns } from '../base/time';
export * from './contract/clocks';
export * from './contract/doctor';
export * from './contract/engine';
export * from './contract/ids';
export * from './contract/network';
export * from './contract/op';
export * from './contract/opening';
export * from './contract/ops';
export * from './contract/picture';
export * from './contract/range';
export * from './contract/split';
export * from './contract/steps';
export * from './contract/summary';
export * from './contract/transfers';
