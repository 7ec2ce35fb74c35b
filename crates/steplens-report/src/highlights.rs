//! `steplens.highlights/1`: what matters most in what is shown, for a user who has just opened it. The page shows it above the
//! timeline.
//!
//! All figures here are also in other answers: stragglers and waits are those of `steplens network`, idle accelerators those of the
//! step bar, op types those of the whole step.

use crate::clocks::ClockNote;
use crate::csv::Sheet;
use crate::network::{Straggler, TensorRow, longest_wait, worst_straggler};
use crate::text;
use serde::Serialize;
use std::io::{self, Write};
use steplens_core::gpu::accelerators::{Accelerator, accelerators};
use steplens_core::makers::Makers;
use steplens_core::questions::any_running::any_running;
use steplens_core::questions::op_types::{OpTypeRow, op_types};
use steplens_core::questions::range::{Range, RangeQuery};
use steplens_core::study::step_of_op::StepOfOp;
use steplens_core::{Category, Study};

/// A highlight must be at least the span divided by this.
const LEAST_PART: i64 = 100;
/// An accelerator counts as idle only if its idle time is at least the span divided by this.
const LEAST_IDLE: i64 = 10;

/// The name of an unknown op type, which is no highlight.
const UNKNOWN: &str = "unknown";

/// At most one highlight of each kind, the most important kind first.
#[derive(Serialize)]
pub struct Highlights<'a> {
    schema: &'static str,
    /// The span of what is shown.
    pub span_ns: i64,
    /// Whether several steps are shown, so that a highlight must name its step.
    pub several_steps: bool,
    /// If it is not null, clocks differ: this is shown first, and there is no straggler and no wait.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clocks: Option<ClockNote>,
    /// The straggler that finished last by the largest time, if that is at least a hundredth of the span.
    pub straggler: Option<Straggler<'a>>,
    /// The accelerator with the most idle time, if that is at least a tenth of the span.
    pub idle: Option<IdleAccelerator<'a>>,
    /// The tensor that a device waited for longest, if that is at least a hundredth of the span.
    pub wait: Option<TensorRow<'a>>,
    /// The op type with the most compute time.
    pub op_type: Option<LargestType<'a>>,
}

/// An accelerator that was idle.
#[derive(Serialize)]
pub struct IdleAccelerator<'a> {
    /// Its name.
    pub name: &'a str,
    /// The time in which it was idle.
    pub idle_ns: i64,
}

/// The op type with the most compute time: on accelerators, or on all devices if there are none.
#[derive(Serialize)]
pub struct LargestType<'a> {
    /// Its name.
    pub op_type: &'a str,
    /// The category of its ops.
    pub category: &'static str,
    /// The number of ops.
    pub count: u64,
    /// Their self time: without the ops nested in them.
    pub self_ns: i64,
    /// How long at least one of them ran, if `self_ns`, which is a sum over ops, is longer than the span; otherwise null.
    pub any_ns: Option<i64>,
    /// Its share of the self time of all ops that computed there, in parts per million.
    pub share_ppm: i64,
    /// The longest op of this type, on the first of these devices that ran any.
    pub longest: u32,
}

impl<'a> Highlights<'a> {
    /// The highlights of `study`.
    pub fn of(study: &'a Study) -> Self {
        let span = study.trace().span().length();
        let steps = StepOfOp::indexed(study);
        let makers = Makers::found(study.edges());
        study.time_transfers(&makers);
        let is_worth = |length: i64, part: i64| length > 0 && length.saturating_mul(part) >= span.0;
        let clocks = ClockNote::of(study);
        let compared = clocks.is_none();
        let straggler = compared.then(|| worst_straggler(study, &steps, &makers)).flatten();
        let wait = compared.then(|| longest_wait(study, &steps)).flatten();
        Self {
            schema: "steplens.highlights/1",
            span_ns: span.0,
            several_steps: !steps.is_one(),
            clocks,
            straggler: straggler.filter(|row| is_worth(row.after_next_ns, LEAST_PART)),
            idle: idle(study).filter(|idle| is_worth(idle.idle_ns, LEAST_IDLE)),
            wait: wait.filter(|wait| is_worth(wait.waited_ns, LEAST_PART)),
            op_type: largest_type(study, compared),
        }
    }

