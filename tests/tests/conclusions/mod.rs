//! What verdicts, paths, findings and advice say: one file a subject. Each case is made here, and its figures follow from its numbers; a few are
//! of real recordings.

mod ascend;
mod collectives;
mod copies;
mod dominant_work;
mod executors;
mod first_calls;
mod first_steps;
mod graphs;
mod horovod;
mod host_bound;
mod host_waits;
mod idle_gpus;
mod input;
mod keras;
mod kernels_by_kind;
mod late_ranks;
mod made;
mod memory;
mod names;
mod not_recorded;
mod odd_rows;
mod other_profilers;
mod pauses;
mod pipelines;
mod steps;
mod tensor_cores;
mod tracing;
mod training;
mod unmarked_steps;
mod verdicts;
mod xla;
