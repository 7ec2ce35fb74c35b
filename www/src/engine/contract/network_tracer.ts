// Answers of the core: TracerFigures.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.

/** The figures in microseconds, as tensorflow-tracer counts. */
export interface TracerFigures {
  step_time_us: number;
  communication_time_us: number;
  communication_elapsed_time_us: number;
}
