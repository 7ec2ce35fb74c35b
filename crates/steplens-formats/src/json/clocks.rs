//! `steplens.clocks/1`: how far the clocks of the tasks are apart.

use super::text;
use serde::Serialize;
use steplens_core::Study;
use steplens_core::analysis::clocks::{Clocks, TaskClock};

#[derive(Serialize)]
struct ClocksJson<'a> {
    schema: &'static str,
    /// Whose clock the others are compared with; null where there is no task.
    reference: Option<&'a str>,
    tasks: Vec<TaskJson<'a>>,
    /// How many tensors were received before they were made, as recorded and with the offsets subtracted.
    violations_before: u64,
    violations_after: u64,
}

#[derive(Serialize)]
struct TaskJson<'a> {
    task: &'a str,
    /// What to subtract from its timestamps; null where nothing bounds it from both sides.
    offset_ns: Option<i64>,
    low_ns: Option<i64>,
    high_ns: Option<i64>,
    transfers: u64,
    /// Why the offset is not known: `unconnected` or `one-way`; null where it is.
    unknown_because: Option<&'static str>,
}

/// Why the offset of a clock is not known.
pub fn unknown_because(clock: &TaskClock) -> Option<&'static str> {
    match (clock.low, clock.high) {
        (Some(_), Some(_)) => None,
        (None, None) => Some("unconnected"),
        _ => Some("one-way"),
    }
}

/// The clocks of `study`.
pub fn clocks(study: &Study, clocks: &Clocks) -> String {
    let name = |task| study.trace.text(task);
    let task = |clock: &TaskClock| TaskJson {
        task: name(clock.task),
        offset_ns: clock.offset.map(|offset| offset.0),
        low_ns: clock.low.map(|low| low.0),
        high_ns: clock.high.map(|high| high.0),
        transfers: clock.transfers,
        unknown_because: unknown_because(clock),
    };
    text(&ClocksJson {
        schema: "steplens.clocks/1",
        reference: clocks.reference.map(name),
        tasks: clocks.tasks.iter().map(task).collect(),
        violations_before: clocks.violations_before,
        violations_after: clocks.violations_after,
    })
}
