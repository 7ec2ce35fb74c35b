// How traces are called: the names by which they are found in a folder. Whether a file is one, who reads it finds out.
//
// `crates/steplens-host/src/live/traces.rs` has the same list for folders that are served.

const NAME = /.\.(?:pb|pbtxt|json|timeline|profile|pickle|steplens|trace)(?:\.gz|\.zst)?$|\.tfevents\./i;

export const isCalledLikeTrace = (name: string): boolean => !name.startsWith('.') && NAME.test(name);

/** The most traces that are listed, and the most folders that are searched. */
export const MOST_TRACES = 10_000;
