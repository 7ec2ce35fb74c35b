//! Why one op started when it did: what it waited for, and what ran instead.

use super::moments::MomentsRow;
use crate::{OpRef, text};
use serde::Serialize;
use steplens_core::causality::edge_kind::EdgeKind;
use steplens_core::causality::observed::{Observed, Segment};
use steplens_core::scheduling::RunBy;
use steplens_core::scheduling::late::{Late, Where};
use steplens_core::scheduling::moments::Moments;
use steplens_core::{OpId, Study};

/// The most ops that ran instead and are listed.
const MOST: usize = 20;

/// Why an op started when it did.
#[derive(Serialize)]
struct WhyPage {
    op: u32,
    /// What it waited for last, and the kind of edge. `thread` means that there is no recorded dependency, and that the op before
    /// on the thread made it ready.
    cause: Option<OpRef>,
    cause_kind: Option<&'static str>,
    /// The segments from the end of that (without it, from the start of the step) until the op began. They tile that time.
    waits: Vec<WaitRow>,
    /// When it began, without waiting; null if it has no self time.
    began_ns: Option<i64>,
    /// The op before it on its thread, if that ended after this op was scheduled.
    behind: Option<OpRef>,
    /// How much longer it could run before the static path gets longer.
    slack_ns: Option<i64>,
    /// Whether the observed path leads through it, and whether the static path does.
    on_path: bool,
    on_static_path: bool,
    #[serde(flatten)]
    moments: MomentsRow,
    /// How long after its scheduling its last input ended, according to the records.
    contradiction_ns: Option<i64>,
    /// How long it could have run and did not: from its scheduling; for ops that nothing schedules, from what they waited for last.
    queued_ns: i64,
    /// The ops that ran instead: first those on its own thread, stream or link, then all others; each group has the longest first;
    /// at most 20.
    instead: Vec<InsteadRow>,
    /// The number of all ops that ran instead.
    instead_count: u64,
    /// How many of these ran on its own thread, stream or link.
    instead_own_count: u64,
    /// How much of that time its own thread, stream or link was at work.
    own_busy_ns: i64,
    /// How much of that time any of these ops ran.
    busy_ns: i64,
    /// Whether its thread is inferred.
    is_inferred: bool,
    /// The last op of its batch (scheduled together with it) that had ended when it started.
    mate: Option<OpRef>,
}

/// A segment of a wait, with the words of the observed path.
#[derive(Serialize)]
struct WaitRow {
    kind: &'static str,
    start_ns: i64,
    end_ns: i64,
}

/// An op that ran instead.
#[derive(Serialize)]
struct InsteadRow {
    op: OpRef,
    /// `thread`, `stream` or `link`: on that of the op itself; `device`: on another thread of its device; `shared`: on a device
    /// that shares its threads.
    place: &'static str,
    /// How long it ran in that time.
    length_ns: i64,
}

fn wait_row(segment: &Segment) -> WaitRow {
    WaitRow { kind: segment.kind.word(), start_ns: segment.interval.start.0, end_ns: segment.interval.end.0 }
}

/// Why `op` started when it did.
pub fn why(study: &Study, op: OpId) -> String {
    let (trace, causes) = (study.trace(), study.causes());
    let graph = &causes.graph;
    // For an op that others interrupted, its first piece.
    let node = graph.nodes.first_of(trace, op);
    let (last, waits) = node.map(|node| Observed::wait_of(study.edges(), graph, node)).unwrap_or_default();
    let leads_here = |&(from, to, _): &(OpId, OpId, EdgeKind)| from == op || to == op;
    let is_own = |segment: &Segment| segment.op == op;
    let moments = Moments::of(study.edges(), causes, op);
    let waited = |before: &OpId| moments.scheduled.is_some_and(|at| trace.ops().end(*before) > at);
    let late = Late::found(study.edges(), causes, op).unwrap_or_default();
    let own = late.instead.iter().filter(|own| own.place <= Where::Link);
    let run_by = RunBy::of(trace, study.transfers(), op);
    text(&WhyPage {
        op: op.get(),
        cause: last.map(|(from, _)| OpRef::of(study, graph.nodes.op(from))),
        cause_kind: last.map(|(_, kind)| kind.word()),
        waits: waits.iter().map(wait_row).collect(),
        began_ns: node.map(|node| graph.nodes.interval(node).start.0),
        on_path: causes.observed.steps.iter().any(leads_here)
            || causes.observed.segments.last().is_some_and(is_own),
        on_static_path: causes.floor.path.iter().any(|&node| graph.nodes.op(node) == op),
        behind: graph.threads.before(op).filter(waited).map(|before| OpRef::of(study, before)),
        slack_ns: causes.floor.slack_of(graph, op).map(|slack| slack.0),
        moments: MomentsRow::of(study, op, run_by),
        contradiction_ns: moments.contradiction().map(|late| late.0),
        instead_count: late.instead.len() as u64,
        instead_own_count: own.count() as u64,
        own_busy_ns: late.own_busy.0,
        busy_ns: late.busy.0,
        queued_ns: late.queue.length().0,
        instead: late
            .instead
            .iter()
            .take(MOST)
            .map(|own| InsteadRow {
                op: OpRef::of(study, own.op),
                place: own.place.word(),
                length_ns: own.length.0,
            })
            .collect(),
        is_inferred: run_by == RunBy::Executor && !graph.threads.is_recorded(op),
        mate: graph.threads.mate(op).map(|mate| OpRef::of(study, mate)),
    })
}
