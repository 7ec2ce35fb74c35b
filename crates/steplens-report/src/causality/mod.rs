//! `steplens.critical-path/1`: what the step waited for, moment by moment, and the path that dependencies alone allow.

mod over_steps;
mod page;
mod parts;
mod sentence;

pub use over_steps::{KindRow, OnPathRow, PathOverSteps, StepPathRow};
pub use page::path;
pub use parts::PathPart;
pub use sentence::{bind_words, category_words, edge_words, sentence, spent_words};

use crate::clocks::ClockNote;
use crate::csv::sheet;
use crate::options::BadOption;
use crate::question::{NoSheet, Question, Shown};
use crate::text;
use parts::part_of;
use serde::{Deserialize, Serialize};
use std::io::{self, Write};
use steplens_core::causality::Causes;
use steplens_core::causality::edge_kind::EdgeKind;
use steplens_core::causality::observed::{Segment, SegmentKind};
use steplens_core::causality::spent::{Spending, Spent};
use steplens_core::causality::sums::{self, bounds, scope_of};
use steplens_core::{Nanos, OpId, Study, Trace};
use steplens_messages::{say, sentences};

/// What the step waited for, moment by moment, and what dependencies alone allow.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "program", derive(clap::Args))]
#[serde(default, deny_unknown_fields)]
pub struct Options {}

impl Question for Options {
    const NAME: &'static str = "critical-path";
    type Answer<'a> = CriticalPath<'a>;

    fn answer<'a>(&self, shown: &Shown<'a>) -> Result<Self::Answer<'a>, BadOption> {
        Ok(CriticalPath::of(shown.study))
    }

    fn write_csv(&self, shown: &Shown<'_>, out: &mut impl Write) -> Result<(), NoSheet> {
        Ok(write_csv(&self.answer(shown)?, out)?)
    }
}

/// One segment of the observed path per row.
fn write_csv(path: &CriticalPath<'_>, out: &mut impl Write) -> io::Result<()> {
    sheet!(out, segment in &path.segments, {
        op: segment.op,
        op_row: segment.op_row,
        device: segment.device,
        category: segment.category,
        start_ns: segment.start_ns,
        end_ns: segment.end_ns,
        behind: segment.behind,
        behind_count: segment.behind_count,
        frame: segment.frame,
        earlier_ns: segment.earlier_ns,
        held_ns: segment.held_ns,
        edge: segment.edge,
        inferred: segment.inferred,
    })
}

/// Both paths of a step, and what follows from them.
#[derive(Serialize)]
pub struct CriticalPath<'a> {
    schema: &'static str,
    /// What binds the step, as a sentence.
    pub sentence: String,
    /// Why times of its tasks cannot be compared. If it is not null, both paths are empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clocks: Option<ClockNote>,
    /// The length of the observed path: the span of the step.
    pub length_ns: i64,
    /// How much of it has no recorded cause.
    pub unexplained_ns: i64,
    /// The segments of the observed path, from the step's start to its end. They tile the step.
    pub segments: Vec<SegmentRow<'a>>,
    /// The observed path, summed by category. In this and the next five lists the longest sum comes first.
    pub by_category: Vec<PathPart<'a>>,
    /// The same, with what compute and waiting are, for people.
    #[serde(skip)]
    pub by_spent: Vec<(Spent, PathPart<'a>)>,
    /// The observed path, summed by what binds it.
    pub by_bound: Vec<PathPart<'a>>,
    /// The observed path, summed by op type.
    pub by_op_type: Vec<PathPart<'a>>,
    /// The observed path, summed by name scope.
    pub by_scope: Vec<PathPart<'a>>,
    /// The observed path, summed by device.
    pub by_device: Vec<PathPart<'a>>,
    /// The time in which Python ran between two ops, summed by the innermost Python frame; empty where no stack was recorded.
    pub by_frame: Vec<PathPart<'a>>,
    /// The longest path by dependencies alone.
    #[serde(rename = "static")]
    pub floor: StaticPath<'a>,
    /// Figures of the graph from which both paths are computed.
    pub graph: GraphRow<'a>,
    /// For each device of an executor, how well its threads could be inferred.
    pub threads: Vec<ThreadRow<'a>>,
    /// For each row of `steplens ops --json`: how much longer the op could run before the static path gets longer; null if the op
    /// is no node of the graph.
    pub slack: Vec<Option<i64>>,
}

