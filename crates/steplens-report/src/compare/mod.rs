//! `steplens.compare/1`: what differs between two traces, and where the difference of their steps comes from.

mod align;
mod findings;
mod over_steps;
mod page;
mod reasons;
mod sentence;
mod tables;
mod waterfall;

pub use align::AlignedRow;
pub use findings::{FindingBoth, Found, findings_for_page, side_by_side};
pub use over_steps::{OpTypeOverSteps, SampleRow, StepsCompared};
pub use page::{ForPage, Shown, for_page, pair, with_findings};
pub use reasons::ReasonRow;
pub use tables::{DeviceBoth, LinkBoth, MemoryBoth, OpTypeBoth};
pub use waterfall::{BarRow, ComparedOp};

use crate::csv::sheet;
use crate::text;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};
use steplens_core::compare::Comparison;
use steplens_core::compare::joined::Which;
use steplens_core::compare::matching::Pass;

/// Two traces, compared.
#[derive(Serialize)]
pub struct Compare<'a> {
    schema: &'static str,
    /// How the steps differ, as a sentence.
    pub sentence: String,
    /// Whether nothing but what the steps did explains the difference of their times.
    pub comparable: bool,
    /// Why times cannot be compared as they are, the gravest first; empty if they can.
    pub not_comparable: Vec<ReasonRow>,
    /// The trace before the change.
    pub a: ComparedSide,
    /// The trace after it.
    pub b: ComparedSide,
    /// The length of B's step minus that of A's.
    pub difference_ns: i64,
    /// Where the difference comes from: the largest causes first, then all others and the rest. They add up to
    /// `difference_ns`.
    pub waterfall: Vec<BarRow<'a>>,
    /// That a replay is too far off the recording for its bars to be sure, as a sentence; null if it is not.
    pub doubt: Option<String>,
    /// How many ops have a partner, by what matched them.
    pub matches: Matches,
    /// The ops of A without a partner, by name and device; those with the longest sum first.
    pub unmatched_a: Vec<Unmatched<'a>>,
    /// The ops of B without a partner.
    pub unmatched_b: Vec<Unmatched<'a>>,
    /// Op types, by how much their self time differs.
    pub op_types: Vec<OpTypeBoth<'a>>,
    /// Links between tasks, by how much their busy time differs.
    pub links: Vec<LinkBoth>,
    /// Devices, by how much their busy time differs.
    pub devices: Vec<DeviceBoth<'a>>,
    /// Peaks of memory, by how much they differ. Empty where A and B do not have the same reading of memory.
    pub memory: Vec<MemoryBoth<'a>>,
    /// All steps of both traces.
    pub steps: StepsCompared<'a>,
    /// What would help in A and in B; null unless it is asked for.
    pub findings: Option<Vec<FindingBoth>>,
    /// Both steps aligned at an op; null unless it is asked for.
    pub aligned: Option<AlignedRow>,
}

/// What of a trace is compared.
#[derive(Serialize)]
pub struct ComparedSide {
    /// The place of the step from 1; null if all that was opened is compared.
    pub step: Option<usize>,
    /// How many steps were opened.
    pub steps: usize,
    /// The length of what is compared.
    pub length_ns: i64,
    /// The number of its ops.
    pub ops: u64,
}

/// How many pairs of ops each pass matched. `exact`, `retyped`, `renumbered`, `structural` and `edited` with `only_a` are all ops of A, and
/// with `only_b` all ops of B.
#[derive(Serialize)]
pub struct Matches {
    /// By name, op type, shapes and occurrence.
    pub exact: u64,
    /// By name, where a library carries out the same work under another op type.
    pub retyped: u64,
    /// By name without numbers, op type and occurrence; or by name, with other shapes.
    pub renumbered: u64,
    /// By op type, depth of scope, and the types of the ops around.
    pub structural: u64,
    /// By the order of op types in a scope.
    pub edited: u64,
    /// The ops of A without a partner.
    pub only_a: u64,
    /// The ops of B without a partner.
    pub only_b: u64,
    /// How many of all pairs have other shapes.
    pub reshaped: u64,
    /// How many of the ops without a partner lie in scopes too large to be aligned.
    pub not_aligned: u64,
}

