// Answers of the core: SearchCounts.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.

export interface SearchCounts {
  query: string;
  regex: boolean;
  count: number;
  per_device: number[];
  problem: string | null;
}
