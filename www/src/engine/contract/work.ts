// Answers of the core: WorkFigures.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.

/** What ops calculate and move, of those of which it is known: recorded, or by the shapes of their tensors. */
export interface WorkFigures {
  /** Their floating-point operations; null if those of none are known. */
  flops: number | null;
  /** Of these in a second, while they ran; for what launches kernels, while these ran. Null if nothing says how long that took. */
  flops_per_second: number | null;
  /** That rate, in millionths of the most that the trace’s accelerators calculate; null where no profiler says that most, or not one for all. */
  flops_of_peak_ppm: number | null;
  /** What they must read and write at least; null if that of none is known. */
  moved_bytes: number | null;
  /** Of these in a second, like `flops_per_second`. */
  moved_bytes_per_second: number | null;
  /** The part of their time, in millionths, that is of ops with any of these figures; null if it is none. */
  work_known_ppm: number | null;
}
