// Answers of the core: RedactionShown, KindJson and ExampleJson.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.

/** What a shared file would say of each kind of text. */
export interface RedactionShown {
  kinds: KindJson[];
}

/** The texts of one kind. */
export interface KindJson {
  /** Its word: `names`, `hosts` and so on. */
  kind: string;
  /** How many different ones there are. */
  count: number;
  /** Some of them. */
  examples: ExampleJson[];
}

/** A text, and what it becomes. */
export interface ExampleJson {
  before: string;
  after: string;
}