/// A segment of the observed path.
#[derive(Serialize)]
pub struct SegmentRow<'a> {
    /// The op that ran, or that had not started yet; for a transfer its tensor.
    pub op: &'a str,
    /// The op's row in `steplens ops --json`.
    pub op_row: u32,
    /// The op's device.
    pub device: &'a str,
    /// What the time was spent on.
    pub category: &'static str,
    /// The same for people.
    #[serde(skip)]
    pub spent: Spent,
    /// The start.
    pub start_ns: i64,
    /// The end.
    pub end_ns: i64,
    /// For an op that was ready and waited for its thread or link: the op that held it last. The path goes there.
    pub behind: Option<&'a str>,
    /// The number of ops that ended there while it waited.
    pub behind_count: Option<u32>,
    /// How much earlier it could have run, if its thread, link or GPU had been free.
    pub earlier_ns: i64,
    /// For how much of this time a later op of the path was ready, and waited for its thread, link or GPU.
    pub held_ns: i64,
    /// By which edge the path leads to the op from the op before; null for the first one, and while an op waits.
    pub edge: Option<&'static str>,
    /// Whether that edge is inferred: nothing in the file says so.
    pub inferred: bool,
    /// For a time in which Python ran between two ops: the innermost Python frame, where the stack was recorded.
    pub frame: Option<&'a str>,
}

/// The static path.
#[derive(Serialize)]
pub struct StaticPath<'a> {
    /// The length of the path.
    pub length_ns: i64,
    /// The ops of the path, in order. Waiting is left out, so they do not touch.
    pub segments: Vec<SegmentRow<'a>>,
    /// The number of ops whose slack is at most a hundredth of the step.
    pub near: usize,
    /// The length of the next path: of all paths the one with the most time outside of this path.
    pub next_length_ns: i64,
    /// How much of the next path is outside of this path.
    pub next_outside_ns: i64,
}

/// Figures of the execution graph.
#[derive(Serialize)]
pub struct GraphRow<'a> {
    /// The number of nodes.
    pub nodes: usize,
    /// The number of edges.
    pub edges: usize,
    /// The number of edges of each kind.
    pub by_kind: Vec<EdgeRow>,
    /// The number of dependencies whose cause ended after its effect began.
    pub backward: u64,
    /// The longest time from the start of an effect to the end of its cause, of all pairs in which the cause ended later.
    pub backward_largest_ns: i64,
    /// The cause in that largest case.
    pub backward_from: Option<&'a str>,
    /// The effect in that largest case.
    pub backward_to: Option<&'a str>,
    /// The number of edges that were cut because they closed a circle.
    pub cut: u64,
    /// The number of ops without edges, because other ops have too many inputs.
    pub ops_without: u64,
}

/// The number of edges of one kind.
#[derive(Serialize)]
pub struct EdgeRow {
    /// The kind.
    pub kind: &'static str,
    /// The number of edges.
    pub count: u64,
    /// How many of them are inferred: nothing in the file says so.
    pub inferred: u64,
}

/// How well the rule for inferring the executor's threads holds on a device.
#[derive(Serialize)]
pub struct ThreadRow<'a> {
    /// The device.
    pub device: &'a str,
    /// The number of pairs of neighbours that were scheduled in the same microsecond.
    pub neighbours: u64,
    /// How many of these pairs ran strictly one after the other.
    pub in_a_row: u64,
    /// The number of threads of the device. Inferred threads are as many as the ops that ran at the same time need.
    pub threads: u32,
    /// Whether the thread of any op is inferred; otherwise all were recorded.
    pub inferred: bool,
    /// The number of ops that ran on threads.
    pub ops: u64,
    /// How many of these ops have a recorded thread.
    pub recorded: u64,
}

/// `steplens.critical-path/1`.
pub fn json(study: &Study) -> String {
    text(&CriticalPath::of(study))
}

impl<'a> CriticalPath<'a> {
    /// The paths of what `study` shows.
    pub fn of(study: &'a Study) -> Self {
        let mut all = Self::of_recorded(study);
        if let Some(note) = ClockNote::of(study) {
            all.withhold(note);
        }
        all
    }

    /// Removes everything that compares times of different tasks.
    fn withhold(&mut self, note: ClockNote) {
        self.sentence = sentences([&note.first(), &note.withheld]);
        self.clocks = Some(note);
        self.unexplained_ns = 0;
        self.segments = Vec::new();
        let sums = [&mut self.by_category, &mut self.by_bound, &mut self.by_op_type, &mut self.by_scope];
        self.by_spent.clear();
        sums.into_iter().chain([&mut self.by_device, &mut self.by_frame]).for_each(Vec::clear);
        self.floor =
            StaticPath { length_ns: 0, segments: Vec::new(), near: 0, next_length_ns: 0, next_outside_ns: 0 };
        self.slack.fill(None);
    }

