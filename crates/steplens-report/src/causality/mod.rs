//! `steplens.critical-path/1`: what the step waited for, moment by moment, and what dependencies alone allow.

mod csv;
mod over_steps;
mod page;
mod parts;
mod sentence;

pub use csv::write_csv;
pub use over_steps::{KindRow, OnPathRow, PathOverSteps, StepPathRow};
pub use page::path;
pub use parts::PartRow;
pub use sentence::{bind_words, category_words, edge_words, sentence};

use crate::clocks::ClockNote;
use crate::text;
use parts::part_of;
use serde::Serialize;
use steplens_core::causality::Causes;
use steplens_core::causality::edge_kind::EdgeKind;
use steplens_core::causality::observed::{Segment, SegmentKind};
use steplens_core::causality::sums::{self, bounds, scope_of};
use steplens_core::{Nanos, OpId, Study};
use steplens_messages::sentences;

/// Both paths of a step, and what follows from them.
#[derive(Serialize)]
pub struct CriticalPath<'a> {
    schema: &'static str,
    /// What binds the step, for people.
    pub sentence: String,
    /// Why times of its tasks cannot be compared. Then both paths are empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clocks: Option<ClockNote>,
    /// How long the observed path is: the span of the step.
    pub length_ns: i64,
    /// How much of it has no recorded cause.
    pub unexplained_ns: i64,
    /// The observed path, from the step's start to its end; they tile it.
    pub segments: Vec<SegmentRow<'a>>,
    /// The observed path summed: by category, by what binds, by op type, by name scope, by device; the longest first.
    pub by_category: Vec<PartRow<'a>>,
    /// By what binds.
    pub by_bound: Vec<PartRow<'a>>,
    /// By op type.
    pub by_op_type: Vec<PartRow<'a>>,
    /// By name scope.
    pub by_scope: Vec<PartRow<'a>>,
    /// By device.
    pub by_device: Vec<PartRow<'a>>,
    /// The longest path by dependencies alone.
    #[serde(rename = "static")]
    pub floor: StaticPath<'a>,
    /// What it is all computed from.
    pub graph: GraphRow<'a>,
    /// By executor device: how far threads could be inferred.
    pub threads: Vec<ThreadRow<'a>>,
    /// By row of `steplens ops --json`: how much longer the op could last before the static path gets longer; null for what is no node of
    /// the graph.
    pub slack: Vec<Option<i64>>,
}

/// A stretch of the observed path.
#[derive(Serialize)]
pub struct SegmentRow<'a> {
    /// What ran, or did not run yet; of a transfer its tensor.
    pub op: &'a str,
    /// Its row in `steplens ops --json`.
    pub op_row: u32,
    /// Its device.
    pub device: &'a str,
    /// What the moment was.
    pub category: &'static str,
    /// From when.
    pub start_ns: i64,
    /// Until when.
    pub end_ns: i64,
    /// Of an op that was queued behind others the last of them, and how many they were.
    pub behind: Option<&'a str>,
    /// How many ran before it.
    pub behind_count: Option<u32>,
}

/// The static path.
#[derive(Serialize)]
pub struct StaticPath<'a> {
    /// How long they are together.
    pub length_ns: i64,
    /// What it consists of, in order: without waiting, so that they do not touch.
    pub segments: Vec<SegmentRow<'a>>,
    /// How many ops have at most a hundredth of the step as slack.
    pub near: usize,
    /// The path with most time outside of this one: how long it is, and how much of that.
    pub next_length_ns: i64,
    /// How much of that the first path does not have.
    pub next_outside_ns: i64,
}

/// The execution graph in figures.
#[derive(Serialize)]
pub struct GraphRow<'a> {
    /// How many nodes it has.
    pub nodes: usize,
    /// How many edges.
    pub edges: usize,
    /// How many edges each kind has.
    pub by_kind: Vec<EdgeRow>,
    /// Dependencies whose cause ended after its effect began: how many, by how much the worst, and which.
    pub backward: u64,
    /// By how much the worst runs back.
    pub backward_largest_ns: i64,
    /// The cause of that one.
    pub backward_from: Option<&'a str>,
    /// Its effect.
    pub backward_to: Option<&'a str>,
    /// Edges that closed a circle, and so count for nothing.
    pub cut: u64,
    /// Ops that have no edges, because others have too many inputs.
    pub ops_without: u64,
}

/// How many edges a kind has.
#[derive(Serialize)]
pub struct EdgeRow {
    /// The kind.
    pub kind: &'static str,
    /// How many.
    pub count: u64,
}

/// How far the rule of the executor's rows holds on a device.
#[derive(Serialize)]
pub struct ThreadRow<'a> {
    /// Its device.
    pub device: &'a str,
    /// Pairs of neighbours that were scheduled in one microsecond, and how many of these ran strictly one after the other.
    pub neighbours: u64,
    /// How many of these ran strictly one after the other.
    pub in_a_row: u64,
    /// How many threads its ops are on: of inferred ones, so many as it takes to run what ran at the same time.
    pub threads: u32,
    /// Whether the thread of any op is inferred; else all were recorded.
    pub inferred: bool,
    /// How many ops ran on threads, and of how many of them the thread was recorded.
    pub ops: u64,
    /// Of how many of these the thread was recorded.
    pub recorded: u64,
}

/// `steplens.critical-path/1`.
pub fn json(study: &Study) -> String {
    text(&CriticalPath::of(study))
}

