// What crosses between the page and the core, by subject.
//
// `contract/` is made from the Rust types of all JSON answers (crates/steplens-report/src/) and cannot differ from them;
// `requests/` is written by hand: what is asked, and answers that are typed arrays (crates/steplens-wasm/src/page/session/).
// Times are numbers of nanoseconds from the trace's origin (exact in a double for 104 days); ids are u32 indices.
// Nothing here is a view into wasm memory: typed arrays are copies that the worker transfers.

export type { Ns } from '../base/time';
export * from './ids';
export * from './contract/index';
export * from './requests/compare';
export * from './requests/core';
export * from './requests/counters';
export * from './requests/fleet';
export * from './requests/memory';
export * from './requests/opening';
export * from './requests/ops';
export * from './requests/parts';
export * from './requests/picture';
export * from './requests/range';
export * from './requests/redaction';
export * from './requests/saving';
export * from './requests/traffic';
export * from './requests/transfers';
export * from './requests/view';
export * from './requests/watched';
