// What crosses between the page and the core, by subject.
//
// `contract/` is made from the Rust types of all JSON answers (crates/steplens-report/src/) and cannot differ from them;
// `requests/` is written by hand: what is asked, and answers that are typed arrays (crates/steplens-wasm/src/session/).
// Times are numbers of nanoseconds from the trace's origin (exact in a double for 104 days); ids are u32 indices.
// Nothing here is a view into wasm memory: typed arrays are copies that the worker transfers.

export type { Ns } from '../base/time';
export * from './ids';
export * from './contract/clock_note';
export * from './contract/clocks';
export * from './contract/colors';
export * from './contract/doctor';
export * from './contract/flow';
export * from './contract/found';
export * from './contract/findings';
export * from './contract/lanes';
export * from './contract/listed';
export * from './contract/memory';
export * from './contract/memory_alive';
export * from './contract/memory_boxes';
export * from './contract/memory_why';
export * from './contract/network';
export * from './contract/network_collectives';
export * from './contract/network_devices';
export * from './contract/network_links';
export * from './contract/network_order';
export * from './contract/network_stragglers';
export * from './contract/network_tracer';
export * from './contract/network_waits';
export * from './contract/op_arguments';
export * from './contract/op_details';
export * from './contract/op_ref';
export * from './contract/op_table';
export * from './contract/op_types';
export * from './contract/path';
export * from './contract/path_over_steps';
export * from './contract/path_parts';
export * from './contract/range';
export * from './contract/redaction';
export * from './contract/save_formats';
export * from './contract/scheduling';
export * from './contract/scheduling_moments';
export * from './contract/search';
export * from './contract/steps';
export * from './contract/summary';
export * from './contract/totals';
export * from './contract/transfer_table';
export * from './contract/transfers';
export * from './contract/why';
export * from './contract/what_if';
export * from './contract/what_if_mirrored';
export * from './contract/what_if_page';
export * from './contract/what_if_table';
export * from './contract/words';
export * from './requests/core';
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