impl<'a> CriticalPath<'a> {
    /// Of what `study` looks at.
    pub fn of(study: &'a Study) -> Self {
        let mut all = Self::of_recorded(study);
        if let Some(note) = ClockNote::of(study) {
            all.withhold(note);
        }
        all
    }

    /// Leaves out what follows from one task's times to another's.
    fn withhold(&mut self, note: ClockNote) {
        self.sentence = sentences([&note.first(), &note.withheld]);
        self.clocks = Some(note);
        self.unexplained_ns = 0;
        self.segments = Vec::new();
        let sums = [&mut self.by_category, &mut self.by_bound, &mut self.by_op_type, &mut self.by_scope];
        sums.into_iter().chain([&mut self.by_device]).for_each(Vec::clear);
        self.floor =
            StaticPath { length_ns: 0, segments: Vec::new(), near: 0, next_length_ns: 0, next_outside_ns: 0 };
        self.slack.fill(None);
    }

    /// The same, whatever is known of the clocks.
    fn of_recorded(study: &'a Study) -> Self {
        let (trace, causes) = (study.trace(), study.causes());
        let segments = &causes.observed.segments;
        let nodes = trace.nodes();
        let node = |segment: &Segment| trace.ops().node(segment.op);
        let by_kind = sums::by_key(segments, |segment| segment.kind);
        let by_text = |key: &dyn Fn(&Segment) -> &'a str| -> Vec<PartRow<'a>> {
            sums::by_key(segments, key).iter().map(|sum| part_of(study, sum.key, sum)).collect()
        };
        let floor = &causes.floor;
        let static_rows = sums::static_path(causes).map(|(op, interval)| {
            let kind = SegmentKind::of_op(trace.category(op));
            row(study, Segment { op, kind, interval, behind: None })
        });
        Self {
            schema: "steplens.critical-path/1",
            sentence: sentence(study),
            clocks: None,
            length_ns: causes.observed.length().0,
            unexplained_ns: causes.observed.unexplained().0,
            segments: segments.iter().map(|&segment| row(study, segment)).collect(),
            by_category: by_kind.iter().map(|sum| part_of(study, sum.key.word(), sum)).collect(),
            by_bound: bounds(causes)
                .into_iter()
                .filter(|(_, length)| length.0 > 0)
                .map(|(bound, length)| PartRow {
                    key: bound.word(),
                    length_ns: length.0,
                    segments: segments.iter().filter(|own| sums::Bound::of(own.kind) == bound).count() as u32,
                    longest: None,
                    longest_ns: 0,
                })
                .collect(),
            by_op_type: by_text(&|segment| trace.text(nodes.op_type(node(segment)))),
            by_scope: by_text(&|segment| scope_of(study.title(segment.op))),
            by_device: by_text(&|segment| trace.text(trace.devices().get(trace.device_of(segment.op)).name)),
            floor: StaticPath {
                length_ns: floor.length.0,
                segments: static_rows.collect(),
                near: floor.within(&causes.graph, near(causes)),
                next_length_ns: floor.next.length.0,
                next_outside_ns: floor.next.outside.0,
            },
            graph: graph(study, causes),
            threads: threads(study, causes),
            slack: trace.ops().ids().take(trace.counted_ops()).map(|op| slack(causes, op)).collect(),
        }
    }

    /// As one text.
    pub fn to_text(&self) -> String {
        text(self)
    }
}

/// A hundredth of the step.
fn near(causes: &Causes) -> Nanos {
    Nanos(causes.observed.length().0 / 100)
}

fn slack(causes: &Causes, op: OpId) -> Option<i64> {
    causes.floor.slack_of(&causes.graph, op).map(|slack| slack.0)
}

fn row(study: &Study, segment: Segment) -> SegmentRow<'_> {
    let trace = study.trace();
    SegmentRow {
        op: study.title(segment.op),
        op_row: segment.op.get(),
        device: trace.text(trace.devices().get(trace.device_of(segment.op)).name),
        category: segment.kind.word(),
        start_ns: segment.interval.start.0,
        end_ns: segment.interval.end.0,
        behind: segment.behind.map(|(op, _)| study.title(op)),
        behind_count: segment.behind.map(|(_, count)| count),
    }
}

fn graph<'a>(study: &'a Study, causes: &Causes) -> GraphRow<'a> {
    let graph = &causes.graph;
    let counts = EdgeKind::ALL.into_iter().zip(graph.kinds());
    let worst = graph.repaired.worst;
    GraphRow {
        nodes: graph.nodes.len(),
        edges: graph.edge_count(),
        by_kind: counts
            .filter(|&(_, count)| count > 0)
            .map(|(kind, count)| EdgeRow { kind: kind.word(), count })
            .collect(),
        backward: graph.repaired.count,
        backward_largest_ns: graph.repaired.largest.0,
        backward_from: worst.map(|(from, _)| study.title(from)),
        backward_to: worst.map(|(_, to)| study.title(to)),
        cut: graph.cut,
        ops_without: graph.ops_without,
    }
}

fn threads<'a>(study: &'a Study, causes: &Causes) -> Vec<ThreadRow<'a>> {
    let trace = study.trace();
    let rules = causes.graph.threads.rules.iter();
    let row = |rule: &steplens_core::causality::threads::Rule| ThreadRow {
        device: trace.text(trace.devices().get(rule.device).name),
        neighbours: rule.neighbours,
        in_a_row: rule.in_a_row,
        threads: rule.threads,
        inferred: rule.is_inferred(),
        ops: rule.ops,
        recorded: rule.recorded,
    };
    rules.map(row).collect()
}