    /// The paths, whatever is known about the clocks.
    fn of_recorded(study: &'a Study) -> Self {
        let (trace, causes) = (study.trace(), study.causes());
        let segments = &causes.observed.segments;
        let nodes = trace.nodes();
        let node = |segment: &Segment| trace.ops().node(segment.op);
        let by_kind = sums::by_key(segments, |segment| segment.kind);
        let spending = Spending::of(trace, false);
        let pieces = spending.on_path(trace, study.kernels(), segments);
        let by_spent = sums::by_given_key(pieces.into_iter());
        let row = |segment: Segment| row(study, &spending, segment);
        let by_text = |key: &dyn Fn(&Segment) -> &'a str| -> Vec<PathPart<'a>> {
            sums::by_key(segments, key).iter().map(|sum| part_of(study, sum.key, sum)).collect()
        };
        let floor = &causes.floor;
        let static_rows = sums::static_path(causes).map(|(op, interval)| {
            let kind = SegmentKind::of_op(trace.category(op));
            row(Segment::new(op, kind, interval))
        });
        Self {
            schema: "steplens.critical-path/1",
            sentence: sentence(study),
            clocks: None,
            length_ns: causes.observed.length().0,
            unexplained_ns: causes.observed.unexplained().0,
            segments: segments.iter().map(|&segment| row(segment)).collect(),
            by_category: by_kind.iter().map(|sum| part_of(study, sum.key.word(), sum)).collect(),
            by_spent: by_spent
                .iter()
                .map(|sum| (sum.key, part_of(study, sum.key.kind().word(), sum)))
                .collect(),
            by_bound: bounds(trace, causes)
                .into_iter()
                .filter(|(_, length)| length.0 > 0)
                .map(|(bound, length)| PathPart {
                    key: bound.word(),
                    length_ns: length.0,
                    segments: segments.iter().filter(|own| counts_for(trace, own, bound)).count() as u32,
                    longest: None,
                    longest_ns: 0,
                })
                .collect(),
            by_op_type: by_text(&|segment| match segment.kind {
                // The op had not begun.
                SegmentKind::HostBetweenOps | SegmentKind::PythonBetweenOps => say!("path-between-ops"),
                _ => trace.text(nodes.op_type(node(segment))),
            }),
            by_scope: by_text(&|segment| scope_of(study.title(segment.op))),
            by_device: by_text(&|segment| trace.text(trace.devices().get(trace.device_of(segment.op)).name)),
            by_frame: by_frame(study, segments),
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

    /// The object as JSON.
    pub fn to_text(&self) -> String {
        text(self)
    }
}

fn counts_for(trace: &Trace, segment: &Segment, bound: sums::Bound) -> bool {
    sums::Bound::parts(trace, segment).iter().any(|&(own, length)| own == bound && length > Nanos(0))
}

/// A hundredth of the step.
fn near(causes: &Causes) -> Nanos {
    Nanos(causes.observed.length().0 / 100)
}

fn slack(causes: &Causes, op: OpId) -> Option<i64> {
    causes.floor.slack_of(&causes.graph, op).map(|slack| slack.0)
}

fn row<'a>(study: &'a Study, spending: &Spending, segment: Segment) -> SegmentRow<'a> {
    let trace = study.trace();
    SegmentRow {
        op: study.title(segment.op),
        op_row: segment.op.get(),
        device: trace.text(trace.devices().get(trace.device_of(segment.op)).name),
        category: segment.kind.word(),
        spent: spending.what(trace, segment.kind, segment.op),
        start_ns: segment.interval.start.0,
        end_ns: segment.interval.end.0,
        behind: segment.behind.map(|(op, _)| study.title(op)),
        behind_count: segment.behind.map(|(_, count)| count),
        earlier_ns: segment.earlier.0,
        held_ns: segment.held.0,
        edge: segment.edge.map(|(kind, _)| kind.word()),
        inferred: segment.edge.is_some_and(|(_, is_inferred)| is_inferred),
        frame: segment.frame.map(|frame| study.title(frame)),
    }
}

fn by_frame<'a>(study: &'a Study, segments: &[Segment]) -> Vec<PathPart<'a>> {
    let framed: Vec<Segment> = segments.iter().filter(|own| own.frame.is_some()).copied().collect();
    let sums = sums::by_key(&framed, |own| own.frame.map_or("", |frame| study.title(frame)));
    sums.iter().map(|sum| part_of(study, sum.key, sum)).collect()
}

fn graph<'a>(study: &'a Study, causes: &Causes) -> GraphRow<'a> {
    let graph = &causes.graph;
    let counts = EdgeKind::ALL.into_iter().zip(graph.kinds()).zip(graph.inferred_kinds());
    let worst = graph.repaired.worst;
    GraphRow {
        nodes: graph.nodes.len(),
        edges: graph.edge_count(),
        by_kind: counts
            .filter(|&((_, count), _)| count > 0)
            .map(|((kind, count), inferred)| EdgeRow { kind: kind.word(), count, inferred })
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
