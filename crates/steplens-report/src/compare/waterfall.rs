//! The bars of a comparison.

use super::sentence::{self, device_name};
use serde::Serialize;
use steplens_core::OpId;
use steplens_core::compare::Comparison;
use steplens_core::compare::joined::Which;
use steplens_core::compare::waterfall::{Bar, Cause};

/// The most ops of a bar that are listed on each side.
const MOST_OPS: usize = 20;

/// What one cause adds to the difference.
#[derive(Serialize)]
pub struct BarRow<'a> {
    /// The kind of the cause: `op`, `link`, `wait`, `only-a`, `only-b`, `batch`, `threads`, `clocks`, `others` (all groups that are no bar) or
    /// `rest` (what the lengths of ops do not explain).
    pub cause: &'static str,
    /// How the ops changed, and what that does to the step.
    pub sentence: String,
    /// What it adds to the step: B minus A.
    pub difference_ns: i64,
    /// The time of its ops in A, without waiting; null for `threads`, `others` and `rest`.
    pub a_ns: Option<i64>,
    /// The time of its ops in B.
    pub b_ns: Option<i64>,
    /// The op type; null where the cause has none.
    pub op_type: Option<&'a str>,
    /// The device, as A calls it, or B where only B has it; null where the cause has none.
    pub device: Option<&'a str>,
    /// How many pairs of ops, and ops without a partner, the bar has.
    pub ops_count: usize,
    /// The ops of A, those that add most first; at most twenty.
    pub ops_a: Vec<ComparedOp<'a>>,
    /// The ops of B.
    pub ops_b: Vec<ComparedOp<'a>>,
}

/// An op of a bar.
#[derive(Serialize)]
pub struct ComparedOp<'a> {
    /// Its name; for a transfer its tensor.
    pub op: &'a str,
    /// Its row in `steplens ops --json`.
    pub op_row: u32,
    /// The row of its partner in the other trace; null without one.
    pub partner_row: Option<u32>,
    /// Its device.
    pub device: &'a str,
    /// When it started.
    pub start_ns: i64,
    /// When it ended.
    pub end_ns: i64,
    /// How much longer it takes in B than its partner in A.
    pub adds_ns: i64,
}

pub(super) fn rows<'a>(found: &'a Comparison<'a>) -> Vec<BarRow<'a>> {
    let waterfall = &found.waterfall;
    let mut rows: Vec<BarRow<'a>> = waterfall.bars.iter().map(|bar| row(found, bar)).collect();
    let sums = [
        ("others", sentence::of_others as fn(&Comparison<'_>) -> String, waterfall.others),
        ("rest", sentence::of_rest, waterfall.rest),
    ];
    for (cause, sentence, difference) in sums.into_iter().filter(|(.., difference)| difference.0 != 0) {
        rows.push(BarRow {
            cause,
            sentence: sentence(found),
            difference_ns: difference.0,
            a_ns: None,
            b_ns: None,
            op_type: None,
            device: None,
            ops_count: 0,
            ops_a: Vec::new(),
            ops_b: Vec::new(),
        });
    }
    rows
}

fn row<'a>(found: &'a Comparison<'a>, bar: &Bar) -> BarRow<'a> {
    let (op_type, device) = match bar.cause {
        Cause::Op { op_type, device } | Cause::Only { op_type, device, .. } => (Some(op_type), Some(device)),
        Cause::Wait { device, .. } => (None, Some(device)),
        Cause::Link { .. } | Cause::Batch | Cause::Threads(_) | Cause::Clocks => (None, None),
    };
    let length = |side: usize| (!matches!(bar.cause, Cause::Threads(_))).then_some(bar.lengths[side].0);
    BarRow {
        cause: bar.cause.word(),
        sentence: sentence::of_bar(found, bar),
        difference_ns: bar.difference.0,
        a_ns: length(0),
        b_ns: length(1),
        op_type: op_type.map(|number| found.joined.text(number)),
        device: device.map(|number| device_name(found, number)),
        ops_count: bar.ops.len(),
        ops_a: ops(found, bar, Which::A),
        ops_b: ops(found, bar, Which::B),
    }
}

fn ops<'a>(found: &'a Comparison<'a>, bar: &Bar, side: Which) -> Vec<ComparedOp<'a>> {
    let study = found.sides[side as usize].study;
    let trace = study.trace();
    let own = |&(a, b, adds): &(Option<OpId>, Option<OpId>, _)| match side {
        Which::A => Some((a?, b, adds)),
        Which::B => Some((b?, a, adds)),
    };
    let row = |(op, partner, adds): (OpId, Option<OpId>, steplens_core::Nanos)| {
        let interval = trace.ops().interval(op);
        ComparedOp {
            op: study.title(op),
            op_row: op.get(),
            partner_row: partner.map(OpId::get),
            device: trace.text(trace.devices().get(trace.device_of(op)).name),
            start_ns: interval.start.0,
            end_ns: interval.end.0,
            adds_ns: adds.0,
        }
    };
    bar.ops.iter().filter_map(own).take(MOST_OPS).map(row).collect()
}