    /// The object as JSON.
    pub fn to_text(&self) -> String {
        text(self)
    }

    /// Writes CSV with one highlight per row: the name of the op, tensor or device, and its time (late, idle, waited or computed).
    pub fn write_csv(&self, out: &mut impl Write) -> io::Result<()> {
        let rows = [
            self.clocks.as_ref().map(|note| ("clocks", "", None, note.differ_by_ns, None)),
            self.straggler
                .as_ref()
                .map(|row| ("straggler", row.task, Some(row.step), row.after_next_ns, None)),
            self.idle.as_ref().map(|idle| ("idle", idle.name, None, idle.idle_ns, None)),
            self.wait.as_ref().map(|wait| ("wait", wait.tensor, wait.step, wait.waited_ns, None)),
            self.op_type.as_ref().map(|own| ("op_type", own.op_type, None, own.self_ns, Some(own.share_ppm))),
        ];
        let mut sheet = Sheet::new(out, &["kind", "name", "step", "length_ns", "share_ppm"])?;
        for (kind, name, step, length_ns, share_ppm) in rows.into_iter().flatten() {
            sheet.text(kind)?;
            sheet.text(name)?;
            sheet.maybe(step)?;
            sheet.figures([length_ns])?;
            sheet.maybe(share_ppm)?;
            sheet.end()?;
        }
        sheet.finish()
    }
}

fn idle(study: &Study) -> Option<IdleAccelerator<'_>> {
    let all = accelerators(study.trace());
    // With accelerators, the step bar has one coverage for each of them, in order.
    let idle = all.iter().zip(study.bar()).map(|(own, coverage)| {
        let idle_ns = coverage.split(study.trace().span()).idle.0;
        IdleAccelerator { name: own.name, idle_ns }
    });
    idle.reduce(|most, own| if own.idle_ns > most.idle_ns { own } else { most })
}

/// The largest op type on accelerators, or on all devices if there are none. Transfers do not count, because many are in transit at
/// once and their sum says little. How long any of its ops ran is given only if times of different devices can be `compared`.
fn largest_type(study: &Study, compared: bool) -> Option<LargestType<'_>> {
    let trace = study.trace();
    let everything = RangeQuery::of(trace.span());
    let of_accelerator = |own: &Accelerator<'_>| {
        own.devices.first().map(|&device| RangeQuery {
            device: Some(device),
            accelerator: true,
            ..RangeQuery::of(trace.span())
        })
    };
    let mut ranges: Vec<RangeQuery> = accelerators(trace).iter().filter_map(of_accelerator).collect();
    if ranges.is_empty() {
        ranges.push(everything);
    }
    let ranges: Vec<Range<'_>> = ranges.iter().map(|query| Range::of(study, query)).collect();
    let rows = ranges.iter().flat_map(|range| op_types(study, range));
    let is_known = |row: &OpTypeRow| trace.text(row.op_type) != UNKNOWN;
    let mut rows: Vec<OpTypeRow> = rows.filter(|row| row.category == Category::Compute).collect();
    rows.sort_by_key(|&a| a.op_type);
    let same = rows.chunk_by(|a, b| a.op_type == b.op_type);
    let summed = same.map(|same| (same[0], sum_of(same), same.iter().map(|row| row.count).sum::<u64>()));
    let all = sum_of(&rows);
    let (row, own, count) = summed.reduce(|most, own| if own.1 > most.1 { own } else { most })?;
    let is_long = own > trace.span().length().0;
    let any = |row: OpTypeRow| any_running(study, &ranges, &[(row.op_type, row.category, row.place)]);
    (own > 0 && is_known(&row)).then(|| LargestType {
        op_type: trace.text(row.op_type),
        category: row.category.word(),
        count,
        self_ns: own,
        any_ns: (is_long && compared).then(|| any(row).first().map(|any| any.0)).flatten(),
        share_ppm: (i128::from(own) * 1_000_000 / i128::from(all.max(1))) as i64,
        longest: row.longest.get(),
    })
}

fn sum_of(rows: &[OpTypeRow]) -> i64 {
    rows.iter().fold(0, |sum, row| sum.saturating_add(row.own.0))
}