/// Ops of one name on one device that have no partner.
#[derive(Serialize)]
pub struct Unmatched<'a> {
    /// Their name; of transfers their tensor.
    pub name: &'a str,
    /// Their op type.
    pub op_type: &'a str,
    /// Their device.
    pub device: &'a str,
    /// How many.
    pub count: u64,
    /// The sum of their durations.
    pub total_ns: i64,
    /// The row of the longest of them in `steplens ops --json`.
    pub op_row: u32,
}

impl<'a> Compare<'a> {
    /// What `found` says.
    pub fn new(found: &'a Comparison<'a>) -> Self {
        let [a, b] = Which::BOTH.map(|side| side_of(found, side));
        let count = |pass| found.matching.count(pass);
        let alone = |side| found.matching.ops(side) - found.matching.pairs();
        Self {
            schema: "steplens.compare/1",
            sentence: sentence::of_steps(found),
            comparable: found.reasons.is_empty(),
            not_comparable: reasons::rows(found),
            a,
            b,
            difference_ns: found.difference().0,
            waterfall: waterfall::rows(found),
            doubt: sentence::of_doubt(found),
            matches: Matches {
                exact: count(Pass::Exact),
                retyped: count(Pass::Retyped),
                renumbered: count(Pass::Renumbered),
                structural: count(Pass::Structural),
                edited: count(Pass::Edited),
                only_a: alone(Which::A),
                only_b: alone(Which::B),
                reshaped: found.matching.reshaped,
                not_aligned: found.matching.not_aligned,
            },
            unmatched_a: unmatched(found, Which::A),
            unmatched_b: unmatched(found, Which::B),
            op_types: tables::op_types(found),
            links: tables::links(found),
            devices: tables::devices(found),
            memory: tables::memory(found),
            steps: over_steps::steps(found),
            findings: None,
            aligned: None,
        }
    }

    /// The object as JSON.
    pub fn to_text(&self) -> String {
        text(self)
    }
}

fn side_of(found: &Comparison<'_>, which: Which) -> ComparedSide {
    let side = &found.sides[which as usize];
    ComparedSide {
        step: side.study.view().step.map(|row| row + 1),
        steps: side.steps.opened,
        length_ns: found.lengths[which as usize].0,
        ops: found.matching.ops(which),
    }
}

fn unmatched<'a>(found: &'a Comparison<'a>, side: Which) -> Vec<Unmatched<'a>> {
    let study = found.sides[side as usize].study;
    let trace = study.trace();
    let mut rows: BTreeMap<(&str, &str, u32), (i64, Unmatched<'a>)> = BTreeMap::new();
    for op in found.matching.alone(side) {
        let name = study.title(op);
        let op_type = trace.text(trace.nodes().op_type(trace.ops().node(op)));
        let device = trace.device_of(op);
        let (longest, row) = rows.entry((name, op_type, device.get())).or_insert_with(|| {
            let device = trace.text(trace.devices().get(device).name);
            (-1, Unmatched { name, op_type, device, count: 0, total_ns: 0, op_row: op.get() })
        });
        let length = trace.ops().interval(op).length().0;
        row.count += 1;
        row.total_ns = row.total_ns.saturating_add(length);
        if length > *longest {
            (*longest, row.op_row) = (length, op.get());
        }
    }
    let mut rows: Vec<Unmatched<'a>> = rows.into_values().map(|(_, row)| row).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.total_ns));
    rows
}

/// `b` in parts of `a`; null where nothing can be divided.
fn ratio(a: i64, b: i64) -> Option<f64> {
    (a > 0).then(|| b as f64 / a as f64)
}

/// The waterfall, one cause per row.
pub fn write_csv(answer: &Compare<'_>, out: &mut impl Write) -> io::Result<()> {
    sheet!(out, row in &answer.waterfall, {
        cause: row.cause,
        op_type: row.op_type,
        device: row.device,
        difference_ns: row.difference_ns,
        a_ns: row.a_ns,
        b_ns: row.b_ns,
        ops_count: row.ops_count,
        sentence: &row.sentence,
    })
}
