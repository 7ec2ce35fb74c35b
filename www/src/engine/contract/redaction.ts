// Answers of the core: RedactionShown, KindJson and ExampleJson.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.

/** For each kind of text, what a shared file would contain. */
export interface RedactionShown {
  kinds: KindJson[];
}

/** The texts of one kind. */
export interface KindJson {
  /** The word for the kind: `names`, `hosts` and so on. */
  kind: string;
  /** The number of different texts. */
  count: number;
  /** Some of the texts. */
  examples: ExampleJson[];
}

/** A text, and its replacement. */
export interface ExampleJson {
  before: string;
  after: string;
}
