// The fields of a view's address, in the order in which they are written.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.

export const FIELDS = {
  /** Numbers; holds for these files, whatever is shown of them. */
  files: 'k',
  /** Words; holds for a part of the files, too. */
  step_rule: 'steps',
  /** Numbers; holds for these files, whatever is shown of them. */
  step: 'step',
  /** Words; holds for a part of the files, too. */
  op_time: 'time',
  /** Words, and names of tasks; holds for a part of the files, too. */
  clocks: 'clocks',
  /** Words; holds for a part of the files, too. */
  repairs: 'fix',
  /** Patterns; holds for a part of the files, too. */
  communication: 'com',
  /** Numbers; holds as long as the same is shown. */
  window: 'w',
  /** Numbers; holds as long as the same is shown. */
  scroll_y: 'y',
  /** Numbers; holds for these files, whatever is shown of them. */
  lane_size: 'l',
  /** Numbers; holds as long as the same is shown. */
  order: 'order',
  /** Numbers; holds as long as the same is shown. */
  hidden: 'hide',
  /** Numbers; holds as long as the same is shown. */
  pinned: 'pin',
  /** Numbers; holds as long as the same is shown. */
  folded: 'fold',
  /** Numbers; holds as long as the same is shown. */
  tall: 'tall',
  /** Numbers; holds as long as the same is shown. */
  opened: 'open',
  /** A text of the user; holds for these files, whatever is shown of them. */
  filter: 'f',
  /** Words; holds for these files, whatever is shown of them. */
  arranged_by: 'by',
  /** Words; holds for these files, whatever is shown of them. */
  color_by: 'color',
  /** Numbers; holds as long as the same is shown. */
  op: 'op',
  /** Numbers; holds as long as the same is shown. */
  range: 'r',
  /** Numbers; holds as long as the same is shown. */
  range_lanes: 'rl',
  /** Words; holds for these files, whatever is shown of them. */
  wall_clock: 't',
  /** A text of the user; holds for these files, whatever is shown of them. */
  query: 'q',
  /** A text of the user; holds for these files, whatever is shown of them. */
  expression: 'rx',
  /** Times, each with a text of the user; holds for these files, whatever is shown of them. */
  notes: 'n',
  /** Words; holds for these files, whatever is shown of them. */
  tab: 'tab',
  /** Words; holds for these files, whatever is shown of them. */
  network_section: 'net',
  /** Patterns; holds for these files, whatever is shown of them. */
  changes: 'if',
  /** The name of a file; holds for these files, whatever is shown of them. */
  other: 'b',
  /** Numbers; holds for these files, whatever is shown of them. */
  other_step: 'bstep',
  /** Words; holds for these files, whatever is shown of them. */
  widths: 'bwidth',
  /** Numbers; holds as long as the same is shown. */
  mirror_window: 'bw',
  /** Numbers; holds as long as the same is shown. */
  aligned: 'bop',
} as const;

/** Stands between fields. */
export const BETWEEN_FIELDS = '&';

/** Stands between a name and its value. */
export const BEFORE_VALUE = '=';

/** Stands between the parts of a value. It is never escaped. */
export const BETWEEN_PARTS = ',';

/** Stands between notes. */
export const BETWEEN_NOTES = ';';

/** Stands between patterns. Alone it says that there is none. */
export const BETWEEN_PATTERNS = '\n';

/** How the text of a note writes what means something between notes, in the order in which it is replaced. */
export const IN_A_NOTE = [
  ['~', '~0'],
  [';', '~1'],
] as const;
